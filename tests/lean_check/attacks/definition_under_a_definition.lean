-- rule: definition_differs
-- without screening: definition_differs
-- reference: def five : Nat := 5
-- reference: def odd : Nat := five
-- reference: theorem target : 2 + 2 = odd := sorry
def five : Nat := 4
def odd : Nat := five
theorem target : 2 + 2 = odd := rfl
