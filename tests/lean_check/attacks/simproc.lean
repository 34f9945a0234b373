-- rule: metaprogramming
-- without screening: lean
simproc lie (2 + 2) := fun _ => pure default
theorem target : 2 + 2 = 5 := by simp
