-- rule: target_missing
-- without screening: target_missing lean
-- reference: theorem target : 2 + 2 = 4 := sorry
theorem «tаrget» : 2 + 2 = 4 := rfl
