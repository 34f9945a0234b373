-- rule: definition_differs
-- without screening: definition_differs
-- reference: def five : Nat := 5
-- reference: theorem target : 2 + 2 = five := sorry
def lean_check.reference.five : Nat := 4
def five : Nat := 4
theorem target : 2 + 2 = five := rfl
