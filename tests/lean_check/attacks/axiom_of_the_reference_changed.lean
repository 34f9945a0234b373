-- rule: own_axiom
-- without screening: definition_differs
-- reference: axiom law : 2 + 2 = 4
-- reference: theorem target : 2 + 2 = 5 := sorry
axiom law : 2 + 2 = 5
theorem target : 2 + 2 = 5 := law
