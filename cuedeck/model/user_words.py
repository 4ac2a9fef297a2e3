"""Keys of answers that contain user text."""

from __future__ import annotations

from typing import Any


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
