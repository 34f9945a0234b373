-- rule: notation
-- without screening: statement_differs
def same (_ _ : Nat) : Prop := True
local infix:50 (priority := 5000) " = " => same
theorem target : 2 + 2 = 5 := trivial
