-- rule: sorry
-- without screening: sorry
theorem target : 2 + 2 = 5 := sorryAx (2 + 2 = 5) true
