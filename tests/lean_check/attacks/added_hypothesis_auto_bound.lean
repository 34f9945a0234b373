-- rule: statement_differs
-- without screening: statement_differs
set_option autoImplicit true
theorem target {h : q} (k : q → 2 + 2 = 5) : 2 + 2 = 5 := k h
