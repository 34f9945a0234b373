-- rule: notation
-- without screening: statement_differs
local notation:50 (priority := 5000) a " = " b => True ∨ a ≠ b
theorem target : 2 + 2 = 5 := Or.inl trivial
