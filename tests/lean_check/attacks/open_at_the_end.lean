-- rule: statement_differs
-- without screening: statement_differs
theorem target : 2 + 2 = 4 := rfl
open Nat in
