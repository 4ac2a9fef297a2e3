"""The truncation notice: what the budget left out, each with its size and the command that shows it."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene import LeftOut
from cuedeck.scene.budget import Plan
from cuedeck.scene.label import command
from cuedeck.scene.views import Views

_MORE = "> - and {} more, {} tokens\n"


def least_notice(visits: int, count: Count) -> int:
    """Return the tokens of a notice that only counts, whatever of so many visits it has to count."""
    return count.count(_head(visits, visits) + "\n")


def left_out(planned: Plan, views: Views) -> tuple[LeftOut, ...]:
    """Return every visit that has no place, in visit order."""
    return tuple(
        LeftOut(visit.address, visit.tier, visit.depth, views.size(visit), "over budget", command(visit.address))
        for visit in planned.left_out
    )


def format_notice(planned: Plan, gone: Sequence[LeftOut], views: Views, count: Count, cap: int) -> str:
    """List what was left out as far as `cap` tokens go, then count the rest; empty when nothing was given up."""
    if not planned.pressed:
        return ""
    head = _head(len(gone), sum(each.reduced for each in planned.shown))
    rows: list[str] = []
    free = cap - count.count(head + "\n") - count.count(_MORE.format(len(gone), sum(each.tokens for each in gone)))
    for each, visit in zip(gone, planned.left_out, strict=True):
        row = views.labels.row(visit, each.tokens, each.reason)
        free -= count.count(row)
        if free < 0:
            break
        rows.append(row)
    hidden = gone[len(rows) :]
    if rows and hidden:
        rows.append(_MORE.format(len(hidden), sum(each.tokens for each in hidden)))
    return head + "".join(rows) + "\n"


def _head(gone: int, smaller: int) -> str:
    return f"> [!WARNING] Truncated\n> Over budget: {gone} left out, {smaller} shown smaller.\n"
