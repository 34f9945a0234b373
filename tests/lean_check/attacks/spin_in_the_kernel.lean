-- rule: option
-- without screening: timeout memory
-- reference: noncomputable def slow (n : Nat) : Nat → Bool :=
-- reference:   Nat.rec (fun _ => true) (fun _ f m => cond (f (2 * m)) (f (2 * m + 1)) false) n
-- reference: theorem target : slow 64 0 = false := sorry
noncomputable def slow (n : Nat) : Nat → Bool :=
  Nat.rec (fun _ => true) (fun _ f m => cond (f (2 * m)) (f (2 * m + 1)) false) n
set_option debug.skipKernelTC true
theorem target : slow 64 0 = false := by decide +kernel
