-- rule: sorry
-- without screening: sorry
noncomputable def helper : PLift False := sorry
theorem target : 2 + 2 = 5 := helper.down.elim
