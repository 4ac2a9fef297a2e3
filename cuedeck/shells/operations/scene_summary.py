"""Summary of a built scene, and the differences between two scenes, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cuedeck.model.formatting import VIEW_WORDS, shorten
from cuedeck.shells.text_table import printable, table

MOST_ROWS = 20
_MOST_UNRESOLVED = 5
_LONGEST_TITLE = 200
TIER_WORDS = {"explicit": "linked", "related": "related"}
"""Words of a table for the tiers; JSON has the keys."""


def summary(report: dict[str, Any], *, dry_run: bool = False) -> Iterator[str]:
    """Yield the title of the task, a table of the visits, the size, omitted content
    and unresolved refs.
    """
    visits, omitted = report["visits"], report["left_out"]
    unresolved = report["unresolved"]
    title = printable(shorten(report.get("title") or "", _LONGEST_TITLE), lines=False)
    if title:
        yield title
    if visits:
        yield _visits(visits)
    if len(visits) > MOST_ROWS:
        yield f"… and {len(visits) - MOST_ROWS} more"
    state = "" if report["written"] else " (unchanged)"
    subject = "would be" if dry_run else f"{report['path']}{state}:"
    yield f"{subject} {report['tokens']:,} of {report['budget']:,} tokens ({report['encoding']})"
    if "missing" in report:
        yield f"built without {' and '.join(report['missing'])}"
    if omitted:
        first = omitted[0]
        yield f"left out: {len(omitted)}, first {first['address']}; see it: {first['show']}"
    crowded = [block["name"] for block in report["blocks"] if not block["tokens"]]
    if crowded:
        yield f"no room for: {', '.join(crowded)}"
    yield from map(_unresolved, unresolved[:_MOST_UNRESOLVED])
    if len(unresolved) > _MOST_UNRESOLVED:
        more = len(unresolved) - _MOST_UNRESOLVED
        yield f"… and {more} more unresolved refs; `cuedeck doctor` lists them"


def _unresolved(row: dict[str, Any]) -> str:
    place = f"in {row['from']}"
    if row["line"]:
        place = f"on line {row['line']} of {row['from']}"
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
    columns = ">depth,address,view,>tokens"
    ordered = sorted(visits, key=lambda visit: str(visit["tier"]))  # explicit, related
    first = ordered[:MOST_ROWS]
    rows = []
    for visit in first:
        size = f"{visit['tokens']:,}"
        view = VIEW_WORDS[visit["view"]]
        rows.append([str(visit["depth"]), visit["address"], view, size])
    if ordered[-1]["tier"] == "related":
        columns = f"tier,{columns}"
        for row, visit in zip(rows, first, strict=True):
            row.insert(0, TIER_WORDS[visit["tier"]])
    titles = [visit.get("title") or "" for visit in first]
    if any(titles[1:]):  # the root card's title is already the headline
        columns = f"{columns},title~"
        for row, title in zip(rows, titles, strict=True):
            row.append(title)
    return table(columns, rows)


def changes(answer: dict[str, Any]) -> Iterator[str]:
    """Yield a row for each changed visit, then the totals, then the line diff if
    requested.
    """
    before, after = answer["before"], answer["after"]
    rows = []
    for change, key, arrow in (
        ("added", "came", "0 → {}"),
        ("removed", "went", "{} → 0"),
    ):
        for visit in answer[key]:
            tokens = arrow.format(f"{visit['tokens']:,}")
            view = VIEW_WORDS[visit["view"]]
            rows.append((change, visit["address"], view, tokens, visit["why"]))
    rows += map(_changed, answer["changed"])
    if rows:
        yield table("change,address,view,>tokens,why~", rows)
    if before["card"] != after["card"]:
        yield f"card: {before['card']} → {after['card']}"
    if not rows and before["receipt"] == after["receipt"]:
        yield f"nothing changed: {after['tokens']:,} tokens, receipt {after['receipt'][:12]}"
    else:
        if not rows:
            yield "no file changed"
        sizes = [
            f"{scene['tokens']:,} tokens (receipt {scene['receipt'][:12]})"
            for scene in (before, after)
        ]
        same = f"the first {answer['unchanged_prefix_tokens']:,} tokens are equal"
        yield f"{' → '.join(sizes)}; {same}"
    if answer.get("diff"):
        yield ""
        yield answer["diff"].rstrip("\n")


def _changed(visit: dict[str, Any]) -> tuple[str, str, str, str, str]:
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
    tokens = _pair([f"{tokens:,}" for tokens in visit["tokens"]])
    views = _pair([VIEW_WORDS[view] for view in visit["view"]])
    change = ", ".join(words or ["resized"])
    return change, visit["address"], views, tokens, visit["why"][1]


def _differs(pair: Sequence[str]) -> bool:
    return pair[0] != pair[1]


def _pair(pair: Sequence[str]) -> str:
    return " → ".join(dict.fromkeys(pair))
