-- rule: extern
-- without screening: lean native_decide
@[extern "lean_nat_add"] def lie (a b : Nat) : Nat := 5
theorem target : 2 + 2 = 5 := by native_decide
