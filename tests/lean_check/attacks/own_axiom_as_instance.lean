-- rule: own_axiom
-- without screening: own_axiom
axiom bad : 2 + 2 = 5
instance good : Inhabited (PLift (2 + 2 = 5)) := ⟨⟨bad⟩⟩
theorem target : 2 + 2 = 5 := (default : PLift (2 + 2 = 5)).down
