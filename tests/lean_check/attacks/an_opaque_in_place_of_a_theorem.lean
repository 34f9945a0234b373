-- rule: not_a_theorem
-- without screening: not_a_theorem
-- reference: theorem target : 2 + 2 = 4 := sorry
opaque target : 2 + 2 = 4 := rfl
theorem other : True := trivial
