"""Bounded cache of mutable values by name, each valid for one set of inputs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")

_NAMES = 2_000


class Memo(Generic[Value]):
    """Least recently used cache; `make` creates an empty value, which the caller fills."""

    def __init__(self, make: Callable[[], Value], names: int = _NAMES) -> None:
        self._make = make
        self._most = names
        self._by_name: OrderedDict[Hashable, tuple[object, Value]] = OrderedDict()

    def of(self, name: Hashable, depends: object) -> Value:
        """Return the cached value of a name, or a new empty value if its inputs differ from `depends`."""
        known = self._by_name.get(name)
        if known is None or known[0] != depends:
            known = self._by_name[name] = (depends, self._make())
            if len(self._by_name) > self._most:
                self._by_name.popitem(last=False)
        self._by_name.move_to_end(name)
        return known[1]
