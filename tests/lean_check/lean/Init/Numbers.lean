prelude
import Init.Logic

/-! Lists, natural numbers and their order. -/

set_option genCtorIdx false
set_option genSizeOf false
set_option linter.unusedVariables false
set_option linter.defProp false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option checkBinderAnnotations false

universe u v w

/-! ## Lists and options -/

inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α

inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α

export Option (none some)

structure Array (α : Type u) where
  mk ::
  toList : List α

attribute [extern "lean_array_to_list"] Array.toList
attribute [extern "lean_array_mk"] Array.mk


/-! ## Arithmetic of natural numbers -/

@[extern "lean_nat_add"] protected def Nat.add : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => .succ (Nat.add n m)

attribute [match_pattern] Nat.add
instance instAddNat : Add Nat where add := Nat.add

@[extern "lean_nat_mul"] protected def Nat.mul : Nat → Nat → Nat
  | _, .zero => Nat.zero
  | n, .succ m => Nat.add (Nat.mul n m) n

instance instMulNat : Mul Nat where mul := Nat.mul

@[extern "lean_nat_pow"] protected def Nat.pow (m : Nat) : Nat → Nat
  | .zero => 1
  | .succ n => Nat.mul (Nat.pow m n) m

instance instNatPowNat : NatPow Nat where pow := Nat.pow

@[extern "lean_nat_pred"] def Nat.pred : Nat → Nat
  | .zero => .zero
  | .succ n => n

@[extern "lean_nat_sub"] protected def Nat.sub : Nat → Nat → Nat
  | n, .zero => n
  | n, .succ m => Nat.pred (Nat.sub n m)

instance instSubNat : Sub Nat where sub := Nat.sub

@[extern "lean_nat_dec_eq"] def Nat.beq : Nat → Nat → Bool
  | .zero, .zero => true
  | .zero, .succ _ => false
  | .succ _, .zero => false
  | .succ n, .succ m => Nat.beq n m

@[extern "lean_nat_dec_le"] def Nat.ble : Nat → Nat → Bool
  | .zero, _ => true
  | .succ _, .zero => false
  | .succ n, .succ m => Nat.ble n m

protected inductive Nat.le (n : Nat) : Nat → Prop
  | refl : Nat.le n n
  | step {m : Nat} : Nat.le n m → Nat.le n (.succ m)

protected def Nat.lt (n m : Nat) : Prop := Nat.le (.succ n) m

instance instLENat : LE Nat where le := Nat.le
instance instLTNat : LT Nat where lt := Nat.lt

theorem Nat.eq_of_beq_eq_true : (n m : Nat) → Eq (Nat.beq n m) true → Eq n m
  | .zero, .zero, _ => rfl
  | .zero, .succ _, h => Bool.noConfusion h
  | .succ _, .zero, h => Bool.noConfusion h
  | .succ n, .succ m, h => congrArg Nat.succ (Nat.eq_of_beq_eq_true n m h)

theorem Nat.ne_of_beq_eq_false : (n m : Nat) → Eq (Nat.beq n m) false → Not (Eq n m)
  | .zero, .zero, h => Bool.noConfusion h
  | .zero, .succ _, _ => fun h => Nat.noConfusion h
  | .succ _, .zero, _ => fun h => Nat.noConfusion h
  | .succ n, .succ m, h => fun e => Nat.noConfusion e (fun e => Nat.ne_of_beq_eq_false n m h e)

@[extern "lean_nat_dec_eq"] protected def Nat.decEq (n m : Nat) : Decidable (Eq n m) :=
  Bool.dcond (Nat.beq n m) (fun h => isTrue (Nat.eq_of_beq_eq_true n m h))
    (fun h => isFalse (Nat.ne_of_beq_eq_false n m h))

instance : DecidableEq Nat := Nat.decEq

theorem Nat.le_refl (n : Nat) : LE.le n n := Nat.le.refl
theorem Nat.zero_le : (n : Nat) → LE.le 0 n
  | .zero => Nat.le.refl
  | .succ n => Nat.le.step (Nat.zero_le n)
theorem Nat.succ_le_succ {n m : Nat} : LE.le n m → LE.le (Nat.succ n) (Nat.succ m) :=
  fun h => Nat.le.rec (motive := fun m _ => Nat.le (Nat.succ n) (Nat.succ m)) Nat.le.refl (fun _ h => Nat.le.step h) h
theorem Nat.le_trans {n m k : Nat} : LE.le n m → LE.le m k → LE.le n k :=
  fun h₁ h₂ => Nat.le.rec (motive := fun k _ => Nat.le n k) h₁ (fun _ h => Nat.le.step h) h₂
theorem Nat.pred_le_pred {n m : Nat} : LE.le n m → LE.le (Nat.pred n) (Nat.pred m) := fun h =>
  Nat.le.rec (motive := fun m _ => Nat.le (Nat.pred n) (Nat.pred m)) Nat.le.refl
    (fun {m} _ h => Nat.casesOn (motive := fun m => Nat.le (Nat.pred n) (Nat.pred m) → Nat.le (Nat.pred n) m) m
      (fun h => h) (fun _ h => Nat.le.step h) h) h
theorem Nat.le_of_succ_le_succ {n m : Nat} : LE.le (Nat.succ n) (Nat.succ m) → LE.le n m := Nat.pred_le_pred
theorem Nat.le_of_lt_succ {n m : Nat} : LT.lt n (Nat.succ m) → LE.le n m := Nat.le_of_succ_le_succ
theorem Nat.le_succ (n : Nat) : LE.le n (Nat.succ n) := Nat.le.step Nat.le.refl
theorem Nat.lt_succ_self (n : Nat) : LT.lt n (Nat.succ n) := Nat.le.refl

theorem Nat.not_succ_le_zero (n : Nat) : Not (LE.le (Nat.succ n) 0) := fun h =>
  have this (m : Nat) (h : Nat.le (Nat.succ n) m) : Eq m Nat.zero → False :=
    Nat.le.rec (motive := fun m _ => Eq m Nat.zero → False) (fun (e : Eq (Nat.succ n) Nat.zero) => Nat.noConfusion e)
      (fun {m} _ _ (e : Eq (Nat.succ m) Nat.zero) => Nat.noConfusion e) h
  this 0 h rfl
theorem Nat.not_lt_zero (n : Nat) : Not (LT.lt n 0) := Nat.not_succ_le_zero n
theorem Nat.le_of_ble_eq_true : (n m : Nat) → Eq (Nat.ble n m) true → LE.le n m
  | .zero, m, _ => Nat.zero_le m
  | .succ _, .zero, h => Bool.noConfusion h
  | .succ n, .succ m, h => Nat.succ_le_succ (Nat.le_of_ble_eq_true n m h)
theorem Nat.ble_self_eq_true : (n : Nat) → Eq (Nat.ble n n) true
  | .zero => rfl
  | .succ n => Nat.ble_self_eq_true n
theorem Nat.ble_eq_true_of_le : (n m : Nat) → LE.le n m → Eq (Nat.ble n m) true
  | .zero, _, _ => rfl
  | .succ n, .zero, h => absurd h (Nat.not_succ_le_zero n)
  | .succ n, .succ m, h => Nat.ble_eq_true_of_le n m (Nat.le_of_succ_le_succ h)

@[extern "lean_nat_dec_le"] instance Nat.decLe (n m : Nat) : Decidable (LE.le n m) :=
  Bool.dcond (Nat.ble n m) (fun h => isTrue (Nat.le_of_ble_eq_true n m h))
    (fun h => isFalse (fun k => Bool.noConfusion (Eq.trans (Eq.symm h) (Nat.ble_eq_true_of_le n m k))))
@[extern "lean_nat_dec_lt"] instance Nat.decLt (n m : Nat) : Decidable (LT.lt n m) := Nat.decLe (Nat.succ n) m

@[extern "lean_nat_div"] opaque Nat.div (n m : Nat) : Nat := n
@[extern "lean_nat_mod"] opaque Nat.mod (n m : Nat) : Nat := n

@[inline] unsafe def unsafeCast {α : Sort u} {β : Sort v} (a : α) : β :=
  PLift.down (ULift.down.{max u v} (cast lcProof (ULift.up.{max u v} (PLift.up a))))
