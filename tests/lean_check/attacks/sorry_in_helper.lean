-- rule: sorry
-- without screening: sorry
theorem helper : False := sorry
theorem target : 2 + 2 = 5 := helper.elim
