-- rule: notation
-- without screening: statement_differs lean
-- reference: theorem target : (2 + 2 : Nat) = 5 := sorry
local notation (priority := 5000) "Nat" => Bool
theorem target : (2 + 2 : Nat) = 5 := rfl
