-- rule: not_a_theorem
-- without screening: not_a_theorem
-- reference: theorem target : 2 + 2 = 4 := sorry
inductive target : Prop where | proved
theorem other : target := .proved
