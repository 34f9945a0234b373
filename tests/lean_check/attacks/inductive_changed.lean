-- rule: definition_differs
-- without screening: definition_differs
-- reference: inductive Even : Nat → Prop where
-- reference:   | zero : Even 0
-- reference:   | step : Even n → Even (n + 2)
-- reference: theorem target : Even 1 := sorry
inductive Even : Nat → Prop where
  | zero : Even 0
  | step : Even n → Even (n + 1)
theorem target : Even 1 := .step .zero
