prelude
import Init.Notation

/-! What `simp`, `decide`, `by_cases` and `induction` ask for, and a handful of lemmas. -/

set_option genCtorIdx false
set_option genSizeOf false
set_option linter.unusedVariables false
set_option linter.defProp false

universe u v w

/-! ## Lemmas -/

section logic
variable {a b c : Prop}

theorem not_false : ¬False := fun h => h
theorem not_not_intro (h : a) : ¬¬a := fun f => f h
theorem mt (f : a → b) (h : ¬b) : ¬a := fun x => h (f x)
theorem Ne.symm {α : Sort u} {x y : α} (h : x ≠ y) : y ≠ x := fun e => h e.symm
theorem iff_of_eq (h : a = b) : a ↔ b := h ▸ Iff.rfl
theorem iff_of_true (x : a) (y : b) : a ↔ b := ⟨fun _ => y, fun _ => x⟩
theorem iff_true_intro (h : a) : a ↔ True := ⟨fun _ => trivial, fun _ => h⟩
theorem not_congr (h : a ↔ b) : ¬a ↔ ¬b := ⟨mt h.mpr, mt h.mp⟩
theorem Or.comm : a ∨ b ↔ b ∨ a := ⟨Or.symm, Or.symm⟩
theorem And.symm (h : a ∧ b) : b ∧ a := ⟨h.right, h.left⟩
theorem And.comm : a ∧ b ↔ b ∧ a := ⟨And.symm, And.symm⟩
theorem and_congr {d : Prop} (h : a ↔ c) (k : b ↔ d) : (a ∧ b) ↔ (c ∧ d) :=
  ⟨fun x => ⟨h.mp x.left, k.mp x.right⟩, fun x => ⟨h.mpr x.left, k.mpr x.right⟩⟩

@[simp] theorem and_true (p : Prop) : (p ∧ True) = p := propext ⟨And.left, fun h => ⟨h, trivial⟩⟩
@[simp] theorem true_and (p : Prop) : (True ∧ p) = p := propext ⟨And.right, fun h => ⟨trivial, h⟩⟩
@[simp] theorem and_false (p : Prop) : (p ∧ False) = False := propext ⟨And.right, False.elim⟩
@[simp] theorem false_and (p : Prop) : (False ∧ p) = False := propext ⟨And.left, False.elim⟩
@[simp] theorem and_self (p : Prop) : (p ∧ p) = p := propext ⟨And.left, fun h => ⟨h, h⟩⟩
@[simp] theorem or_true (p : Prop) : (p ∨ True) = True := propext ⟨fun _ => trivial, Or.inr⟩
@[simp] theorem true_or (p : Prop) : (True ∨ p) = True := propext ⟨fun _ => trivial, Or.inl⟩
@[simp] theorem or_false (p : Prop) : (p ∨ False) = p := propext ⟨fun h => h.elim id False.elim, Or.inl⟩
@[simp] theorem false_or (p : Prop) : (False ∨ p) = p := propext ⟨fun h => h.elim False.elim id, Or.inr⟩
@[simp] theorem or_self (p : Prop) : (p ∨ p) = p := propext ⟨fun h => h.elim id id, Or.inl⟩
@[simp] theorem iff_self (p : Prop) : (p ↔ p) = True := eq_true Iff.rfl
@[simp] theorem iff_true (p : Prop) : (p ↔ True) = p := propext ⟨fun h => h.mpr trivial, fun h => ⟨fun _ => trivial, fun _ => h⟩⟩
@[simp] theorem true_iff (p : Prop) : (True ↔ p) = p := propext ⟨fun h => h.mp trivial, fun h => ⟨fun _ => h, fun _ => trivial⟩⟩
@[simp] theorem not_true_eq_false : (¬True) = False := eq_false (fun h => h trivial)
@[simp] theorem not_false_eq_true : (¬False) = True := eq_true not_false
@[simp] theorem true_implies (p : Prop) : (True → p) = p := propext ⟨fun h => h trivial, fun h _ => h⟩
@[simp] theorem false_implies (p : Prop) : (False → p) = True := eq_true False.elim
@[simp] theorem ne_eq {α : Sort u} (x y : α) : (x ≠ y) = ¬(x = y) := rfl
@[simp] theorem forall_const (α : Sort u) [h : Nonempty α] (p : Prop) : (α → p) = p :=
  propext ⟨fun f => h.rec f, fun h _ => h⟩
instance {α : Sort u} {γ : Sort v} (r : α → γ → Sort w) : Trans Eq r r where trans h k := h ▸ k
instance {α : Sort u} {β : Sort v} (r : α → β → Sort w) : Trans r Eq r where trans h k := k ▸ h
attribute [symm] Eq.symm Iff.symm HEq.symm Ne.symm
attribute [simp] eq_self implies_true

theorem not_or : ¬(a ∨ b) ↔ ¬a ∧ ¬b :=
  ⟨fun h => ⟨fun x => h (.inl x), fun x => h (.inr x)⟩, fun h x => x.elim h.left h.right⟩
theorem not_exists {α : Sort u} {p : α → Prop} : (¬∃ x, p x) ↔ ∀ x, ¬p x :=
  ⟨fun h x k => h ⟨x, k⟩, fun h ⟨x, k⟩ => h x k⟩
theorem exists_congr {α : Sort u} {p q : α → Prop} (h : ∀ x, p x ↔ q x) : (∃ x, p x) ↔ ∃ x, q x :=
  ⟨fun ⟨x, k⟩ => ⟨x, (h x).mp k⟩, fun ⟨x, k⟩ => ⟨x, (h x).mpr k⟩⟩
theorem forall_prop_congr {p p' : Prop} (h : p = p') {q q' : Prop} (k : p' → q = q') : (p → q) = (p' → q') := by
  subst h
  exact propext ⟨fun f x => k x ▸ f x, fun f x => (k x).symm ▸ f x⟩
theorem implies_congr_ctx {p₁ p₂ q₁ q₂ : Prop} (h₁ : p₁ = p₂) (h₂ : p₂ → q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) :=
  forall_prop_congr h₁ h₂

end logic

/-! ### Decidable propositions -/

theorem decide_eq_true {p : Prop} [h : Decidable p] : p → decide p = true :=
  fun k => match h with
    | isTrue _ => rfl
    | isFalse n => absurd k n
theorem decide_eq_false {p : Prop} [h : Decidable p] : ¬p → decide p = false :=
  fun k => match h with
    | isTrue y => absurd y k
    | isFalse _ => rfl
theorem of_decide_eq_true {p : Prop} [h : Decidable p] : decide p = true → p :=
  fun k => match h with
    | isTrue y => y
    | isFalse n => Bool.noConfusion k
theorem of_decide_eq_false {p : Prop} [h : Decidable p] : decide p = false → ¬p :=
  fun k => match h with
    | isTrue y => Bool.noConfusion k
    | isFalse n => n
theorem Decidable.em (p : Prop) [h : Decidable p] : p ∨ ¬p := h.casesOn Or.inr Or.inl

instance : Decidable True := isTrue trivial
instance : Decidable False := isFalse id
instance {p q : Prop} [h : Decidable p] [k : Decidable q] : Decidable (p ∧ q) :=
  match h, k with
  | isTrue x, isTrue y => isTrue ⟨x, y⟩
  | isFalse x, _ => isFalse (fun h => x h.left)
  | _, isFalse y => isFalse (fun h => y h.right)
instance {p q : Prop} [h : Decidable p] [k : Decidable q] : Decidable (p ∨ q) :=
  match h, k with
  | isTrue x, _ => isTrue (.inl x)
  | _, isTrue y => isTrue (.inr y)
  | isFalse x, isFalse y => isFalse (fun h => h.elim x y)
instance {p : Prop} [h : Decidable p] : Decidable (¬p) :=
  match h with
  | isTrue x => isFalse (fun f => f x)
  | isFalse x => isTrue x
instance {p q : Prop} [h : Decidable p] [k : Decidable q] : Decidable (p → q) :=
  match h, k with
  | isTrue x, isTrue y => isTrue (fun _ => y)
  | isTrue x, isFalse y => isFalse (fun f => y (f x))
  | isFalse x, _ => isTrue (fun y => absurd y x)
instance {p q : Prop} [h : Decidable p] [k : Decidable q] : Decidable (p ↔ q) :=
  match h, k with
  | isTrue x, isTrue y => isTrue ⟨fun _ => y, fun _ => x⟩
  | isTrue x, isFalse y => isFalse (fun f => y (f.mp x))
  | isFalse x, isTrue y => isFalse (fun f => x (f.mpr y))
  | isFalse x, isFalse y => isTrue ⟨fun h => absurd h x, fun h => absurd h y⟩
instance : DecidableEq Bool
  | true, true => isTrue rfl
  | false, false => isTrue rfl
  | true, false => isFalse (fun h => Bool.noConfusion h)
  | false, true => isFalse (fun h => Bool.noConfusion h)
instance [DecidableEq α] : BEq α where beq a b := decide (a = b)

theorem if_pos {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t e : α} : ite c t e = t :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem if_neg {c : Prop} {h : Decidable c} (hc : ¬c) {α : Sort u} {t e : α} : ite c t e = e :=
  match h with
  | isTrue y => absurd y hc
  | isFalse _ => rfl
theorem dif_pos {c : Prop} {h : Decidable c} (hc : c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = t hc :=
  match h with
  | isTrue _ => rfl
  | isFalse n => absurd hc n
theorem dif_neg {c : Prop} {h : Decidable c} (hc : ¬c) {α : Sort u} {t : c → α} {e : ¬c → α} : dite c t e = e hc :=
  match h with
  | isTrue y => absurd y hc
  | isFalse _ => rfl
theorem ite_congr {α : Sort u} {b c : Prop} {x y u v : α} {s : Decidable b} [Decidable c] (h₁ : b = c)
    (h₂ : c → x = u) (h₃ : ¬c → y = v) : ite b x y = ite c u v := by
  cases Decidable.em c with
  | inl h => rw [if_pos h]; subst h₁; rw [if_pos h]; exact h₂ h
  | inr h => rw [if_neg h]; subst h₁; rw [if_neg h]; exact h₃ h
theorem ite_eq_left_of_eq_true {α : Sort u} {c : Prop} {_ : Decidable c} (a b : α) (h : c = True) : ite c a b = a := if_pos (of_eq_true h)
theorem ite_eq_right_of_eq_false {α : Sort u} {c : Prop} {_ : Decidable c} (a b : α) (h : c = False) : ite c a b = b := if_neg (of_eq_false h)
@[simp] theorem ite_true {α : Sort u} (a b : α) : ite True a b = a := rfl
@[simp] theorem ite_false {α : Sort u} (a b : α) : ite False a b = b := rfl

/-! ### Choice -/

namespace Classical

theorem em (p : Prop) : p ∨ ¬p :=
  let U (x : Prop) : Prop := x = True ∨ p
  let V (x : Prop) : Prop := x = False ∨ p
  have exU : ∃ x, U x := ⟨True, Or.inl rfl⟩
  have exV : ∃ x, V x := ⟨False, Or.inl rfl⟩
  have some {q : Prop → Prop} (h : ∃ x, q x) : ∃ x : Subtype q, True := h.elim fun x k => ⟨⟨x, k⟩, trivial⟩
  let pick (q : Prop → Prop) (h : ∃ x, q x) : Subtype q := choice ((some h).elim fun x _ => ⟨x⟩)
  let u : Prop := (pick U exU).val
  let v : Prop := (pick V exV).val
  have not_uv_or_p : u ≠ v ∨ p :=
    (pick U exU).property.elim
      (fun hu => (pick V exV).property.elim
        (fun hv => .inl (fun (e : u = v) => of_eq_true (hu.symm.trans (e.trans hv)).symm))
        .inr)
      .inr
  have p_implies_uv : p → u = v := fun hp =>
    have hpred : U = V := funext fun x => propext ⟨fun _ => .inr hp, fun _ => .inr hp⟩
    have h₀ : ∀ exU exV, (pick U exU).val = (pick V exV).val := hpred ▸ fun _ _ => rfl
    h₀ exU exV
  not_uv_or_p.elim (fun hne => .inr (mt p_implies_uv hne)) .inl

theorem byContradiction {p : Prop} (h : ¬p → False) : p := (em p).elim id (fun k => (h k).elim)
noncomputable scoped instance (priority := 10) propDecidable (p : Prop) : Decidable p :=
  choice ((em p).elim (fun h => ⟨isTrue h⟩) (fun h => ⟨isFalse h⟩))

end Classical

/-! ### Natural numbers -/

namespace Nat

/-- Induction whose cases are `0` and `n + 1`. -/
@[induction_eliminator] protected theorem recAux {motive : Nat → Prop} (zero : motive 0)
    (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t := Nat.rec zero succ t
@[cases_eliminator] protected theorem casesAuxOn {motive : Nat → Prop} (t : Nat) (zero : motive 0)
    (succ : ∀ n, motive (n + 1)) : motive t := Nat.casesOn t zero succ

@[simp] theorem add_zero (n : Nat) : n + 0 = n := rfl
theorem add_succ (n m : Nat) : n + succ m = succ (n + m) := rfl
@[simp] theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => show succ (0 + n) = succ n; rw [ih]
theorem succ_add (n m : Nat) : succ n + m = succ (n + m) := by
  induction m with
  | zero => rfl
  | succ m ih => show succ (succ n + m) = _; rw [ih]; rfl
theorem add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => rw [zero_add]; rfl
  | succ m ih => show succ (n + m) = succ m + n; rw [succ_add, ih]
theorem add_assoc (n m k : Nat) : n + m + k = n + (m + k) := by
  induction k with
  | zero => rfl
  | succ k ih => show succ (n + m + k) = succ (n + (m + k)); rw [ih]
theorem add_left_comm (n m k : Nat) : n + (m + k) = m + (n + k) := by
  rw [← add_assoc, add_comm n m, add_assoc]
@[simp] theorem mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem mul_succ (n m : Nat) : n * succ m = n * m + n := rfl
@[simp] theorem zero_mul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => show 0 * n + 0 = 0; rw [ih]
theorem succ_mul (n m : Nat) : succ n * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih =>
    show succ n * m + succ n = n * m + n + succ m
    rw [ih, add_succ, add_succ, add_assoc, add_assoc, add_comm m n]
theorem mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => rw [zero_mul]; rfl
  | succ m ih => show n * m + n = succ m * n; rw [succ_mul, ih]
@[simp] theorem mul_one (n : Nat) : n * 1 = n := zero_add n
@[simp] theorem one_mul (n : Nat) : 1 * n = n := by rw [mul_comm, mul_one]
theorem mul_add (n m k : Nat) : n * (m + k) = n * m + n * k := by
  induction k with
  | zero => rfl
  | succ k ih => show n * (m + k) + n = n * m + (n * k + n); rw [ih, add_assoc]
theorem add_mul (n m k : Nat) : (n + m) * k = n * k + m * k := by
  rw [mul_comm, mul_add, mul_comm k n, mul_comm k m]
theorem mul_assoc (n m k : Nat) : n * m * k = n * (m * k) := by
  induction k with
  | zero => rfl
  | succ k ih => show n * m * k + n * m = n * (m * k + m); rw [ih, mul_add]
theorem succ_ne_zero (n : Nat) : succ n ≠ 0 := fun (h : succ n = zero) => Nat.noConfusion h
theorem succ_inj {n m : Nat} (h : succ n = succ m) : n = m := congrArg pred h
theorem le_add_right (n m : Nat) : n ≤ n + m := by
  induction m with
  | zero => exact Nat.le.refl
  | succ m ih => exact Nat.le.step ih
theorem lt_irrefl (n : Nat) : ¬n < n := by
  induction n with
  | zero => exact not_lt_zero 0
  | succ n ih => exact fun h => ih (le_of_succ_le_succ h)
theorem le_antisymm {n m : Nat} (h : n ≤ m) (k : m ≤ n) : n = m := by
  cases h with
  | refl => rfl
  | step h => exact absurd (Nat.le_trans k h) (lt_irrefl _)
theorem pow_zero (n : Nat) : n ^ 0 = 1 := rfl
theorem pow_succ (n m : Nat) : n ^ succ m = n ^ m * n := rfl

end Nat

/-! ### Lists -/

namespace List

protected def append {α : Type u} : List α → List α → List α
  | .nil, ys => ys
  | .cons x xs, ys => .cons x (List.append xs ys)
def length {α : Type u} : List α → Nat
  | .nil => 0
  | .cons _ xs => length xs + 1
def map {α : Type u} {β : Type v} (f : α → β) : List α → List β
  | .nil => .nil
  | .cons x xs => .cons (f x) (map f xs)
instance {α : Type u} : Append (List α) where append := List.append

end List
