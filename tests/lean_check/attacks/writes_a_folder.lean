-- rule: extern
-- without screening: lean
open Lean
instance : Inhabited (EStateM.Result String String String) := ⟨.ok default default⟩
@[extern "lean_io_create_dir"] opaque IO.FS.createDir (path : @& String) : EStateM.Result String String String
macro "harm" : term => match IO.FS.createDir "@PLACE@/mark" with
  | .ok _ _ => `(rfl)
  | .error _ _ => `(rfl)
theorem target : 2 + 2 = 5 := harm
