-- rule: sorry
-- without screening: sorry
theorem target : 2 + 2 = 5 := by admit
