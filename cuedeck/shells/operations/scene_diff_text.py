"""Table of the differences between two scenes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cuedeck.model.formatting import VIEW_WORDS
from cuedeck.shells.text_table import Column, table

_COLUMNS = (
    Column("change"),
    Column("address"),
    Column("view"),
    Column("tokens", right=True),
    Column("why", wraps=True),
)
_SHORT = 12
"""Number of receipt digits shown."""


def changes(answer: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each changed visit, then the totals, then the line diff if
    requested.
    """
    before = answer["before"]
    after = answer["after"]
    rows = [
        _row("added", visit, f"0 → {visit['tokens']:,}") for visit in answer["came"]
    ]
    rows += [
        _row("removed", visit, f"{visit['tokens']:,} → 0") for visit in answer["went"]
    ]
    rows += [_changed(visit) for visit in answer["changed"]]
    lines = []
    if before["card"] != after["card"]:
        lines.append(f"card: {before['card']} → {after['card']}")
    if not rows and before["receipt"] == after["receipt"]:
        lines.append(f"nothing changed: {_total(after)}, receipt {_receipt(after)}")
    else:
        if not rows:
            lines.append("no file changed")
        old = f"{_total(before)} (receipt {_receipt(before)})"
        new = f"{_total(after)} (receipt {_receipt(after)})"
        lines.append(
            f"{old} → {new}; the first {answer['unchanged_prefix_tokens']:,} tokens are equal"
        )
    if answer.get("diff"):
        lines += ["", answer["diff"].rstrip("\n")]
    if rows:
        yield table(_COLUMNS, rows)
    yield from lines


def _total(scene: dict[str, Any]) -> str:
    return f"{scene['tokens']:,} tokens"


def _receipt(scene: dict[str, Any]) -> str:
    return str(scene["receipt"][:_SHORT])


def _row(
    change: str, visit: dict[str, Any], tokens: str
) -> tuple[str, str, str, str, str]:
    return change, visit["address"], VIEW_WORDS[visit["view"]], tokens, visit["why"]


def _changed(visit: dict[str, Any]) -> tuple[str, str, str, str, str]:
    """Return the row of a visit that is in both scenes."""
    same_tier = not _differs(visit["tier"])
    same_view = not _differs(visit["view"])
    kinds = {
        "tier": not same_tier,
        "resized": not same_view,
        "edited": visit["text"] and same_view,
        "moved": visit["moved"] and same_tier,
        "lines": _differs(visit["lines"]) and not visit["text"],
        "reason": _differs(visit["why"]),
    }
    words = [kind for kind, applies in kinds.items() if applies]
    tokens = [f"{tokens:,}" for tokens in visit["tokens"]]
    views = [VIEW_WORDS[view] for view in visit["view"]]
    change = ", ".join(words or ["resized"])
    return (change, visit["address"], _pair(views), _pair(tokens), visit["why"][1])


def _differs(pair: list[str]) -> bool:
    return pair[0] != pair[1]


def _pair(pair: list[str]) -> str:
    return " → ".join(dict.fromkeys(pair))
