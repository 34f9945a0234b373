prelude

/-! A library small enough to read: just what Lean 4.35 asks for before it takes files that use `Eq`, `Nat` and `Bool`.
It has no tactic, no numeral and no `=`.  It is compiled in tests only, where the packaged Lean is installed. -/

set_option genCtorIdx false
set_option bootstrap.inductiveCheckResultingUniverse false

universe u v

unsafe axiom lcErased : Type
unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcUnreachable {α : Sort u} : α
unsafe axiom lcAny : Type

@[inline] def id {α : Sort u} (a : α) : α := a

inductive PUnit : Sort u where
  | unit : PUnit

abbrev Unit : Type := PUnit

inductive True : Prop where
  | intro : True

inductive False : Prop

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a

/-- The order of the universes is part of what Lean asks for. -/
abbrev Eq.ndrec.{l, k} {α : Sort k} {a : α} {motive : α → Sort l} (base : motive a) {b : α} (h : Eq a b) : motive b :=
  Eq.rec (motive := fun x _ => motive x) base h

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl (a : α) : HEq a a

inductive Bool : Type where
  | false : Bool
  | true : Bool

inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat

axiom sorryAx (α : Sort u) (synthetic : Bool) : α
