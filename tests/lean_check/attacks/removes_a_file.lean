-- rule: extern
-- without screening: lean
open Lean
instance : Inhabited (EStateM.Result String String String) := ⟨.ok default default⟩
@[extern "lean_io_remove_file"] opaque IO.FS.removeFile (path : @& String) : EStateM.Result String String String
macro "harm" : term => match IO.FS.removeFile "@PLACE@/canary" with
  | .ok _ _ => `(rfl)
  | .error _ _ => `(rfl)
theorem target : 2 + 2 = 5 := harm
