-- rule: metaprogramming
-- without screening: lean
initialize lie : Nat ← pure 5
theorem target : 2 + 2 = 5 := rfl
