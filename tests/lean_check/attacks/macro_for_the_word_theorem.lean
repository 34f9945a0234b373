-- rule: metaprogramming
-- without screening: target_missing not_a_theorem statement_differs
macro (priority := 5000) "theorem" x:ident ":" t:term ":=" "rfl" : command => `(def $x:ident : Prop := $t)
theorem target : 2 + 2 = 5 := rfl
