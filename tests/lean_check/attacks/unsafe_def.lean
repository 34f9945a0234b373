-- rule: extern
-- without screening: lean
unsafe def loop : 2 + 2 = 5 := loop
theorem target : 2 + 2 = 5 := loop
