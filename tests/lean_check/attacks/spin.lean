-- rule: timeout memory
-- without screening: timeout memory
-- reference: noncomputable def four (n : Nat) : Nat := Nat.succ (Nat.succ (Nat.succ (Nat.succ n)))
-- reference: noncomputable def twice (n : Nat) : Bool → Bool := Nat.rec (fun b => b) (fun _ f b => f (f b)) n
-- reference: noncomputable def many : Nat := four (four (four (four (four (four (four (four Nat.zero)))))))
-- reference: theorem target : Eq (twice many Bool.true) Bool.false := sorry
set_option maxHeartbeats 0
noncomputable def four (n : Nat) : Nat := Nat.succ (Nat.succ (Nat.succ (Nat.succ n)))
noncomputable def twice (n : Nat) : Bool → Bool := Nat.rec (fun b => b) (fun _ f b => f (f b)) n
noncomputable def many : Nat := four (four (four (four (four (four (four (four Nat.zero)))))))
theorem target : Eq (twice many Bool.true) Bool.false := Eq.refl _
