-- rule: definition_differs
-- without screening: definition_differs
-- reference: def even (n : Nat) : Prop := ∃ k, n = 2 * k
-- reference: theorem target : even 4 := sorry
def even (n : Nat) : Prop := ∃ k, n = n - n + 2 * k
theorem target : even 4 := ⟨2, rfl⟩
