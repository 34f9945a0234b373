-- rule: definition_differs
-- without screening: definition_differs
-- reference: structure V where
-- reference:   x : Nat
-- reference: instance instAddV : Add V := ⟨fun a b => ⟨a.x + b.x⟩⟩
-- reference: theorem target (a b : V) : (a + b).x = a.x := sorry
structure V where
  x : Nat
instance instAddV : Add V := ⟨fun a _ => a⟩
theorem target (a b : V) : (a + b).x = a.x := rfl
