-- rule: notation
-- without screening: lean
unif_hint (a b : Nat) where ⊢ a + b ≟ 5
theorem target : 2 + 2 = 5 := rfl
