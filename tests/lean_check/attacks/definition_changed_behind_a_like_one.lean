-- rule: definition_differs
-- without screening: definition_differs
-- reference: def less : Nat → Nat
-- reference:   | 0 => 0
-- reference:   | k + 1 => k
-- reference: theorem target : less 3 = 3 := sorry
def first : Nat → Nat
  | 0 => 0
  | k + 1 => k
def less : Nat → Nat
  | 0 => 0
  | k + 1 => k + 1
theorem target : less 3 = 3 := rfl
