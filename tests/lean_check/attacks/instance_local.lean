-- rule: statement_differs
-- without screening: statement_differs
def bad : Add Nat := ⟨fun _ _ => 5⟩
section
attribute [local instance 5000] bad
theorem target : 2 + 2 = 5 := rfl
end
