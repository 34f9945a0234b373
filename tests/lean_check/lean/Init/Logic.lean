prelude

/-! Logic, classes, numbers: the constants that the elaborator and the kernel know by name. -/

set_option genCtorIdx false
set_option genSizeOf false
set_option linter.unusedVariables false
set_option linter.defProp false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option checkBinderAnnotations false

universe u v w

/-! ## What the compiler asks for -/

unsafe axiom lcErased : Type
unsafe axiom lcProof {α : Prop} : α
unsafe axiom lcUnreachable {α : Sort u} : α
unsafe axiom lcAny : Type
unsafe axiom lcVoid : Type

/-! ## Logic -/

@[inline] def id {α : Sort u} (a : α) : α := a
abbrev inferInstance {α : Sort u} [i : α] : α := i
@[inline] def Function.comp {α : Sort u} {β : Sort v} {δ : Sort w} (f : β → δ) (g : α → β) : α → δ := fun x => f (g x)
@[inline] def Function.const {α : Sort u} (β : Sort v) (a : α) : β → α := fun _ => a
@[reducible] def outParam (α : Sort u) : Sort u := α
@[reducible] def semiOutParam (α : Sort u) : Sort u := α
@[reducible] def optParam (α : Sort u) (default : α) : Sort u := α

inductive PUnit : Sort u where
  | unit : PUnit

abbrev Unit : Type := PUnit
@[match_pattern] abbrev Unit.unit : Unit := PUnit.unit

inductive Empty : Type
inductive PEmpty : Sort u

inductive True : Prop where
  | intro : True

inductive False : Prop

def Not (a : Prop) : Prop := a → False

@[macro_inline] def False.elim {C : Sort u} (h : False) : C := h.rec
@[macro_inline] def absurd {a : Prop} {b : Sort v} (h₁ : a) (h₂ : Not a) : b := (h₂ h₁).rec

inductive Eq {α : Sort u} : α → α → Prop where
  | refl (a : α) : Eq a a

@[match_pattern] def rfl {α : Sort u} {a : α} : Eq a a := Eq.refl a

/-- The order of the universes is part of what Lean asks for. -/
abbrev Eq.ndrec.{l, k} {α : Sort k} {a : α} {motive : α → Sort l} (base : motive a) {b : α} (h : Eq a b) : motive b :=
  Eq.rec (motive := fun x _ => motive x) base h

theorem Eq.subst {α : Sort u} {motive : α → Prop} {a b : α} (h₁ : Eq a b) (h₂ : motive a) : motive b :=
  Eq.ndrec h₂ h₁
theorem Eq.symm {α : Sort u} {a b : α} (h : Eq a b) : Eq b a := Eq.ndrec (motive := fun x => Eq x a) rfl h
theorem Eq.trans {α : Sort u} {a b c : α} (h₁ : Eq a b) (h₂ : Eq b c) : Eq a c :=
  Eq.ndrec (motive := fun x => Eq a x) h₁ h₂
@[macro_inline] def cast {α β : Sort u} (h : Eq α β) (a : α) : β := Eq.rec (motive := fun x _ => x) a h
@[macro_inline] def Eq.mp {α β : Sort u} (h : Eq α β) (a : α) : β := Eq.rec (motive := fun x _ => x) a h
@[macro_inline] def Eq.mpr {α β : Sort u} (h : Eq α β) (b : β) : α := Eq.mp (Eq.symm h) b
theorem congrArg {α : Sort u} {β : Sort v} {a₁ a₂ : α} (f : α → β) (h : Eq a₁ a₂) : Eq (f a₁) (f a₂) :=
  Eq.ndrec (motive := fun x => Eq (f a₁) (f x)) rfl h
theorem congr {α : Sort u} {β : Sort v} {f₁ f₂ : α → β} {a₁ a₂ : α} (h₁ : Eq f₁ f₂) (h₂ : Eq a₁ a₂) :
    Eq (f₁ a₁) (f₂ a₂) :=
  Eq.trans (congrArg (fun (f : α → β) => f a₁) h₁) (congrArg f₂ h₂)
theorem congrFun {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : Eq f g) (a : α) : Eq (f a) (g a) :=
  Eq.ndrec (motive := fun (k : (x : α) → β x) => Eq (f a) (k a)) rfl h
theorem congrFun' {α : Sort u} {β : Sort v} {f g : α → β} (h : Eq f g) (a : α) : Eq (f a) (g a) := congrFun h a
@[reducible] def namedPattern {α : Sort u} (x a : α) (h : Eq x a) : α := a

init_quot

inductive HEq : {α : Sort u} → α → {β : Sort u} → β → Prop where
  | refl (a : α) : HEq a a

@[match_pattern] def HEq.rfl {α : Sort u} {a : α} : HEq a a := HEq.refl a
theorem eq_of_heq {α : Sort u} {a a' : α} (h : HEq a a') : Eq a a' :=
  have this (α β : Sort u) (a : α) (b : β) (h₁ : HEq a b) : (h : Eq α β) → Eq (cast h a) b :=
    h₁.rec (fun _ => rfl)
  this α α a a' h rfl
theorem heq_of_eq {α : Sort u} {a a' : α} (h : Eq a a') : HEq a a' :=
  Eq.ndrec (motive := fun x => HEq a x) (HEq.refl a) h
theorem HEq.symm {α β : Sort u} {a : α} {b : β} (h : HEq a b) : HEq b a :=
  HEq.rec (motive := fun {_} x _ => HEq x a) (HEq.refl a) h

structure PProd (α : Sort u) (β : Sort v) where
  fst : α
  snd : β

structure MProd (α β : Type u) where
  fst : α
  snd : β

structure Prod (α : Type u) (β : Type v) where
  mk ::
  fst : α
  snd : β

structure And (a b : Prop) : Prop where
  intro ::
  left : a
  right : b

inductive Or (a b : Prop) : Prop where
  | inl (h : a) : Or a b
  | inr (h : b) : Or a b

structure Iff (a b : Prop) : Prop where
  intro ::
  mp : a → b
  mpr : b → a

inductive Exists {α : Sort u} (p : α → Prop) : Prop where
  | intro (w : α) (h : p w) : Exists p

structure Subtype {α : Sort u} (p : α → Prop) where
  val : α
  property : p val

structure Sigma {α : Type u} (β : α → Type v) where
  fst : α
  snd : β fst

structure PSigma {α : Sort u} (β : α → Sort v) where
  fst : α
  snd : β fst

inductive Sum (α : Type u) (β : Type v) where
  | inl (val : α) : Sum α β
  | inr (val : β) : Sum α β

inductive PSum (α : Sort u) (β : Sort v) where
  | inl (val : α) : PSum α β
  | inr (val : β) : PSum α β

inductive Bool : Type where
  | false : Bool
  | true : Bool

export Bool (false true)

theorem Or.symm {a b : Prop} (h : Or a b) : Or b a := h.rec Or.inr Or.inl
theorem Or.elim {a b c : Prop} (h : Or a b) (f : a → c) (g : b → c) : c := h.rec f g
theorem Exists.elim {α : Sort u} {p : α → Prop} {b : Prop} (h : Exists p) (f : (a : α) → p a → b) : b := h.rec f
theorem Iff.refl (a : Prop) : Iff a a := Iff.intro (fun h => h) (fun h => h)
theorem Iff.rfl {a : Prop} : Iff a a := Iff.refl a
theorem Iff.symm {a b : Prop} (h : Iff a b) : Iff b a := Iff.intro h.mpr h.mp
theorem Iff.trans {a b c : Prop} (h : Iff a b) (k : Iff b c) : Iff a c :=
  Iff.intro (fun x => k.mp (h.mp x)) (fun x => h.mpr (k.mpr x))

structure PULift.{r, s} (α : Sort s) : Sort (max s 1 r) where
  up ::
  down : α
structure PLift (α : Sort u) : Type u where
  up ::
  down : α
structure ULift.{r, s} (α : Type s) : Type (max s r) where
  up ::
  down : α

axiom propext {a b : Prop} : Iff a b → Eq a b
axiom Quot.sound : ∀ {α : Sort u} {r : α → α → Prop} {a b : α}, r a b → Eq (Quot.mk r a) (Quot.mk r b)
axiom sorryAx (α : Sort u) (synthetic : Bool) : α

class inductive Nonempty (α : Sort u) : Prop where
  | intro (val : α) : Nonempty α

axiom Classical.choice {α : Sort u} : Nonempty α → α

theorem trivial : True := True.intro
theorem of_eq_true {p : Prop} (h : Eq p True) : p := Eq.mpr h trivial
theorem eq_true {p : Prop} (h : p) : Eq p True := propext (Iff.intro (fun _ => trivial) (fun _ => h))
theorem eq_false {p : Prop} (h : Not p) : Eq p False := propext (Iff.intro h (fun f => f.rec))
theorem of_eq_false {p : Prop} (h : Eq p False) : Not p := fun x => Eq.mp h x
theorem eq_self {α : Sort u} (a : α) : Eq (Eq a a) True := eq_true rfl
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h₁ : Eq p₁ p₂) (h₂ : Eq q₁ q₂) : Eq (p₁ → q₁) (p₂ → q₂) :=
  Eq.ndrec (motive := fun x => Eq (p₁ → q₁) (x → q₂)) (Eq.ndrec (motive := fun x => Eq (p₁ → q₁) (p₁ → x)) rfl h₂) h₁
theorem forall_congr {α : Sort u} {p q : α → Prop} (h : ∀ a, Eq (p a) (q a)) : Eq (∀ a, p a) (∀ a, q a) :=
  propext (Iff.intro (fun f a => Eq.mp (h a) (f a)) (fun f a => Eq.mpr (h a) (f a)))

theorem funext {α : Sort u} {β : α → Sort v} {f g : (x : α) → β x} (h : ∀ x, Eq (f x) (g x)) : Eq f g :=
  let same := fun (f g : (x : α) → β x) => ∀ x, Eq (f x) (g x)
  let apply := fun (q : Quot same) (x : α) => Quot.lift (fun (k : (x : α) → β x) => k x) (fun _ _ h => h x) q
  congrArg apply (Quot.sound (r := same) h)

theorem implies_true (α : Sort u) : Eq (α → True) True := eq_true (fun _ => trivial)

/-! ## Classes and numbers -/

class Inhabited (α : Sort u) where
  default : α

export Inhabited (default)

instance (α : Sort u) [h : Inhabited α] : Nonempty α := Nonempty.intro h.default
instance : Inhabited (Sort u) where default := PUnit
instance (α : Sort u) {β : Sort v} [h : Inhabited β] : Inhabited (α → β) where default := fun _ => h.default
instance (α : Sort u) {β : α → Sort v} [h : (a : α) → Inhabited (β a)] : Inhabited ((a : α) → β a) where
  default := fun a => (h a).default
instance : Inhabited Bool where default := false
instance : Inhabited PUnit where default := PUnit.unit
instance : Inhabited True where default := trivial

class inductive Decidable (p : Prop) where
  | isFalse (h : Not p) : Decidable p
  | isTrue (h : p) : Decidable p

@[inline_if_reduce] def Decidable.decide (p : Prop) [h : Decidable p] : Bool := h.casesOn (fun _ => false) (fun _ => true)

export Decidable (isTrue isFalse decide)

abbrev DecidablePred {α : Sort u} (r : α → Prop) := (a : α) → Decidable (r a)
abbrev DecidableRel {α : Sort u} {β : Sort v} (r : α → β → Prop) := (a : α) → (b : β) → Decidable (r a b)
abbrev DecidableEq (α : Sort u) := (a b : α) → Decidable (Eq a b)
def decEq {α : Sort u} [inst : DecidableEq α] (a b : α) : Decidable (Eq a b) := inst a b

@[macro_inline] def ite {α : Sort u} (c : Prop) [h : Decidable c] (t e : α) : α := h.casesOn (fun _ => e) (fun _ => t)
@[macro_inline] def dite {α : Sort u} (c : Prop) [h : Decidable c] (t : c → α) (e : Not c → α) : α := h.casesOn e t
@[macro_inline] def cond {α : Sort u} (c : Bool) (x y : α) : α := Bool.casesOn c y x
@[macro_inline] def Bool.dcond {α : Sort u} (c : Bool) (x : Eq c true → α) (y : Eq c false → α) : α :=
  Bool.casesOn (motive := fun b => Eq c b → α) c y x rfl
@[macro_inline] def or (x y : Bool) : Bool := cond x true y
@[macro_inline] def and (x y : Bool) : Bool := cond x y false
@[macro_inline] def not (x : Bool) : Bool := cond x false true
@[inline] def Bool.or (x y : Bool) : Bool := cond x true y
@[inline] def Bool.and (x y : Bool) : Bool := cond x y false
@[inline] def Bool.not (x : Bool) : Bool := cond x false true

inductive Nat where
  | zero : Nat
  | succ (n : Nat) : Nat

instance : Inhabited Nat where default := Nat.zero

class OfNat (α : Type u) (_ : Nat) where
  ofNat : α

@[default_instance 100] instance instOfNatNat (n : Nat) : OfNat Nat n where ofNat := n

class OfScientific (α : Type u) where
  ofScientific (mantissa : Nat) (exponentSign : Bool) (decimalExponent : Nat) : α

class LE (α : Type u) where
  le : α → α → Prop
class LT (α : Type u) where
  lt : α → α → Prop
@[reducible] def GE.ge {α : Type u} [LE α] (a b : α) : Prop := LE.le b a
@[reducible] def GT.gt {α : Type u} [LT α] (a b : α) : Prop := LT.lt b a
@[reducible] def Ne {α : Sort u} (a b : α) : Prop := Not (Eq a b)
class BEq (α : Type u) where
  beq : α → α → Bool
@[inline] def bne {α : Type u} [BEq α] (a b : α) : Bool := not (BEq.beq a b)
class Max (α : Type u) where
  max : α → α → α
class Min (α : Type u) where
  min : α → α → α
export Max (max)
export Min (min)
class HAdd (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAdd : α → β → γ
class HSub (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hSub : α → β → γ
class HMul (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMul : α → β → γ
class HDiv (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hDiv : α → β → γ
class HMod (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hMod : α → β → γ
class HPow (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hPow : α → β → γ
class HAppend (α : Type u) (β : Type v) (γ : outParam (Type w)) where
  hAppend : α → β → γ
class Add (α : Type u) where
  add : α → α → α
class Sub (α : Type u) where
  sub : α → α → α
class Mul (α : Type u) where
  mul : α → α → α
class Neg (α : Type u) where
  neg : α → α
class Div (α : Type u) where
  div : α → α → α
class Mod (α : Type u) where
  mod : α → α → α
class Pow (α : Type u) (β : Type v) where
  pow : α → β → α
class NatPow (α : Type u) where
  pow : α → Nat → α
class Trans.{a, b, c, x, y, z} {α : Sort x} {β : Sort y} {γ : Sort z} (r : α → β → Sort a) (s : β → γ → Sort b)
    (t : outParam (α → γ → Sort c)) where
  trans : r a b → s b c → t a c
class Append (α : Type u) where
  append : α → α → α
class Dvd (α : Type u) where
  dvd : α → α → Prop
@[default_instance] instance instHAdd {α : Type u} [Add α] : HAdd α α α where hAdd a b := Add.add a b
@[default_instance] instance instHSub {α : Type u} [Sub α] : HSub α α α where hSub a b := Sub.sub a b
@[default_instance] instance instHMul {α : Type u} [Mul α] : HMul α α α where hMul a b := Mul.mul a b
@[default_instance] instance instHDiv {α : Type u} [Div α] : HDiv α α α where hDiv a b := Div.div a b
@[default_instance] instance instHMod {α : Type u} [Mod α] : HMod α α α where hMod a b := Mod.mod a b
@[default_instance] instance instHPow {α : Type u} {β : Type v} [Pow α β] : HPow α β α where hPow a b := Pow.pow a b
@[default_instance] instance instPowNat {α : Type u} [NatPow α] : Pow α Nat where pow a n := NatPow.pow a n
@[default_instance] instance instHAppendOfAppend {α : Type u} [Append α] : HAppend α α α where
  hAppend a b := Append.append a b

attribute [match_pattern] Add.add HAdd.hAdd Neg.neg
