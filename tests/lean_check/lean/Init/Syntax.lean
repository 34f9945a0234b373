prelude
import Init.Numbers

/-! Characters, strings, syntax and the types of macros. -/

set_option genCtorIdx false
set_option genSizeOf false
set_option linter.unusedVariables false
set_option linter.defProp false
set_option bootstrap.inductiveCheckResultingUniverse false
set_option checkBinderAnnotations false

universe u v w

/-! ## Characters, strings and syntax: their layout is the one of Lean's compiled code -/

structure Fin (n : Nat) where
  mk ::
  val : Nat
  isLt : LT.lt val n

structure BitVec (w : Nat) where
  ofFin ::
  toFin : Fin (Nat.pow 2 w)

structure UInt8 where
  ofBitVec ::
  toBitVec : BitVec 8
structure UInt16 where
  ofBitVec ::
  toBitVec : BitVec 16
structure UInt32 where
  ofBitVec ::
  toBitVec : BitVec 32
structure UInt64 where
  ofBitVec ::
  toBitVec : BitVec 64
structure USize where
  ofBitVec ::
  toBitVec : BitVec 64

instance : Inhabited UInt64 where default := ⟨⟨⟨0, Nat.le_of_ble_eq_true 1 _ rfl⟩⟩⟩
instance : Inhabited UInt32 where default := ⟨⟨⟨0, Nat.le_of_ble_eq_true 1 _ rfl⟩⟩⟩

structure Char where
  val : UInt32
  valid : True

instance : Inhabited Char where default := ⟨default, trivial⟩
@[extern "l_Char_ofNat"] opaque Char.ofNat (n : Nat) : Char

structure ByteArray where
  data : Array UInt8

instance {α : Type u} : Inhabited (List α) where default := List.nil
instance {α : Type u} : Inhabited (Array α) where default := ⟨List.nil⟩
instance : Inhabited ByteArray where default := ⟨default⟩

structure String where
  ofByteArray ::
  toByteArray : ByteArray
  isValidUTF8 : True

instance : Inhabited String where default := ⟨default, trivial⟩
@[extern "lean_string_mk"] opaque String.ofList (data : List Char) : String
@[extern "lean_string_append"] opaque String.append (a b : String) : String
@[extern "lean_string_dec_eq"] opaque String.beq (a b : String) : Bool

structure String.Pos.Raw where
  byteIdx : Nat

structure Substring.Raw where
  str : String
  startPos : String.Pos.Raw
  stopPos : String.Pos.Raw

instance : Inhabited Substring.Raw where default := ⟨default, ⟨0⟩, ⟨0⟩⟩

@[extern "lean_uint64_of_nat"] opaque UInt64.ofNat (n : Nat) : UInt64
@[extern "lean_uint64_mix_hash"] opaque mixHash (a b : UInt64) : UInt64
@[extern "lean_string_hash"] opaque String.hash (s : @& String) : UInt64

namespace Lean

inductive Name where
  | anonymous : Name
  | str (pre : Name) (str : String)
  | num (pre : Name) (i : Nat)
with
  @[computed_field] hash : Name → UInt64
    | .anonymous => UInt64.ofNat 1723
    | .str p s => mixHash p.hash s.hash
    | .num p v => mixHash p.hash (UInt64.ofNat v)

instance : Inhabited Name where default := Name.anonymous
abbrev Name.mkStr (p : Name) (s : String) : Name := Name.str p s
abbrev Name.mkNum (p : Name) (i : Nat) : Name := Name.num p i
abbrev Name.mkSimple (s : String) : Name := .str .anonymous s
abbrev Name.mkStr1 (s₁ : String) : Name := .str .anonymous s₁
abbrev Name.mkStr2 (s₁ s₂ : String) : Name := .str (Name.mkStr1 s₁) s₂
abbrev Name.mkStr3 (s₁ s₂ s₃ : String) : Name := .str (Name.mkStr2 s₁ s₂) s₃
abbrev Name.mkStr4 (s₁ s₂ s₃ s₄ : String) : Name := .str (Name.mkStr3 s₁ s₂ s₃) s₄
abbrev Name.mkStr5 (s₁ s₂ s₃ s₄ s₅ : String) : Name := .str (Name.mkStr4 s₁ s₂ s₃ s₄) s₅

inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : String.Pos.Raw) (trailing : Substring.Raw) (endPos : String.Pos.Raw)
  | synthetic (pos : String.Pos.Raw) (endPos : String.Pos.Raw) (canonical : Bool)
  | none

abbrev SyntaxNodeKind := Name

inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)

inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : SyntaxNodeKind) (args : Array Syntax) : Syntax
  | atom (info : SourceInfo) (val : String) : Syntax
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved) : Syntax

instance : Inhabited Syntax where default := .missing

structure TSyntax (ks : List SyntaxNodeKind) where
  raw : Syntax

inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p₁ p₂ : ParserDescr)
  | node (kind : SyntaxNodeKind) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : SyntaxNodeKind) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : SyntaxNodeKind) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)

structure Parser.Category where

abbrev TrailingParserDescr := ParserDescr
instance : Inhabited ParserDescr where default := .symbol default

end Lean

inductive EStateM.Result (ε σ α : Type u) where
  | ok (a : α) (s : σ) : Result ε σ α
  | error (e : ε) (s : σ) : Result ε σ α

def EStateM (ε σ α : Type u) := σ → EStateM.Result ε σ α
def ReaderT (ρ : Type u) (m : Type u → Type v) (α : Type u) : Type (max u v) := ρ → m α

namespace Lean

opaque Macro.MethodsRef : Type
structure Macro.Context where
  methods : Macro.MethodsRef
  quotContext : Name
  currMacroScope : Nat
  currRecDepth : Nat
  maxRecDepth : Nat
  ref : Syntax
inductive Macro.Exception where
  | error (ref : Syntax) (message : String)
  | unsupportedSyntax
structure Macro.State where
  macroScope : Nat
  traceMsgs : List (Prod Name String)
  expandedMacroDecls : List Name
abbrev MacroM : Type → Type := ReaderT Macro.Context (EStateM Macro.Exception Macro.State)
abbrev Macro : Type := Syntax → MacroM Syntax
instance : Inhabited Macro where default := fun s _ t => .ok s t
abbrev PrettyPrinter.UnexpandM : Type → Type := ReaderT Syntax (EStateM Unit Unit)
abbrev PrettyPrinter.Unexpander : Type := Syntax → PrettyPrinter.UnexpandM Syntax
instance : Inhabited PrettyPrinter.Unexpander where default := fun s _ t => .ok s t

end Lean
