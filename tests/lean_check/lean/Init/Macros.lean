prelude
import Init.Lemmas

/-! Coercions and monads: enough for `notation` and `macro` in a file. -/

set_option genCtorIdx false
set_option genSizeOf false
set_option linter.unusedVariables false
set_option linter.defProp false

universe u v w

/-! ## Enough for `notation` and `macro` -/

class Functor (f : Type u → Type v) where
  map {α β : Type u} : (α → β) → f α → f β
  mapConst {α β : Type u} : α → f β → f α := fun a => map (fun _ => a)
class Pure (f : Type u → Type v) where
  pure {α : Type u} : α → f α
class Seq (f : Type u → Type v) where
  seq {α β : Type u} : f (α → β) → (Unit → f α) → f β
class SeqLeft (f : Type u → Type v) where
  seqLeft {α β : Type u} : f α → (Unit → f β) → f α
class SeqRight (f : Type u → Type v) where
  seqRight {α β : Type u} : f α → (Unit → f β) → f β
class Bind (m : Type u → Type v) where
  bind {α β : Type u} : m α → (α → m β) → m β
export Pure (pure)
export Bind (bind)
class Applicative (f : Type u → Type v) extends Functor f, Pure f, Seq f, SeqLeft f, SeqRight f where
  map := fun g x => seq (pure g) (fun _ => x)
  seqLeft := fun a b => seq (map (fun x _ => x) a) b
  seqRight := fun a b => seq (map (fun _ y => y) a) b
class Monad (m : Type u → Type v) extends Applicative m, Bind m where
  map := fun g x => bind x (fun a => pure (g a))
  seq := fun g x => bind g (fun k => bind (x Unit.unit) (fun a => pure (k a)))
  seqLeft := fun a b => bind a (fun x => bind (b Unit.unit) (fun _ => pure x))
  seqRight := fun a b => bind a (fun _ => b Unit.unit)
class MonadExceptOf (ε : semiOutParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} (body : m α) (handler : ε → m α) : m α
class MonadExcept (ε : outParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
  tryCatch {α : Type v} (body : m α) (handler : ε → m α) : m α
export MonadExcept (throw tryCatch)
instance (ε : outParam (Type u)) (m : Type v → Type w) [h : MonadExceptOf ε m] : MonadExcept ε m where
  throw := h.throw
  tryCatch := h.tryCatch

/-! Coercions, as chains of one head, any number of plain ones, and one tail. -/

class Coe (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeOut (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeOTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeHead (α : Sort u) (β : semiOutParam (Sort v)) where
  coe : α → β
class CoeHTC (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeTail (α : semiOutParam (Sort u)) (β : Sort v) where
  coe : α → β
class CoeHTCT (α : Sort u) (β : Sort v) where
  coe : α → β
class CoeDep (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeT (α : Sort u) (_ : α) (β : Sort v) where
  coe : β
class CoeFun (α : Sort u) (γ : outParam (α → Sort v)) where
  coe : (f : α) → γ f
class CoeSort (α : Sort u) (β : outParam (Sort v)) where
  coe : α → β
attribute [coe_decl] Coe.coe CoeTC.coe CoeOut.coe CoeOTC.coe CoeHead.coe CoeHTC.coe CoeTail.coe CoeHTCT.coe CoeDep.coe
  CoeT.coe CoeFun.coe CoeSort.coe
section
variable {α : Sort u} {β : Sort v} {γ : Sort w}
instance [Coe β γ] [CoeTC α β] : CoeTC α γ where coe a := Coe.coe (CoeTC.coe a : β)
instance [Coe α β] : CoeTC α β where coe a := Coe.coe a
instance : CoeTC α α where coe a := a
instance [CoeOut α β] [CoeOTC β γ] : CoeOTC α γ where coe a := CoeOTC.coe (CoeOut.coe a : β)
instance [CoeTC α β] : CoeOTC α β where coe a := CoeTC.coe a
instance [CoeHead α β] [CoeOTC β γ] : CoeHTC α γ where coe a := CoeOTC.coe (CoeHead.coe a : β)
instance [CoeOTC α β] : CoeHTC α β where coe a := CoeOTC.coe a
instance [CoeTail β γ] [CoeHTC α β] : CoeHTCT α γ where coe a := CoeTail.coe (CoeHTC.coe a : β)
instance [CoeHTC α β] : CoeHTCT α β where coe a := CoeHTC.coe a
instance (a : α) [CoeDep α a β] : CoeT α a β where coe := CoeDep.coe a
instance (a : α) [CoeHTCT α β] : CoeT α a β where coe := CoeHTCT.coe a
instance (p : α → Prop) : CoeOut (Subtype p) α where coe x := x.val
instance : CoeSort Bool Prop where coe b := b = true
end

@[extern "native"] opaque String.toRawSubstring (s : String) : Substring.Raw
@[extern "native"] opaque String.toRawSubstring' (s : String) : Substring.Raw

def Array.mkArray0 {α : Type u} : Array α := ⟨List.nil⟩
def Array.mkArray1 {α : Type u} (a1 : α) : Array α := ⟨[a1]⟩
def Array.mkArray2 {α : Type u} (a1 : α) (a2 : α) : Array α := ⟨[a1, a2]⟩
def Array.mkArray3 {α : Type u} (a1 : α) (a2 : α) (a3 : α) : Array α := ⟨[a1, a2, a3]⟩
def Array.mkArray4 {α : Type u} (a1 : α) (a2 : α) (a3 : α) (a4 : α) : Array α := ⟨[a1, a2, a3, a4]⟩
def Array.mkArray5 {α : Type u} (a1 : α) (a2 : α) (a3 : α) (a4 : α) (a5 : α) : Array α := ⟨[a1, a2, a3, a4, a5]⟩
def Array.mkArray6 {α : Type u} (a1 : α) (a2 : α) (a3 : α) (a4 : α) (a5 : α) (a6 : α) : Array α := ⟨[a1, a2, a3, a4, a5, a6]⟩
def Array.mkArray7 {α : Type u} (a1 : α) (a2 : α) (a3 : α) (a4 : α) (a5 : α) (a6 : α) (a7 : α) : Array α := ⟨[a1, a2, a3, a4, a5, a6, a7]⟩
def Array.mkArray8 {α : Type u} (a1 : α) (a2 : α) (a3 : α) (a4 : α) (a5 : α) (a6 : α) (a7 : α) (a8 : α) : Array α := ⟨[a1, a2, a3, a4, a5, a6, a7, a8]⟩

namespace Lean

abbrev MacroScope := Nat
class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α : Type} : Syntax → m α → m α
class MonadQuotation (m : Type → Type) extends MonadRef m where
  getCurrMacroScope : m MacroScope
  getContext : m Name
  withFreshMacroScope {α : Type} : m α → m α
export MonadRef (getRef)
export MonadQuotation (getCurrMacroScope withFreshMacroScope)

instance monadMacroM : Monad MacroM where
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance exceptMacroM : MonadExceptOf Macro.Exception MacroM where
  throw e := fun _ s => .error e s
  tryCatch x h := fun c s => match x c s with
    | .ok a s => .ok a s
    | .error e s => h e c s
instance : Inhabited (MacroM α) where default := throw .unsupportedSyntax
instance refMacroM : MonadRef MacroM where
  getRef := fun c s => .ok c.ref s
  withRef ref x := fun c s => x { c with ref := ref } s
instance quotationMacroM : MonadQuotation MacroM where
  getCurrMacroScope := fun c s => .ok c.currMacroScope s
  getContext := fun c s => .ok c.quotContext s
  withFreshMacroScope x := fun c s => x { c with currMacroScope := s.macroScope }
    { s with macroScope := Nat.succ s.macroScope }
instance monadUnexpandM : Monad PrettyPrinter.UnexpandM where
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance exceptUnexpandM : MonadExceptOf Unit PrettyPrinter.UnexpandM where
  throw e := fun _ s => .error e s
  tryCatch x h := fun c s => match x c s with
    | .ok a s => .ok a s
    | .error e s => h e c s
instance : MonadQuotation PrettyPrinter.UnexpandM where
  getRef := fun r s => .ok r s
  withRef r x := fun _ s => x r s
  getCurrMacroScope := pure 0
  getContext := pure `_fakeMod
  withFreshMacroScope x := x

instance : Inhabited SourceInfo where default := .none
@[extern "native"] opaque Syntax.isOfKind (stx : Syntax) (k : SyntaxNodeKind) : Bool
@[extern "native"] opaque Syntax.getArg (stx : Syntax) (i : Nat) : Syntax
@[extern "native"] opaque Syntax.getArgs (stx : Syntax) : Array Syntax
@[extern "native"] opaque Syntax.getNumArgs (stx : Syntax) : Nat
@[extern "native"] opaque Syntax.getKind (stx : Syntax) : SyntaxNodeKind
@[extern "native"] opaque Syntax.matchesNull (stx : Syntax) (n : Nat) : Bool
@[extern "native"] opaque Syntax.matchesIdent (stx : Syntax) (id : Name) : Bool
@[extern "native"] opaque Syntax.node1 (info : SourceInfo) (kind : SyntaxNodeKind) (a₁ : Syntax) : Syntax
@[extern "native"] opaque Syntax.node2 (info : SourceInfo) (kind : SyntaxNodeKind) (a₁ a₂ : Syntax) : Syntax
@[extern "native"] opaque Syntax.node3 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 : Syntax) : Syntax
@[extern "native"] opaque Syntax.node4 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 : Syntax) : Syntax
@[extern "native"] opaque Syntax.node5 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 : Syntax) : Syntax
@[extern "native"] opaque Syntax.node6 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 : Syntax) : Syntax
@[extern "native"] opaque Syntax.node7 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 a7 : Syntax) : Syntax
@[extern "native"] opaque Syntax.node8 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 a7 a8 : Syntax) : Syntax
@[extern "native"] opaque SourceInfo.fromRef (ref : Syntax) (canonical : Bool) : SourceInfo
@[extern "native"] opaque addMacroScope (mainModule : Name) (n : Name) (scp : MacroScope) : Name
@[extern "native"] opaque replaceRef (ref oldRef : Syntax) : Syntax
def withRef [Monad m] [MonadRef m] {α : Type} (ref : Syntax) (x : m α) : m α :=
  bind getRef (fun old => MonadRef.withRef (replaceRef ref old) x)
def MonadRef.mkInfoFromRefPos [Monad m] [MonadRef m] : m SourceInfo :=
  bind getRef (fun ref => pure (SourceInfo.fromRef ref false))
abbrev SyntaxNodeKinds := List SyntaxNodeKind
instance : CoeOut SyntaxNodeKind SyntaxNodeKinds where coe k := List.cons k List.nil
instance {k : List SyntaxNodeKind} : CoeOut (TSyntax k) Syntax where coe s := s.raw
abbrev Term := TSyntax (List.cons `term List.nil)

end Lean
