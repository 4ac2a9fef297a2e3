"""Signs that say something: operators, currencies, emoji. Dots, commas, quotes, bullets and headings do not."""

from __future__ import annotations

import re
import unicodedata

_TELLING = """
    !== === <=> != == <= >= && || << >> ≠ ≤ ≥ ≈ ± ∈ ∉ ¬ %
    += -= *= /= + < > $ ! 👎 ❌ ✖ ✗ ✘ 🚫 ⛔ 🛑
"""
TELLING = frozenset(_TELLING.split())
"""Signs that change a text wherever they are added; any other only weighs a little."""
EQUAL = {"≠": "!=", "≤": "<=", "≥": ">=", "===": "==", "!==": "!="}
"""Of telling signs: what is another spelling of which."""
TURNING = frozenset("!¬")
"""What negates what it stands before."""
_LONG = "!== === <=> <<= >>= != == <= >= && || += -= *= /= |= &= := =~ ~= << >> => ->"
_SINGLE = "≠≤≥≈±×÷∈∉¬&|%"
_CURRENCIES = "¢£¤¥֏؋\u20a0-\u20c0\u0e3f\u09f2\u09f3"
_ARROWS = "\u2190-\u21ff\u27f5-\u27ff"
_EMOJI = "\u2600-\u27bf\u2b05-\u2b07\u2b50\u2b55\U0001f1e6-\U0001f1ff\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
_BEHIND = r"(?:(?<=\S)|(?<=\S[\ ]))"
"""Not at the beginning of a line, where it is a bullet or a quotation."""
PATTERN = rf"""
    (?<!=)(?:{"|".join(re.escape(each) for each in _LONG.split())})(?!=)
    |<-(?=\s|$)
    |[{_SINGLE}{_CURRENCIES}{_ARROWS}{_EMOJI}]
    |(?<!=)=(?!=)
    |{_BEHIND}(?<!\+)(?:(?<=[\w)])|(?![+]\d))\+(?!\+)
    |{_BEHIND}[<>]|[<>](?=\s?[-\d])
    |(?<=\S\s)(?:\*\*?|//?)(?=\s)|(?<=[\w)])\*\*?(?=[\w(])
    |\$(?=\s?\d)|(?<=\d)\$|(?<=\d\s)\$
    |(?<![\w!?.])!(?=[^\W\d])
    |(?<![~^])[~^](?=[\w./])
"""
"""For a verbose expression."""


def is_currency(sign: str) -> bool:
    """Tell whether a sign is of a currency."""
    return unicodedata.category(sign[0]) == "Sc"
