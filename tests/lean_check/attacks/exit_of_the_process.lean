-- rule: extern
-- without screening: not_read_to_the_end no_olean target_missing
open Lean
instance : Inhabited UInt8 := ⟨⟨⟨0, Nat.le_of_ble_eq_true 1 _ rfl⟩⟩⟩
instance : Inhabited (EStateM.Result String String String) := ⟨.ok default default⟩
@[extern "lean_io_exit"] opaque IO.Process.forceExit (α : Type) (code : UInt8) : EStateM.Result String String String
macro "leave" : term => match IO.Process.forceExit Unit default with
  | .ok _ _ => `(rfl)
  | .error _ _ => `(rfl)
theorem other : 2 + 2 = 4 := leave
theorem target : 2 + 2 = 5 := rfl
