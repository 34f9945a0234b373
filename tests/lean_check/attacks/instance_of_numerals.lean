-- rule: statement_differs
-- without screening: statement_differs
instance (priority := 5000) : OfNat Nat 5 := ⟨4⟩
theorem target : 2 + 2 = 5 := rfl
