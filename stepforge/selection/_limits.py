"""Where the rules draw their lines, in one place, each with what it was set by.  `tests/selection/test_real_sets.py`
holds them against published sets."""

MIN_SIDE_PX = 32
MIN_INK_SHARE = 0.0005  # below this a figure is a blank sheet
MIN_SHARPNESS = 5.0  # variance of the Laplacian at 512 px: the least of 730 published figures measured has 8.4
MIN_OCR_CONFIDENCE = 0.6
MAX_TEXT_SHARE = 0.35  # of a figure's area under lines of text: the most of 561 different published figures is 0.13

MAX_SCANNED_CHARS = 20_000  # of a text that a rule reads: no question is longer, and a rule costs the same for all

# A bare calculation is cumbersome from this many operators and this many digits in its numbers on.
MIN_OPERATORS = 4
MIN_DIGITS = 20
