-- rule: heartbeats timeout memory deep_recursion lean_error type_mismatch
-- without screening: lean timeout memory crash
-- reference: theorem target : 2 ^ 100000000000 = 5 := sorry
theorem target : 2 ^ 100000000000 = 5 := rfl
