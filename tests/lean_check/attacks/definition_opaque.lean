-- rule: definition_differs
-- without screening: definition_differs
-- reference: def five : Nat := 5
-- reference: theorem target : five = 2 + 2 := sorry
opaque five : Nat := 5
theorem target : five = five := rfl
