-- rule: implemented_by
-- without screening: lean native_decide
def truth : Bool := true
@[implemented_by truth] def lie : Bool := false
theorem target : 2 + 2 = 5 := by native_decide
