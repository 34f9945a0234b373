-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target : ∃ m : Nat, ∀ n : Nat, n = m := sorry
theorem target : ∀ n : Nat, ∃ m : Nat, n = m := fun n => ⟨n, rfl⟩
