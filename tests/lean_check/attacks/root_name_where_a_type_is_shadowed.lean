-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target (a b : Nat) : a = b := sorry
namespace Other
def Nat : Type := Unit
theorem _root_.target (a b : Nat) : a = b := rfl
end Other
