-- rule: definition_differs
-- without screening: definition_differs
-- reference: def double (n : Nat) : Nat := n + n
-- reference: theorem target : double 2 = 5 := sorry
namespace A
def double (_ : Nat) : Nat := 5
end A
open A
theorem target : double 2 = 5 := rfl
