-- rule: metaprogramming
-- without screening: lean target_missing
#eval 1
theorem target : 2 + 2 = 5 := rfl
