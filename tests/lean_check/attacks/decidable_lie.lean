-- rule: type_mismatch
-- without screening: lean
instance (priority := 5000) : Decidable (2 + 2 = 5) := isTrue (rfl : 2 + 2 = 4)
theorem target : 2 + 2 = 5 := by decide
