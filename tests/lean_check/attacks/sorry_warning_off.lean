-- rule: option
-- without screening: sorry
set_option warn.sorry false
theorem target : 2 + 2 = 5 := by
  stop
  decide
