"""TOML to values, with one error for whatever keeps it from being read."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from cuedeck.model.errors import Invalid
from cuedeck.parse.text_decoding import BOM

_AT = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)")


def read_toml(text: str, hint: str = "mend that line") -> dict[str, Any]:
    """Return what a file says.

    Raises: Invalid for what is not valid TOML, with its line, which is the last one where something is not closed;
    and without a line for what is too much to be read.
    """
    try:
        return tomllib.loads(text.removeprefix(BOM))
    except RecursionError:
        raise Invalid.on(0, "it is nested too deeply", hint) from None
    except tomllib.TOMLDecodeError as error:
        found = _AT.search(str(error))  # the message alone has the line
        line = int(found[1]) if found and found[1] else text.rstrip().count("\n") + 1
        raise Invalid.on(line, f"not valid TOML: {_AT.sub('', str(error))}", hint) from error
    except ValueError:
        raise Invalid.on(0, "a number has more digits than can be read", hint) from None
