prelude
import Init.Syntax

/-! Notation and tactics.  Each line is bare: Lean runs its own compiled code for a constant of that name. -/

universe u v w

section
open Lean (ParserDescr TrailingParserDescr Macro)
open Lean.PrettyPrinter (Unexpander)

@[term_parser] opaque «term_∧_» : TrailingParserDescr
@[macro «term_∧_»] opaque «_aux_Init_Notation___macroRules_term_∧__1» : Macro
@[app_unexpander And] opaque «_aux_Init_Notation___unexpand_And_1» : Unexpander
@[term_parser] opaque «term_∨_» : TrailingParserDescr
@[macro «term_∨_»] opaque «_aux_Init_Notation___macroRules_term_∨__1» : Macro
@[app_unexpander Or] opaque «_aux_Init_Notation___unexpand_Or_1» : Unexpander
@[term_parser] opaque «term_↔_» : TrailingParserDescr
@[macro «term_↔_»] opaque «_aux_Init_Core___macroRules_term_↔__1» : Macro
@[app_unexpander Iff] opaque «_aux_Init_Core___unexpand_Iff_1» : Unexpander
@[app_unexpander Iff] opaque «_aux_Init_Core___unexpand_Iff_2» : Unexpander
@[term_parser] opaque «term_=_» : TrailingParserDescr
@[macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__1» : Macro
@[macro «term_=_»] opaque «_aux_Init_Notation___macroRules_term_=__2» : Macro
@[app_unexpander Eq] opaque «_aux_Init_Notation___unexpand_Eq_1» : Unexpander
@[term_parser] opaque «term_≠_» : TrailingParserDescr
@[macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__1» : Macro
@[macro «term_≠_»] opaque «_aux_Init_Core___macroRules_term_≠__2» : Macro
@[app_unexpander Ne] opaque «_aux_Init_Core___unexpand_Ne_1» : Unexpander
@[term_parser] opaque «term_≤_» : TrailingParserDescr
@[macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__1» : Macro
@[macro «term_≤_»] opaque «_aux_Init_Notation___macroRules_term_≤__2» : Macro
@[app_unexpander LE.le] opaque «_aux_Init_Notation___unexpand_LE_le_1» : Unexpander
@[app_unexpander LE.le] opaque «_aux_Init_Notation___unexpand_LE_le_2» : Unexpander
@[term_parser] opaque «term_<=_» : TrailingParserDescr
@[macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__1» : Macro
@[macro «term_<=_»] opaque «_aux_Init_Notation___macroRules_term_<=__2» : Macro
@[term_parser] opaque «term_<_» : TrailingParserDescr
@[macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__1» : Macro
@[macro «term_<_»] opaque «_aux_Init_Notation___macroRules_term_<__2» : Macro
@[app_unexpander LT.lt] opaque «_aux_Init_Notation___unexpand_LT_lt_1» : Unexpander
@[term_parser] opaque «term_≥_» : TrailingParserDescr
@[macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__1» : Macro
@[macro «term_≥_»] opaque «_aux_Init_Notation___macroRules_term_≥__2» : Macro
@[app_unexpander GE.ge] opaque «_aux_Init_Notation___unexpand_GE_ge_1» : Unexpander
@[app_unexpander GE.ge] opaque «_aux_Init_Notation___unexpand_GE_ge_2» : Unexpander
@[term_parser] opaque «term_>_» : TrailingParserDescr
@[macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__1» : Macro
@[macro «term_>_»] opaque «_aux_Init_Notation___macroRules_term_>__2» : Macro
@[app_unexpander GT.gt] opaque «_aux_Init_Notation___unexpand_GT_gt_1» : Unexpander
@[term_parser] opaque «term_>=_» : TrailingParserDescr
@[macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__1» : Macro
@[macro «term_>=_»] opaque «_aux_Init_Notation___macroRules_term_>=__2» : Macro
@[term_parser] opaque «term_+_» : TrailingParserDescr
@[macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__1» : Macro
@[macro «term_+_»] opaque «_aux_Init_Notation___macroRules_term_+__2» : Macro
@[app_unexpander HAdd.hAdd] opaque «_aux_Init_Notation___unexpand_HAdd_hAdd_1» : Unexpander
@[term_parser] opaque «term_-_» : TrailingParserDescr
@[macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__1» : Macro
@[macro «term_-_»] opaque «_aux_Init_Notation___macroRules_term_-__2» : Macro
@[app_unexpander HSub.hSub] opaque «_aux_Init_Notation___unexpand_HSub_hSub_1» : Unexpander
@[term_parser] opaque «term_*_» : TrailingParserDescr
@[macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__1» : Macro
@[macro «term_*_»] opaque «_aux_Init_Notation___macroRules_term_*__2» : Macro
@[app_unexpander HMul.hMul] opaque «_aux_Init_Notation___unexpand_HMul_hMul_1» : Unexpander
@[term_parser] opaque «term_/_» : TrailingParserDescr
@[macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__1» : Macro
@[macro «term_/_»] opaque «_aux_Init_Notation___macroRules_term_/__2» : Macro
@[app_unexpander HDiv.hDiv] opaque «_aux_Init_Notation___unexpand_HDiv_hDiv_1» : Unexpander
@[term_parser] opaque «term_%_» : TrailingParserDescr
@[macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__1» : Macro
@[macro «term_%_»] opaque «_aux_Init_Notation___macroRules_term_%__2» : Macro
@[app_unexpander HMod.hMod] opaque «_aux_Init_Notation___unexpand_HMod_hMod_1» : Unexpander
@[term_parser] opaque «term_^_» : TrailingParserDescr
@[macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__1» : Macro
@[macro «term_^_»] opaque «_aux_Init_Notation___macroRules_term_^__2» : Macro
@[app_unexpander HPow.hPow] opaque «_aux_Init_Notation___unexpand_HPow_hPow_1» : Unexpander
@[term_parser] opaque «term_++_» : TrailingParserDescr
@[macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__1» : Macro
@[macro «term_++_»] opaque «_aux_Init_Notation___macroRules_term_++__2» : Macro
@[app_unexpander HAppend.hAppend] opaque «_aux_Init_Notation___unexpand_HAppend_hAppend_1» : Unexpander
@[term_parser] opaque «term_::_» : TrailingParserDescr
@[macro «term_::_»] opaque «_aux_Init_Notation___macroRules_term_::__1» : Macro
@[app_unexpander List.cons] opaque «_aux_Init_Notation___unexpand_List_cons_1» : Unexpander
@[term_parser] opaque «term_∘_» : TrailingParserDescr
@[macro «term_∘_»] opaque «_aux_Init_Notation___macroRules_term_∘__1» : Macro
@[app_unexpander Function.comp] opaque «_aux_Init_Notation___unexpand_Function_comp_1» : Unexpander
@[term_parser] opaque «term_&&_» : TrailingParserDescr
@[macro «term_&&_»] opaque «_aux_Init_Notation___macroRules_term_&&__1» : Macro
@[app_unexpander Bool.and] opaque «_aux_Init_Notation___unexpand_Bool_and_1» : Unexpander
@[term_parser] opaque «term_||_» : TrailingParserDescr
@[macro «term_||_»] opaque «_aux_Init_Notation___macroRules_term_||__1» : Macro
@[app_unexpander Bool.or] opaque «_aux_Init_Notation___unexpand_Bool_or_1» : Unexpander
@[term_parser] opaque «term_∣_» : TrailingParserDescr
@[macro «term_∣_»] opaque «_aux_Init_Notation___macroRules_term_∣__1» : Macro
@[app_unexpander Dvd.dvd] opaque «_aux_Init_Notation___unexpand_Dvd_dvd_1» : Unexpander
@[term_parser] opaque «term_×_» : TrailingParserDescr
@[macro «term_×_»] opaque «_aux_Init_Notation___macroRules_term_×__1» : Macro
@[app_unexpander Prod] opaque «_aux_Init_Notation___unexpand_Prod_1» : Unexpander
@[term_parser] opaque «term_≍_» : TrailingParserDescr
@[macro «term_≍_»] opaque «_aux_Init_Notation___macroRules_term_≍__1» : Macro
@[app_unexpander HEq] opaque «_aux_Init_Notation___unexpand_HEq_1» : Unexpander
@[term_parser] opaque «term_==_» : TrailingParserDescr
@[macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__1» : Macro
@[macro «term_==_»] opaque «_aux_Init_Notation___macroRules_term_==__2» : Macro
@[app_unexpander BEq.beq] opaque «_aux_Init_Notation___unexpand_BEq_beq_1» : Unexpander
@[term_parser] opaque «term_!=_» : TrailingParserDescr
@[macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__1» : Macro
@[macro «term_!=_»] opaque «_aux_Init_Core___macroRules_term_!=__2» : Macro
@[app_unexpander bne] opaque «_aux_Init_Core___unexpand_bne_1» : Unexpander
@[term_parser] opaque «term_<->_» : TrailingParserDescr
@[macro «term_<->_»] opaque «_aux_Init_Core___macroRules_term_<->__1» : Macro
@[term_parser] opaque «term_|>_» : TrailingParserDescr
@[macro «term_|>_»] opaque «_aux_Init_Notation___macroRules_term_|>__1» : Macro
@[term_parser] opaque «term_<|_» : TrailingParserDescr
@[macro «term_<|_»] opaque «_aux_Init_Notation___macroRules_term_<|__1» : Macro
@[term_parser] opaque «term_$__» : TrailingParserDescr
@[macro «term_$__»] opaque «_aux_Init_Notation___macroRules_term_$___1» : Macro
@[term_parser] opaque «term¬_» : ParserDescr
@[macro «term¬_»] opaque «_aux_Init_Notation___macroRules_term¬__1» : Macro
@[term_parser] opaque «term!_» : ParserDescr
@[macro «term!_»] opaque «_aux_Init_Notation___macroRules_term!__1» : Macro
@[term_parser] opaque «termIfThenElse» : ParserDescr
@[macro «termIfThenElse»] opaque «_aux_Init_Notation___macroRules_termIfThenElse_1» : Macro
@[term_parser] opaque «termDepIfThenElse» : ParserDescr
@[macro «termDepIfThenElse»] opaque «_aux_Init_Notation___macroRules_termDepIfThenElse_1» : Macro
@[term_parser] opaque «term{_:_//_}» : ParserDescr
@[macro «term{_:_//_}»] opaque «_aux_Init_Notation___macroRules_term{_:_//_}_1» : Macro
@[term_parser] opaque «term‹_›» : ParserDescr
@[macro «term‹_›»] opaque «_aux_Init_Tactics___macroRules_term‹_›_1» : Macro
@[term_parser] opaque «term[_]» : ParserDescr
@[term_parser] opaque «termIfLet» : ParserDescr
@[macro «termIfLet»] opaque «_aux_Init_Notation___macroRules_termIfLet_1» : Macro
@[term_parser] opaque «boolIfThenElse» : ParserDescr
@[macro «boolIfThenElse»] opaque «_aux_Init_Notation___macroRules_boolIfThenElse_1» : Macro
@[term_parser] opaque «term∃_,_» : ParserDescr
@[macro «term∃_,_»] opaque «_aux_Init_NotationExtra___macroRules_term∃_,__1» : Macro
@[term_parser] opaque «termExists_,_» : ParserDescr
@[macro «termExists_,_»] opaque «_aux_Init_NotationExtra___macroRules_termExists_,__1» : Macro
@[term_parser] opaque «term-_» : ParserDescr
@[macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__1» : Macro
@[macro «term-_»] opaque «_aux_Init_Notation___macroRules_term-__2» : Macro
@[app_unexpander Not] opaque «_aux_Init_Notation___unexpand_Not_1» : Unexpander
@[app_unexpander Bool.not] opaque «_aux_Init_Notation___unexpand_Bool_not_1» : Unexpander
@[app_unexpander Neg.neg] opaque «_aux_Init_Notation___unexpand_Neg_neg_1» : Unexpander

@[macro «term[_]»] opaque Lean.«_aux_Init_Data_List_Notation___macroRules_term[_]_1» : Macro
@[prio_parser] opaque prioLow : ParserDescr
@[macro prioLow] opaque _aux_Init_Notation___macroRules_prioLow_1 : Macro
@[prio_parser] opaque prioHigh : ParserDescr
@[macro prioHigh] opaque _aux_Init_Notation___macroRules_prioHigh_1 : Macro
@[attr_parser] opaque Lean.Parser.Attr.simp : ParserDescr
@[attr_parser] opaque Lean.Parser.Attr.ext : ParserDescr
@[term_parser] opaque Lean.calc : ParserDescr
@[tactic_parser] opaque Lean.calcTactic : ParserDescr
@[tactic_parser] opaque Lean.cdot : ParserDescr
@[tactic_parser] opaque «tacticBy_cases_:_» : ParserDescr
@[macro «tacticBy_cases_:_»] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__1» : Macro
@[macro «tacticBy_cases_:_»] opaque «_aux_Init_ByCases___macroRules_tacticBy_cases_:__2» : Macro
@[tactic_parser] opaque tacticFunext___ : ParserDescr
@[macro tacticFunext___] opaque _aux_Init_NotationExtra___macroRules_tacticFunext____1 : Macro
opaque Lean.calcFirstStep : ParserDescr
opaque Lean.calcStep : ParserDescr
opaque Lean.calcSteps : ParserDescr
opaque Lean.cdotTk : ParserDescr
opaque Lean.binderIdent : ParserDescr
opaque Lean.explicitBinders : ParserDescr
opaque Lean.unbracketedExplicitBinders : ParserDescr
opaque Lean.bracketedExplicitBinders : ParserDescr

namespace Lean.Parser.Tactic

declare_syntax_cat rcasesPat
declare_syntax_cat rintroPat

@[tactic_parser] opaque «intro» : ParserDescr
@[tactic_parser] opaque «intros» : ParserDescr
@[tactic_parser] opaque «apply» : ParserDescr
@[tactic_parser] opaque «exact» : ParserDescr
@[tactic_parser] opaque «refine» : ParserDescr
@[tactic_parser] opaque «refine'» : ParserDescr
@[tactic_parser] opaque «constructor» : ParserDescr
@[tactic_parser] opaque «assumption» : ParserDescr
@[tactic_parser] opaque «contradiction» : ParserDescr
@[tactic_parser] opaque «falseOrByContra» : ParserDescr
@[tactic_parser] opaque «induction» : ParserDescr
@[tactic_parser] opaque «cases» : ParserDescr
@[tactic_parser] opaque «rwSeq» : ParserDescr
@[macro «rwSeq»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_rwSeq_1» : Macro
@[tactic_parser] opaque «rewriteSeq» : ParserDescr
@[tactic_parser] opaque «simp» : ParserDescr
@[tactic_parser] opaque «simpAll» : ParserDescr
@[tactic_parser] opaque «dsimp» : ParserDescr
@[tactic_parser] opaque «simpa» : ParserDescr
@[tactic_parser] opaque «unfold» : ParserDescr
@[tactic_parser] opaque «show» : ParserDescr
@[tactic_parser] opaque «decide» : ParserDescr
@[tactic_parser] opaque «exact?» : ParserDescr
@[tactic_parser] opaque «paren» : ParserDescr
@[tactic_parser] opaque «case» : ParserDescr
@[tactic_parser] opaque «case'» : ParserDescr
@[tactic_parser] opaque «done» : ParserDescr
@[tactic_parser] opaque «skip» : ParserDescr
@[tactic_parser] opaque «first» : ParserDescr
@[tactic_parser] opaque «focus» : ParserDescr
@[tactic_parser] opaque «allGoals» : ParserDescr
@[tactic_parser] opaque «anyGoals» : ParserDescr
@[tactic_parser] opaque «subst» : ParserDescr
@[tactic_parser] opaque «change» : ParserDescr
@[tactic_parser] opaque «generalize» : ParserDescr
@[tactic_parser] opaque «specialize» : ParserDescr
@[tactic_parser] opaque «clear» : ParserDescr
@[tactic_parser] opaque «revert» : ParserDescr
@[tactic_parser] opaque «rename» : ParserDescr
@[tactic_parser] opaque «renameI» : ParserDescr
@[tactic_parser] opaque «rcases» : ParserDescr
@[tactic_parser] opaque «obtain» : ParserDescr
@[tactic_parser] opaque «rintro» : ParserDescr
@[tactic_parser] opaque «split» : ParserDescr
@[tactic_parser] opaque «injection» : ParserDescr
@[tactic_parser] opaque «injections» : ParserDescr
@[tactic_parser] opaque «left» : ParserDescr
@[tactic_parser] opaque «right» : ParserDescr
@[tactic_parser] opaque «symm» : ParserDescr
@[tactic_parser] opaque «tacticExfalso» : ParserDescr
@[macro «tacticExfalso»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExfalso_1» : Macro
@[tactic_parser] opaque «tacticTrivial» : ParserDescr
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_1» : Macro
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_2» : Macro
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_3» : Macro
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_4» : Macro
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_5» : Macro
@[macro «tacticTrivial»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTrivial_6» : Macro
@[tactic_parser] opaque «acRfl» : ParserDescr
@[tactic_parser] opaque «tacticNomatch_,,» : ParserDescr
@[macro «tacticNomatch_,,»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNomatch_,,_1» : Macro
@[tactic_parser] opaque «tacticNofun» : ParserDescr
@[macro «tacticNofun»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNofun_1» : Macro
@[tactic_parser] opaque «letrec» : ParserDescr
@[macro «letrec»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_letrec_1» : Macro
@[tactic_parser] opaque «tacticRfl» : ParserDescr
@[macro «tacticRfl»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_1» : Macro
@[macro «tacticRfl»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_2» : Macro
@[macro «tacticRfl»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl_3» : Macro
@[tactic_parser] opaque «tacticRfl'» : ParserDescr
@[macro «tacticRfl'»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRfl'_1» : Macro
@[tactic_parser] opaque «eqRefl» : ParserDescr
@[tactic_parser] opaque «applyRfl» : ParserDescr
@[tactic_parser] opaque «omega» : ParserDescr
@[tactic_parser] opaque «nativeDecide» : ParserDescr
@[tactic_parser] opaque «tacticHave__» : ParserDescr
@[macro «tacticHave__»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave___1» : Macro
@[tactic_parser] opaque «tacticHave'» : ParserDescr
@[macro «tacticHave'»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHave'_1» : Macro
@[tactic_parser] opaque «tacticHaveI__» : ParserDescr
@[macro «tacticHaveI__»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticHaveI___1» : Macro
@[tactic_parser] opaque «tacticLet__» : ParserDescr
@[macro «tacticLet__»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet___1» : Macro
@[tactic_parser] opaque «tacticLet'__» : ParserDescr
@[macro «tacticLet'__»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticLet'___1» : Macro
@[tactic_parser] opaque «tacticSuffices_» : ParserDescr
@[macro «tacticSuffices_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSuffices__1» : Macro
@[tactic_parser] opaque «tacticRefine_lift_» : ParserDescr
@[macro «tacticRefine_lift_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift__1» : Macro
@[tactic_parser] opaque «tacticRefine_lift'_» : ParserDescr
@[macro «tacticRefine_lift'_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticRefine_lift'__1» : Macro
@[tactic_parser] opaque «tacticTry_» : ParserDescr
@[macro «tacticTry_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticTry__1» : Macro
@[tactic_parser] opaque «tactic_<;>_» : TrailingParserDescr
@[macro «tactic_<;>_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tactic_<;>__1» : Macro
@[tactic_parser] opaque «tacticRepeat_» : ParserDescr
@[tactic_parser] opaque «tacticExists_,,» : ParserDescr
@[macro «tacticExists_,,»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticExists_,,_1» : Macro
@[tactic_parser] opaque «tacticAdmit» : ParserDescr
@[macro «tacticAdmit»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAdmit_1» : Macro
@[tactic_parser] opaque «tacticSorry» : ParserDescr
@[macro «tacticSorry»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticSorry_1» : Macro
@[tactic_parser] opaque «tacticInfer_instance» : ParserDescr
@[macro «tacticInfer_instance»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticInfer_instance_1» : Macro
@[tactic_parser] opaque «tacticAnd_intros» : ParserDescr
@[macro «tacticAnd_intros»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticAnd_intros_1» : Macro
@[tactic_parser] opaque «tacticNext_=>_» : ParserDescr
@[macro «tacticNext_=>_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticNext_=>__1» : Macro
@[tactic_parser] opaque «withReducible» : ParserDescr
@[tactic_parser] opaque «withReducibleAndInstances» : ParserDescr
@[tactic_parser] opaque «withUnfoldingAll» : ParserDescr
@[tactic_parser] opaque «delta» : ParserDescr
@[tactic_parser] opaque «fail» : ParserDescr
@[tactic_parser] opaque «failIfSuccess» : ParserDescr
@[tactic_parser] opaque «tacIfThenElse» : ParserDescr
@[macro «tacIfThenElse»] opaque «_aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacIfThenElse_1» : Macro
@[tactic_parser] opaque «tacDepIfThenElse» : ParserDescr
@[macro «tacDepIfThenElse»] opaque «_aux_Init_TacticsExtra___macroRules_Lean_Parser_Tactic_tacDepIfThenElse_1» : Macro
@[tactic_parser] opaque «tacticStop_» : ParserDescr
@[macro «tacticStop_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticStop__1» : Macro
@[tactic_parser] opaque «tacticUnhygienic_» : ParserDescr
@[macro «tacticUnhygienic_»] opaque «_aux_Init_Tactics___macroRules_Lean_Parser_Tactic_tacticUnhygienic__1» : Macro
@[tactic_parser] opaque «congr» : ParserDescr
@[tactic_parser] opaque «exposeNames» : ParserDescr
@[tactic_parser] opaque «sleep» : ParserDescr
@[tactic_parser] opaque «traceState» : ParserDescr
@[tactic_parser] opaque «traceMessage» : ParserDescr
@[tactic_parser] opaque «runTac» : ParserDescr
@[tactic_parser] opaque «rotateLeft» : ParserDescr
@[tactic_parser] opaque «rotateRight» : ParserDescr
@[tactic_parser] opaque «tacticErw___» : ParserDescr
@[macro «tacticErw___»] opaque «_aux_Init_Meta___macroRules_Lean_Parser_Tactic_tacticErw____1» : Macro
@[tactic_parser] opaque «rwa» : ParserDescr
@[tactic_parser] opaque «replace» : ParserDescr
@[tactic_parser] opaque «repeat'» : ParserDescr
@[tactic_parser] opaque «repeat1'» : ParserDescr
@[tactic_parser] opaque «classical» : ParserDescr
@[tactic_parser] opaque «solveByElim» : ParserDescr
@[tactic_parser] opaque «simpTrace» : ParserDescr
@[tactic_parser] opaque «simpAllTrace» : ParserDescr

opaque «config» : ParserDescr
opaque «configItem» : ParserDescr
opaque «posConfigItem» : ParserDescr
opaque «negConfigItem» : ParserDescr
opaque «valConfigItem» : ParserDescr
opaque «optConfig» : ParserDescr
opaque «location» : ParserDescr
opaque «locationWildcard» : ParserDescr
opaque «locationHyp» : ParserDescr
opaque «locationType» : ParserDescr
opaque «rwRule» : ParserDescr
opaque «rwRuleSeq» : ParserDescr
opaque «simpPre» : ParserDescr
opaque «simpPost» : ParserDescr
opaque «simpLemma» : ParserDescr
opaque «simpErase» : ParserDescr
opaque «simpStar» : ParserDescr
opaque «simpArg» : ParserDescr
opaque «dsimpArg» : ParserDescr
opaque «simpArgs» : ParserDescr
opaque «dsimpArgs» : ParserDescr
opaque «discharger» : ParserDescr
opaque «inductionAlt» : ParserDescr
opaque «inductionAltLHS» : ParserDescr
opaque «inductionAlts» : ParserDescr
opaque «elimTarget» : ParserDescr
opaque «caseArg» : ParserDescr
opaque «generalizeArg» : ParserDescr
opaque «matchAlts» : ParserDescr
opaque «simpaArgsRest» : ParserDescr
opaque «rcasesPatMed» : ParserDescr
opaque «rcasesPatLo» : ParserDescr
opaque «tacticSeq» : ParserDescr

@[rcasesPat_parser] opaque rcasesPat.one : ParserDescr
@[rcasesPat_parser] opaque rcasesPat.ignore : ParserDescr
@[rcasesPat_parser] opaque rcasesPat.clear : ParserDescr
@[rcasesPat_parser] opaque rcasesPat.explicit : ParserDescr
@[rcasesPat_parser] opaque rcasesPat.tuple : ParserDescr
@[rcasesPat_parser] opaque rcasesPat.paren : ParserDescr
@[rintroPat_parser] opaque rintroPat.one : ParserDescr
@[rintroPat_parser] opaque rintroPat.binder : ParserDescr

end Lean.Parser.Tactic

end
