-- rule: metaprogramming
-- without screening: lean
run_cmd pure ()
theorem target : 2 + 2 = 5 := rfl
