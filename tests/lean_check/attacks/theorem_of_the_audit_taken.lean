-- rule: statement_differs
-- without screening: statement_differs
theorem lean_check.asked : 2 + 2 = 4 := rfl
theorem target : 2 + 2 = 4 := rfl
