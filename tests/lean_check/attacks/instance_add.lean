-- rule: statement_differs
-- without screening: statement_differs
instance : Add Nat := ⟨fun _ _ => 5⟩
theorem target : 2 + 2 = 5 := rfl
