"""A kind of entry that only tests have: the file and the row that a new kind needs.

Run with arguments, it is the command line with this kind.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from cuedeck.ledger.kind import Field, Kind, LogEntry
from cuedeck.model import entry_node

_FIELDS = {
    "text": Field(needed="a toy needs a text", is_line=True, longest=200),
    "affects": Field(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Toy(LogEntry):
    """One toy."""

    text: str
    affects: tuple[str, ...]


class ToyKind(Kind[Toy]):
    """Toys, in toys.jsonl."""

    name = "toy"
    value = Toy
    fields = _FIELDS
    shown = ("text", "affects")
    text_field = "text"
    cites = "affects"
    example = "cuedeck toy add TEXT"
    advice = "add another toy"

    def line(self, value: Toy) -> str:
        return f"The toy {value.text}."


TOY = ToyKind()
ROW = entry_node.EntryKind("toy_kind:TOY", is_log=True)


def main() -> int:
    """Register the kind and run a command."""
    sys.modules.setdefault("toy_kind", sys.modules[__name__])
    entry_node.ENTRY_KINDS["toy"] = ROW

    from cuedeck.__main__ import main as run

    return run() or 0


if __name__ == "__main__":
    sys.exit(main())
