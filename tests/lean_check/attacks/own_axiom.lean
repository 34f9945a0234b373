-- rule: own_axiom
-- without screening: own_axiom
axiom bad : 2 + 2 = 5
theorem target : 2 + 2 = 5 := bad
