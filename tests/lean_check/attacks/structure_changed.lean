-- rule: definition_differs
-- without screening: definition_differs
-- reference: structure Group where
-- reference:   mul : Nat → Nat → Nat
-- reference:   comm : ∀ a b, mul a b = mul b a
-- reference: theorem target (g : Group) : g.mul 1 2 = g.mul 1 2 := sorry
structure Group where
  mul : Nat → Nat → Nat
  comm : True
theorem target (g : Group) : g.mul 1 2 = g.mul 1 2 := rfl
