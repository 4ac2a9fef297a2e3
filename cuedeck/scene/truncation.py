"""Truncation notice: the omitted visits with size, reason and the command that shows each."""

from __future__ import annotations

from collections.abc import Sequence

from cuedeck.model.ports import Count
from cuedeck.model.scene_values import LeftOut
from cuedeck.scene.budget import Plan
from cuedeck.scene.visit_label import command
from cuedeck.scene.visit_views import Views

_MORE = "> - and {} more, {} tokens\n"
_CROWDED = "no room for blocks: {}"


def least_notice(visits: int, count: Count) -> int:
    """Return the maximum tokens of a notice that only counts, for the given number of visits."""
    return count.count(_head(_counts(visits, visits)) + "\n")


def left_out(planned: Plan, views: Views) -> tuple[LeftOut, ...]:
    """Return the omitted visits, in visit order."""
    return tuple(
        LeftOut(visit.address, visit.tier, visit.depth, views.size(visit), "over budget", command(visit.address))
        for visit in planned.left_out
    )


def format_notice(
    planned: Plan, gone: Sequence[LeftOut], views: Views, count: Count, cap: int, crowded: Sequence[str] = ()
) -> str:
    """Return a list of the omitted visits within `cap` tokens and a count of the rest; empty if nothing was reduced.

    `crowded` names the blocks without room; they are listed only if the notice has room for them.
    """
    counts = _counts(len(gone), sum(each.reduced for each in planned.shown)) if planned.pressed else ""
    named = _CROWDED.format(", ".join(crowded)) if crowded else ""
    said = "; ".join(filter(None, (counts, named)))
    if count.count(_head(said) + "\n") > cap:
        said = counts
    if not said:
        return ""
    head = _head(said)
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


def _head(said: str) -> str:
    return f"> [!WARNING] Truncated\n> Over budget: {said}.\n"


def _counts(gone: int, smaller: int) -> str:
    return f"{gone} left out, {smaller} shown smaller"
