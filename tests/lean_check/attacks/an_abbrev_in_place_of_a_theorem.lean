-- rule: not_a_theorem
-- without screening: not_a_theorem
-- reference: theorem target : 2 + 2 = 4 := sorry
theorem help : 2 + 2 = 4 := rfl
abbrev target := help
