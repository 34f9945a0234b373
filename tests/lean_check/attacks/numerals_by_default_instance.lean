-- rule: statement_differs
-- without screening: statement_differs
@[default_instance 2000] instance worse : OfNat Nat 5 := ⟨4⟩
theorem target : 2 + 2 = 5 := rfl
