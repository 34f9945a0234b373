-- rule: lean_error
-- without screening: lean
theorem Nat.add_comm (n m : Nat) : n + m = n + m := rfl
theorem target : 2 + 2 = 5 := rfl
