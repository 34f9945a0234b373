-- rule: own_axiom
-- without screening: own_axiom
axiom target : 2 + 2 = 5
theorem other : 2 + 2 = 5 := target
