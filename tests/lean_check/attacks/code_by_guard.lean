-- rule: metaprogramming
-- without screening: lean
#guard 2 + 2 = 5
theorem target : 2 + 2 = 5 := by decide
