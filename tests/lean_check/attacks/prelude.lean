-- rule: prelude
-- without screening: prelude
prelude
set_option genCtorIdx false
set_option genSizeOf false
set_option bootstrap.inductiveCheckResultingUniverse false
universe u
inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a b : α) : Eq a b
inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat
theorem target : Eq Nat.zero (Nat.succ Nat.zero) := Eq.refl _ _
