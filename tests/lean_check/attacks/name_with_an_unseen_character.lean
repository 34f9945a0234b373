-- rule: target_missing
-- without screening: target_missing
-- reference: theorem target : 2 + 2 = 4 := sorry
theorem «target​» : 2 + 2 = 4 := rfl
