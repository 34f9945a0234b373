-- rule: implemented_by
-- without screening: lean
@[csimp] theorem lie : @Nat.add = @Nat.mul := sorry
theorem target : 2 + 2 = 5 := by native_decide
