-- rule: termination
-- without screening: lean
theorem target : 2 + 2 = 5 := target
