"""Base class of the sections of the settings.

A dataclass generates and compiles its methods when its module is imported, which took
longer than the parsing of the settings. Every command and hook needs these classes, so
their methods are inherited instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, NoReturn, Self, dataclass_transform

SMALLEST_BUDGET = 200
"""Tokens below which title, receipt and one line of the card no longer fit together."""
LARGEST_BUDGET = 10_000_000
BAD_BUDGET = "bad-budget"
"""Code of the diagnostic of a card with another limit."""


class Key(NamedTuple):
    """One key of a section: default value, description and allowed values."""

    default: Any
    doc: str
    least: int | None = None
    """Smallest number; of a list, the smallest number of items."""
    most: int | None = None
    among: tuple[str, ...] = ()


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Section:
    """Immutable values by name; a value that is not given is the default of its key.

    Every annotated class attribute of a subclass is a key: a `Key`, or the default
    alone.
    """

    keys: ClassVar[Mapping[str, Key]] = {}
    """Keys by name, in the order of the class."""

    def __init_subclass__(cls) -> None:
        keys = {}
        for name in cls.__annotations__:
            value = vars(cls)[name]
            key = value if isinstance(value, Key) else Key(value, "")
            keys[name] = key
            setattr(cls, name, key.default)
        cls.keys = keys

    def __init__(self, **values: Any) -> None:
        unknown = values.keys() - self.keys.keys()
        if unknown:
            names = ", ".join(sorted(unknown))
            raise TypeError(f"{type(self).__name__} has no key {names}")
        vars(self).update(values)

    def replace(self, **values: Any) -> Self:
        """Return a copy with other values. Raises: TypeError for an unknown key."""
        return type(self)(**{**vars(self), **values})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Section) or type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash(self._values())

    def __repr__(self) -> str:
        shown = [f"{name}={getattr(self, name)!r}" for name in self.keys]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.keys)
