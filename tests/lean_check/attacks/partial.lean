-- rule: tactic_failed
-- without screening: lean
partial def loop (n : Nat) : 2 + 2 = 5 := loop n
theorem target : 2 + 2 = 5 := loop 0
