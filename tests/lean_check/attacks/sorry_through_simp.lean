-- rule: sorry
-- without screening: sorry
@[simp] theorem lie (n : Nat) : (n = 5) = True := sorry
theorem target : 2 + 2 = 5 := by simp
