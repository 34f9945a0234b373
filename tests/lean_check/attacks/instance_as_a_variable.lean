-- rule: statement_differs
-- without screening: statement_differs
variable [Add Nat]
theorem target [Inhabited (PLift (2 + 2 = 5))] : 2 + 2 = 5 := (default : PLift (2 + 2 = 5)).down
