"""TOML reader that reports every failure as `Invalid` with a line.

The time that `tomllib` needs grows with the square of the number of parts of a key. So
the length of a text and the number of parts are limited before it is parsed: a
repository contains the text.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import CONFLICT, CONFLICT_HINT, conflict_line

_BOM = "\ufeff"
MOST_CHARACTERS = 2_000_000
"""Length of a text that is parsed."""
MOST_PARTS = 20
"""Parts of a dotted key or of the name of a table."""
_PIECE = (
    r"(?P<skipped>#[^\n]*+|'{3}(?:[^']|'(?!''))*+(?:'{3}|\Z)"
    r'''|"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z))'''
    r"""|(?P<part>[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\[^\n])*+"?|'[^'\n]*+'?)|(?P<space>[ \t]++)|(?P<dot>\.)|(?P<other>.)"""
)
"""Divides every text into pieces, in time that grows with its length."""
_AT = r"\s*\(at (?:line (\d+), column \d+|end of document)\)"


def read_toml(text: str, hint: str = "correct that line") -> dict[str, Any]:
    """Parse a TOML document.

    Raises: Invalid for a text or a key that is too long; for invalid TOML, with its
    line (the last line if a construct is not closed); and without a line for excessive
    nesting or a number with too many digits.
    """
    text = text.removeprefix(_BOM)
    _check_size(text)
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise Invalid.on(0, "it is nested too deeply", hint) from None
    except tomllib.TOMLDecodeError as error:
        conflict = conflict_line(text)
        if conflict:
            raise Invalid.on(conflict, CONFLICT, CONFLICT_HINT) from error
        message = str(error)
        found = re.search(_AT, message)  # the line is only available in the message
        line = text.rstrip().count("\n") + 1
        if found and found[1]:
            line = int(found[1])
        reason = re.sub(_AT, "", message)
        raise Invalid.on(line, f"not valid TOML: {reason}", hint) from error
    except ValueError:
        raise Invalid.on(0, "a number has more digits than can be read", hint) from None


def _check_size(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        problem = f"a TOML file must have at most {MOST_CHARACTERS:,} characters, got {len(text):,}"
        raise Invalid.on(0, problem, "shorten the file")
    if all(line.count(".") < MOST_PARTS for line in text.split("\n")):
        # A key ends on its line.
        return
    dots = 0
    for found in re.finditer(_PIECE, text, re.DOTALL):
        kind = found.lastgroup
        if kind == "dot":
            dots += 1
        elif kind not in ("part", "space"):
            dots = 0
        if dots >= MOST_PARTS:
            line = text.count("\n", 0, found.start()) + 1
            raise Invalid.on(
                line, f"a key must have at most {MOST_PARTS} parts", "shorten the key"
            )
