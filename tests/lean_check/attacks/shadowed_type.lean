-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target : (2 + 2 : Nat) = 5 := sorry
namespace My
inductive Nat where | one
instance : OfNat Nat n := ⟨.one⟩
instance : Add Nat := ⟨fun a _ => a⟩
theorem _root_.target : (2 + 2 : Nat) = 5 := rfl
end My
