"""TOML reader that reports every failure as `Invalid` with a line."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM

_AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def read_toml(text: str, hint: str = "mend that line") -> dict[str, Any]:
    """Parse a TOML document.

    Raises: Invalid for invalid TOML, with its line (the last line if a construct is not closed), and without a line for
    excessive nesting or a number with too many digits.
    """
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except RecursionError:
        raise Invalid.on(0, "it is nested too deeply", hint) from None
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))  # the line is only available in the message
        line = int(found[1]) if found and found[1] else text.rstrip().count("\n") + 1
        raise Invalid.on(line, f"not valid TOML: {_AT.sub('', str(error))}", hint) from error
    except ValueError:
        raise Invalid.on(0, "a number has more digits than can be read", hint) from None
