-- rule: own_axiom
-- without screening: own_axiom
def n := 0b1axiom bad : False
theorem target : 2 + 2 = 5 := bad.elim
