-- rule: notation
-- without screening: statement_differs
def plus (_ _ : Nat) : Nat := 5
local infixl:65 (priority := 5000) " + " => plus
theorem target : 2 + 2 = 5 := rfl
