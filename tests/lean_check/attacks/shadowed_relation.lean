-- rule: definition_differs
-- without screening: definition_differs
-- reference: def Even (n : Nat) : Prop := ∃ k, n = 2 * k
-- reference: theorem target : Even 3 := sorry
namespace My
def Even (_ : Nat) : Prop := True
open My
theorem _root_.target : Even 3 := trivial
end My
