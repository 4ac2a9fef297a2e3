"""Pre-tokenizer: splits a text into the pieces within which BPE merges tokens, as
tiktoken does, with Python's `re`.

`re` has no Unicode classes such as \\p{Lu}. So each non-ASCII character is replaced by
a placeholder character of its class, the replaced text is split, and the original text
is cut at the same positions.
"""

from __future__ import annotations

import re
import unicodedata

PATTERNS = {
    "o200k_base": "|".join(
        (
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
            r"[\p{N}]{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        )
    ),
    "cl100k_base": "|".join(
        (
            r"'(?i:[sdmt]|ll|ve|re)",
            r"[^\r\n\p{L}\p{N}]?+[\p{L}]++",
            r"[\p{N}]{1,3}+",
            r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
            r"\s++$",
            r"\s*[\r\n]",
            r"\s+(?!\S)",
            r"\s",
        )
    ),
}
"""The split patterns of tiktoken, each Unicode class in brackets. Source:
`tiktoken_ext.openai_public`.
"""

_LETTER = "ª"
_MARK = "\u0300"
_OTHER = "."
_UNSURE = "\uffff"
_STAND_INS = {
    **dict.fromkeys(("Lu", "Lt"), "A"),
    "Ll": "a",
    **dict.fromkeys(("Lm", "Lo"), _LETTER),
    **dict.fromkeys(("Mn", "Mc", "Me"), _MARK),
    **dict.fromkeys(("Nd", "Nl", "No"), "0"),
    **dict.fromkeys(("Zs", "Zl", "Zp"), "\t"),
    **dict.fromkeys(
        (
            "Cc",
            "Cf",
            "Co",
            "Pc",
            "Pd",
            "Ps",
            "Pe",
            "Pi",
            "Pf",
            "Po",
            "Sm",
            "Sc",
            "Sk",
            "So",
        ),
        _OTHER,
    ),
}
_ODD = {"\u0085": "\t", "\u017f": "s"}
"""Exceptions: NEL is a control character that counts as whitespace; `ſ` equals `s` in
case-insensitive matching.
"""
_IN_STAND_INS = {
    r"\p{Lu}": "A-Z",
    r"\p{Lt}": "",
    r"\p{Ll}": "a-z",
    r"\p{Lm}": "",
    r"\p{Lo}": _LETTER,
    r"\p{L}": f"A-Za-z{_LETTER}",
    r"\p{M}": _MARK,
    r"\p{N}": "0-9",
}
SETTLED = (
    (0x0080, 0x0294),  # Latin
    (0x0296, 0x0377),  # phonetic, marks, Greek
    (0x038E, 0x03A1),
    (0x03A3, 0x052F),  # Greek, Cyrillic
    (0x0591, 0x05C7),  # Hebrew
    (0x05D0, 0x05EA),
    (0x0600, 0x070D),  # Arabic
    (0x0900, 0x0983),  # Devanagari
    (0x0E01, 0x0E3A),  # Thai
    (0x0E3F, 0x0E5B),
    (0x1D00, 0x1F15),  # more Latin
    (0x2000, 0x2064),  # punctuation
    (0x2066, 0x2071),
    (0x2074, 0x208E),
    (0x20A0, 0x20C0),  # money
    (0x20D0, 0x20F0),
    (0x2100, 0x218B),  # symbols, arrows, boxes
    (0x2190, 0x2426),
    (0x2460, 0x2B73),
    (0x2B76, 0x2B95),
    (0x3000, 0x303F),  # Chinese, Japanese, Korean
    (0x3041, 0x3096),
    (0x3099, 0x30FF),
    (0x3131, 0x318E),
    (0x3220, 0xA48C),
    (0xAC00, 0xD7A3),
    (0xE000, 0xFA6D),  # private use
    (0xFDF0, 0xFE19),
    (0xFEFF, 0xFEFF),
    (0xFF01, 0xFFBE),
    (0xFFE0, 0xFFE6),
    (0xFFF9, 0xFFFD),
    (0x1F1E6, 0x1F202),  # flags, pictures
    (0x1F300, 0x1F6D7),
    (0x1F6DD, 0x1F6EC),
    (0x1F6F0, 0x1F6FC),
    (0x1F7E0, 0x1F7EB),
    (0x1F900, 0x1FA53),
    (0x1FA70, 0x1FA74),
    (0x1FA78, 0x1FA7C),
    (0x1FA80, 0x1FA86),
    (0x1FA90, 0x1FAAC),
    (0x20000, 0x2A6DF),
)
"""Ranges of characters whose class is the same in Unicode 14 to 17 and that contain no
unassigned character. For other characters Python and tiktoken may use different Unicode
versions."""


class Splitter:
    """Pre-tokenizer of one encoding."""

    def __init__(self, encoding: str) -> None:
        pattern = PATTERNS[encoding]
        for name, members in _IN_STAND_INS.items():
            pattern = pattern.replace(name, members)
        self._find = re.compile(pattern, re.ASCII).findall
        self._stand_ins = _StandIns()

    def split(self, text: str) -> list[str] | None:
        """Return the pieces of a text, or None if it contains a character outside
        `SETTLED`.
        """
        if text.isascii():
            return self._find(text)
        stand_ins = text.translate(self._stand_ins)
        if _UNSURE in stand_ins:
            return None
        pieces: list[str] = []
        start = 0
        for piece in self._find(stand_ins):
            end = start + len(piece)
            pieces.append(text[start:end])
            start = end
        return pieces


class _StandIns(dict[int, str]):
    """Cache of the placeholder of each code point, for `str.translate`; ASCII
    characters are kept.
    """

    def __missing__(self, code: int) -> str:
        self[code] = found = _stand_in(code)
        return found


def _stand_in(code: int) -> str:
    character = chr(code)
    if character.isascii():
        return character
    if not any(first <= code <= last for first, last in SETTLED):
        return _UNSURE
    return _ODD.get(character) or _STAND_INS.get(
        unicodedata.category(character), _UNSURE
    )
