-- rule: own_axiom
-- without screening: own_axiom
/--/ axiom bad : False --/
/- -/ axiom bad2 : False
theorem target : 2 + 2 = 5 := bad2.elim
