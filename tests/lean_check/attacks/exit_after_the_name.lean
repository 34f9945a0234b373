-- rule: exit
-- without screening: target_missing not_read_to_the_end sorry lean
theorem other : True := trivial
#exitx
theorem target : 2 + 2 = 5 := rfl
