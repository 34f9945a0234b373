-- rule: own_axiom
-- without screening: lean
theorem target : 2 + 2 = 5 := lcProof
