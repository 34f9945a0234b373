-- rule: statement_differs
-- without screening: statement_differs
variable (h : False)
include h
theorem target : 2 + 2 = 5 := h.elim
