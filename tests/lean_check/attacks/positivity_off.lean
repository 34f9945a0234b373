-- rule: option
-- without screening: lean
set_option bootstrap.inductiveCheckPositivity false
inductive Bad where | mk : (Bad → 2 + 2 = 5) → Bad
theorem target : 2 + 2 = 5 := by decide
