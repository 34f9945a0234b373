-- rule: own_axiom
-- without screening: own_axiom
namespace A
private axiom bad : ∀ p : Prop, p
end A
theorem target : 2 + 2 = 5 := A.bad _
