-- rule: statement_differs
-- without screening: statement_differs
-- reference: theorem target (α : Type u) (a : α) : a = a := sorry
theorem target (α : Type) (a : α) : a = a := rfl
