-- rule: syntax
-- without screening: lean
theorem target : 2 + 2 = 5 := by
  first | rfl |
