-- rule: statement_differs
-- without screening: statement_differs lean
-- reference: theorem target (a b : Nat) : a = b := sorry
set_option autoImplicit true
theorem target (a b : ℕ) : a = a := rfl
