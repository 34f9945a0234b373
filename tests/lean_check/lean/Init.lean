prelude
import Init.Macros

/-! A small library of the tests: what Lean 4.35 asks for before ordinary small files work.  It is neither Lean's own
`Init` nor Mathlib, and it is compiled in tests only, where the packaged Lean is installed. -/
