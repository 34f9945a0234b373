-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target.{u, v} (α : Type u) (β : Type v) (a : α) (b : β) : a = a ∧ b = b := sorry
theorem target.{u, v} (α : Type v) (β : Type u) (a : α) (b : β) : a = a ∧ b = b := ⟨rfl, rfl⟩
