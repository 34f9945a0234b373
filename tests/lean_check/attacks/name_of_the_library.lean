-- rule: target_missing
-- without screening: target_missing
-- reference: theorem Nat.zero_add' (n : Nat) : 0 + n = n := sorry
-- reference: theorem target (n : Nat) : 0 + n = n := sorry
theorem other : 0 + 2 = 2 := Nat.zero_add 2
