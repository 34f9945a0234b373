-- rule: definition_differs
-- without screening: definition_differs
-- reference: def Prime (n : Nat) : Prop := ∀ m, ∀ k, n = m * k → m = 1 ∨ k = 1
-- reference: theorem target : Prime 4 := sorry
def Prime (_ : Nat) : Prop := True
theorem target : Prime 4 := trivial
