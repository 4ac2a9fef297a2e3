"""Table of the differences between two scenes."""

from __future__ import annotations

from typing import Any

from cuedeck.cli.text_table import Column, printable, table

_COLUMNS = (
    Column("change"),
    Column("address"),
    Column("view"),
    Column("tokens", right=True),
    Column("why", wraps=True),
)
_SHORT = 12
"""Number of receipt digits shown."""


def changes(answer: dict[str, Any]) -> str:
    """Return a row for each changed visit, then the totals, then the line diff if requested."""
    before, after = answer["before"], answer["after"]
    rows = [("added", each["address"], each["view"], f"0 → {each['tokens']:,}", each["why"]) for each in answer["came"]]
    rows += [
        ("removed", each["address"], each["view"], f"{each['tokens']:,} → 0", each["why"]) for each in answer["went"]
    ]
    rows += [_changed(each) for each in answer["changed"]]
    shown = [table(_COLUMNS, rows)] if rows else []
    lines = []
    if before["card"] != after["card"]:
        lines.append(f"card: {before['card']} → {after['card']}")
    if before["receipt"] == after["receipt"] and not rows:
        lines.append(f"nothing changed: {after['tokens']:,} tokens, receipt {after['receipt'][:_SHORT]}")
    else:
        lines += ["no file changed"] * (not rows)
        ends = " → ".join(f"{each['tokens']:,} tokens (receipt {each['receipt'][:_SHORT]})" for each in (before, after))
        lines.append(f"{ends}; unchanged from the top: {answer['unchanged_prefix_tokens']:,}")
    lines += ["", answer["diff"].rstrip("\n")] if answer.get("diff") else []
    return "\n".join([*shown, *map(printable, lines)]) + "\n"


def _changed(each: dict[str, Any]) -> tuple[str, str, str, str, str]:
    words = [
        word
        for word, differs in (
            ("tier", _differs(each["tier"])),
            ("resized", _differs(each["view"])),
            ("edited", each["text"] and not _differs(each["view"])),
            ("moved", each["moved"] and not _differs(each["tier"])),
            ("lines", _differs(each["lines"]) and not each["text"]),
            ("reason", _differs(each["why"])),
        )
        if differs
    ]
    tokens = [f"{tokens:,}" for tokens in each["tokens"]]
    return ", ".join(words or ["resized"]), each["address"], _pair(each["view"]), _pair(tokens), each["why"][1]


def _differs(pair: list[str]) -> bool:
    return pair[0] != pair[1]


def _pair(pair: list[str]) -> str:
    return " → ".join(dict.fromkeys(pair))
