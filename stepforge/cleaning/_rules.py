"""The rules in the order in which they are applied: characters, LaTeX, lines, words, signs, numbers, white space.

Each is linear in the text, and leaves a text that it has changed as it is.  Nothing mathematical is changed without a
trace.
"""

from stepforge.cleaning import _characters, _geometry, _latex, _layout, _numbers, _words
from stepforge.cleaning._rule import Rule

RULES: tuple[Rule, ...] = (
    *_characters.RULES,
    *_latex.RULES,
    *_words.PAGE_RULES,
    *_layout.RULES,
    *_geometry.RULES,
    *_numbers.RULES,
    *_words.RULES,
)
