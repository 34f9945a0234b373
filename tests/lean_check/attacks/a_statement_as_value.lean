-- rule: not_a_theorem
-- without screening: not_a_theorem
def target : Prop := 2 + 2 = 5
theorem other : True := trivial
