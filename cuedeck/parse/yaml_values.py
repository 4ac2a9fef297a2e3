"""YAML reader that returns plain values with the line of every key. Scalars stay
strings as written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from cuedeck.parse.yaml_errors import may_be_deep

_MOST_NODES = 100_000
MOST_NESTED = 60
"""Maximum nesting at which keys and their lines are recorded: the path of each key is
stored.
"""

Keys = tuple[str, ...]
"""The path of a key."""


def read_yaml(text: str) -> tuple[Sequence[Any], Mapping[Keys, int]]:
    """Return the documents of a file, and the line of the first occurrence of each key
    path.

    Raises: ValueError for invalid YAML or too many values.
    """
    import yaml  # type: ignore[import-untyped,unused-ignore]

    loader: Any = yaml.BaseLoader
    if not may_be_deep(text):
        loader = getattr(yaml, "CBaseLoader", loader)
    lines: dict[Keys, int] = {}
    reading = _Reading(lines)
    try:
        values = [
            reading.value(node, ()) for node in yaml.compose_all(text, Loader=loader)
        ]
    except yaml.YAMLError as error:
        problem = getattr(error, "problem", "") or "it cannot be read"
        mark = getattr(error, "problem_mark", None)
        if mark is not None:
            problem = f"{problem} (line {mark.line + 1})"
        raise ValueError(problem) from None
    return values, lines


class _Reading:
    """Conversion of YAML nodes to values, limited in size: nested aliases make a small
    text expand exponentially.
    """

    def __init__(self, lines: dict[Keys, int]) -> None:
        self._lines = lines
        self._left = _MOST_NODES

    def value(self, node: Any, path: Keys) -> Any:
        """Return the plain value of a node. Raises: ValueError above 100,000 nodes."""
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many values")
        if node is None:
            return ""
        if node.id == "scalar":
            return node.value
        if node.id == "sequence":
            values = []
            for at, each in enumerate(node.value):
                values.append(self.value(each, (*path, str(at))))
            return values
        found: dict[str, Any] = {}
        for key, each in node.value:
            if key.id != "scalar" or key.value == "<<":
                continue
            key_path = (*path, key.value)
            if len(key_path) <= MOST_NESTED:
                self._lines.setdefault(key_path, key.start_mark.line + 1)
            found[key.value] = self.value(each, key_path)
        for base in _bases(node):
            for name, each in self.value(base, path).items():
                found.setdefault(name, each)
        return found


def _bases(node: Any) -> Iterator[Any]:
    for key, each in node.value:
        if key.id == "scalar" and key.value == "<<":
            merged = each.value if each.id == "sequence" else [each]
            for base in merged:
                if base.id == "mapping":
                    yield base
