-- rule: statement_differs
-- without screening: statement_differs
-- reference: universe u v
-- reference: theorem target (α : Type u) (β : Type v) (f : α → β) : f = f := sorry
universe u
theorem target (α β : Type u) (f : α → β) : f = f := rfl
