-- rule: statement_differs
-- without screening: statement_differs
theorem target (h : 2 + 2 = 5) : 2 + 2 = 5 := h
