-- rule: native_decide
-- without screening: native_decide lean
theorem target : 2 + 2 = 5 := by decide +native
