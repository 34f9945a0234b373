-- rule: metaprogramming
-- without screening: lean
@[init start] opaque stop : Nat
theorem target : 2 + 2 = 5 := by decide
