"""Placeholders of secrets in masked text: `<secret:aws-key:1>` with kind and number."""

from __future__ import annotations

import re
from typing import Any

PLACEHOLDER = "<secret:"
"""Prefix of every placeholder."""
_WHOLE = re.compile(rf"({PLACEHOLDER}[^\n]*?):\d+>")


def without_placeholders(masked: str) -> str:
    """Return a masked text without its placeholders."""
    return _WHOLE.sub("", masked)


def unnumbered(masked: str) -> str:
    """Return a masked text without placeholder numbers, fit to store and compare.

    Numbers are valid in one output only.
    """
    if PLACEHOLDER in masked:
        return _WHOLE.sub(r"\1>", masked)
    return masked


class Word(str):
    """Key of a mapping that contains user text, such as a path, and is therefore masked
    like a value.
    """

    __slots__ = ()


def as_words(value: Any) -> Any:
    """Return user data with every key as a `Word`, so that keys are masked."""
    if isinstance(value, dict):
        return {Word(key): as_words(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_words(item) for item in value]
    return value
