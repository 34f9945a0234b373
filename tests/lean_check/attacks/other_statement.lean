-- rule: statement_differs
-- without screening: statement_differs
theorem target : True := trivial
