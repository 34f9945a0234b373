-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target (n : Nat) : (match n with | 0 => 0 | k + 1 => k) = 0 := sorry
noncomputable def target.match_1.{u} (motive : Nat → Sort u) (n : Nat) (h₁ : (_ : Unit) → motive Nat.zero)
    (h₂ : (k : Nat) → motive k.succ) : motive n := Nat.rec (h₁ ()) (fun k _ => h₂ k) n
def same (n : Nat) : Nat := n
theorem target (n : Nat) : target.match_1 (fun _ => Nat) (same 0) (fun _ => 0) (fun k => k) = 0 := rfl
