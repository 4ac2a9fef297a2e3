"""Memo of results keyed by the content they were computed from; dropping it never
changes the output.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Value = TypeVar("Value")

_MOST = 10_000
"""Maximum results of one kind, for example of rendered nodes."""


class Memo:
    """Least recently used cache of results, each with the inputs for which it is valid.

    Inputs are compared by equality. They contain content hashes instead of paths alone,
    so nothing has to be invalidated when a file changes.
    """

    def __init__(self) -> None:
        self._kinds: defaultdict[str, OrderedDict[Hashable, tuple[object, Any]]] = (
            defaultdict(OrderedDict)
        )

    def get(
        self, kind: str, name: Hashable, inputs: object, make: Callable[[], Value]
    ) -> Value:
        """Return the result of `make` for these inputs, from the memo if the last
        inputs of `name` were equal.
        """
        results = self._kinds[kind]
        known = results.get(name)
        if known is None or known[0] != inputs:
            known = results[name] = (inputs, make())
            if len(results) > _MOST:
                results.popitem(last=False)
        results.move_to_end(name)
        value: Value = known[1]
        return value

    def forget(self, kind: str, name: Hashable) -> None:
        """Drop a result that is valid only once."""
        self._kinds[kind].pop(name, None)
