-- rule: own_axiom
-- without screening: own_axiom lean
unsafe axiom bad : False
theorem target : 2 + 2 = 5 := bad.elim
