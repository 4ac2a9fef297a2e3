"""Summary of a built scene, printed by the `scene` command."""

from __future__ import annotations

from typing import Any

from cuedeck.cli.text_table import Column, printable, table
from cuedeck.model.display import shorten

MOST_ROWS = 20
_LONGEST_TITLE = 200


def summary(report: dict[str, Any], *, dry_run: bool = False) -> str:
    """Return the title of the task, a table of the visits, the size, omitted content and unresolved refs."""
    visits, left_out, unresolved = report["visits"], report["left_out"], report["unresolved"]
    lines = []
    if len(visits) > MOST_ROWS:
        lines.append(f"… and {len(visits) - MOST_ROWS} more")
    place = "would be" if dry_run else f"{report['path']}:" if report["written"] else f"{report['path']} (unchanged):"
    lines.append(f"{place} {report['tokens']:,} of {report['budget']:,} tokens ({report['encoding']})")
    if "missing" in report:
        lines.append(f"made without {' and '.join(report['missing'])}")
    if left_out:
        lines.append(f"left out: {len(left_out)}, first {left_out[0]['address']}; see it: {left_out[0]['show']}")
    crowded = [block["name"] for block in report["blocks"] if not block["tokens"]]
    if crowded:
        lines.append(f"no room for blocks: {', '.join(crowded)}")
    for each in unresolved[:5]:
        near = f"; did you mean {each['suggestion']}?" if each["suggestion"] else ""
        shut = "; it cannot be read" if each["reason"] == "unreadable" else ""
        several = f"; it matches {', '.join(each['candidates'][:4])}" if each["reason"] == "ambiguous" else ""
        place = f"on line {each['line']} of {each['from']}" if each["line"] else f"in {each['from']}"
        lines.append(f"unresolved: {each['ref']} {place}{shut}{near}{several}")
    if len(unresolved) > 5:
        lines.append(f"… and {len(unresolved) - 5} more unresolved refs; `cuedeck doctor` lists them")
    title = shorten(report.get("title") or "", _LONGEST_TITLE)
    return "\n".join(line for line in (printable(title, lines=False), _visits(visits), *map(printable, lines)) if line)


def _visits(visits: list[dict[str, Any]]) -> str:
    """Return the table of the first visits, linked ones first; the tier is a column if there are two."""
    columns = [Column("depth", right=True), Column("address"), Column("view"), Column("tokens", right=True)]
    ordered = sorted(visits, key=lambda each: str(each["tier"]))  # explicit, related
    first = ordered[:MOST_ROWS]
    rows = [[str(each["depth"]), each["address"], each["view"], f"{each['tokens']:,}"] for each in first]
    if ordered and ordered[-1]["tier"] == "related":
        columns = [Column("tier"), *columns]
        rows = [[each["tier"], *row] for each, row in zip(first, rows, strict=True)]
    titles = [each.get("title") or "" for each in first]
    if any(titles[1:]):  # the root card's title is already the headline
        columns = [*columns, Column("title", wraps=True)]
        rows = [[*row, title] for title, row in zip(titles, rows, strict=True)]
    return table(columns, rows)
