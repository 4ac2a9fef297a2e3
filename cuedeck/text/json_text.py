"""Reader of JSON that a repository may contain, and of its values."""

from __future__ import annotations

import json
from typing import Any

from cuedeck.model.formatting import replace_surrogates


def load_json(data: bytes) -> Any:
    """Return the value of a JSON text; lone surrogates, which no output can encode, are
    replaced.

    Raises: ValueError if it is not valid JSON, RecursionError if it is nested too
    deeply.
    """
    value = json.loads(data)
    if b"\\u" not in data:  # only an escape can spell a lone surrogate
        return value
    return json.loads(replace_surrogates(json.dumps(value, ensure_ascii=False)))


def string_of(value: object) -> str:
    """Return a value that is a text; empty for any other value."""
    return value if isinstance(value, str) else ""
