"""Summary of a built scene, printed by the `scene` command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cuedeck.model.formatting import VIEW_WORDS, shorten
from cuedeck.shells.text_table import Column, printable, table

MOST_ROWS = 20
_MOST_UNRESOLVED = 5
_LONGEST_TITLE = 200
TIER_WORDS = {"explicit": "linked", "related": "related"}
"""Words of a table for the tiers; JSON has the keys."""


def summary(report: dict[str, Any], *, dry_run: bool = False) -> Iterator[str]:
    """Yield the title of the task, a table of the visits, the size, omitted content
    and unresolved refs.
    """
    visits = report["visits"]
    omitted = report["left_out"]
    unresolved = report["unresolved"]
    lines = []
    if len(visits) > MOST_ROWS:
        lines.append(f"… and {len(visits) - MOST_ROWS} more")
    size = f"{report['tokens']:,} of {report['budget']:,} tokens ({report['encoding']})"
    lines.append(f"{_subject(report, dry_run)} {size}")
    if "missing" in report:
        lines.append(f"built without {' and '.join(report['missing'])}")
    if omitted:
        first = omitted[0]
        lines.append(
            f"left out: {len(omitted)}, first {first['address']}; see it: {first['show']}"
        )
    crowded = []
    for block in report["blocks"]:
        if not block["tokens"]:
            crowded.append(block["name"])
    if crowded:
        lines.append(f"no room for: {', '.join(crowded)}")
    lines += [_unresolved(ref) for ref in unresolved[:_MOST_UNRESOLVED]]
    if len(unresolved) > _MOST_UNRESOLVED:
        more = len(unresolved) - _MOST_UNRESOLVED
        lines.append(f"… and {more} more unresolved refs; `cuedeck doctor` lists them")
    title = printable(shorten(report.get("title") or "", _LONGEST_TITLE), lines=False)
    if title:
        yield title
    if visits:
        yield _visits(visits)
    yield from filter(None, lines)


def _subject(report: dict[str, Any], dry_run: bool) -> str:
    if dry_run:
        return "would be"
    return (
        f"{report['path']}:" if report["written"] else f"{report['path']} (unchanged):"
    )


def _unresolved(row: dict[str, Any]) -> str:
    """Return the line of a ref that leads nowhere."""
    place = f"in {row['from']}"
    if row["line"]:
        where = row.get("cell") or f"line {row['line']}"
        place = f"on {where} of {row['from']}"
    line = f"unresolved: {row['ref']} {place}"
    if row["reason"] == "unreadable":
        line += "; it cannot be read"
    if row["suggestion"]:
        line += f"; did you mean {row['suggestion']}?"
    if row["reason"] == "ambiguous":
        line += f"; it matches {', '.join(row['candidates'][:4])}"
    return line


def _visits(visits: list[dict[str, Any]]) -> str:
    """Return the table of the first visits, linked ones first; the tier is a column if
    there are two.
    """
    columns = [
        Column("depth", right=True),
        Column("address"),
        Column("view"),
        Column("tokens", right=True),
    ]
    ordered = sorted(visits, key=lambda visit: str(visit["tier"]))  # explicit, related
    first = ordered[:MOST_ROWS]
    rows = []
    for visit in first:
        rows.append(
            [
                str(visit["depth"]),
                visit["address"],
                VIEW_WORDS[visit["view"]],
                f"{visit['tokens']:,}",
            ]
        )
    if ordered and ordered[-1]["tier"] == "related":
        columns.insert(0, Column("tier"))
        for row, visit in zip(rows, first, strict=True):
            row.insert(0, TIER_WORDS[visit["tier"]])
    titles = [visit.get("title") or "" for visit in first]
    if any(titles[1:]):  # the root card's title is already the headline
        columns.append(Column("title", wraps=True))
        for row, title in zip(rows, titles, strict=True):
            row.append(title)
    return table(columns, rows)
