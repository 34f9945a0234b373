-- rule: exit
-- without screening: target_missing not_read_to_the_end
theorem other : True := trivial
#exit
theorem target : 2 + 2 = 5 := rfl
