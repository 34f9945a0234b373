-- rule: metaprogramming
-- without screening: sorry
open Lean
macro "easy" : term => do return ⟨Syntax.node2 .none `Lean.Parser.Term.app (Syntax.ident .none "".toRawSubstring' (Name.mkStr .anonymous ("sor".append "ryAx")) []) (Syntax.node2 .none `null (Syntax.node1 .none `Lean.Parser.Term.hole (.atom .none "_")) (Syntax.ident .none "".toRawSubstring' `Bool.true []))⟩
theorem target : 2 + 2 = 5 := easy
