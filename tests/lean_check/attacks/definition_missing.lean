-- rule: definition_differs
-- without screening: definition_differs
-- reference: def five : Nat := 5
-- reference: theorem target : 2 + 2 = five := sorry
theorem target : 2 + 2 = 4 := rfl
