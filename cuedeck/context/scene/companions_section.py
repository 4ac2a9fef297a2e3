"""Companions section: files that usually change together with those of the task."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.precedents_section import quote_line
from cuedeck.model.ports import Count
from cuedeck.parse.fence import named, quoted
from cuedeck.parse.secrets.mask import Mask

if TYPE_CHECKING:
    from cuedeck.context.ranking.companions import Companion, Scope

NAME = "companions"
OPENING = (
    "## Companions\n\n> Files that commits like this one usually change as well.\n\n"
)
MOST = 3
_TITLE = 40
"""Maximum characters of the title of a section."""


def fit_companions(
    found: Sequence[Companion],
    room: int,
    mask: Mask,
    count: Count,
    shown: Collection[str] = (),
) -> Fitted:
    """Return the section with up to three companions that are not `shown`, within
    `room` tokens; empty if none fits.
    """
    free = room - count.count(OPENING) - count.count("\n")
    rows: list[str] = []
    for companion in found:
        if companion.path in shown or len(rows) == MOST:
            continue
        row = _row(companion, mask)
        cost = count.count(row)
        if cost <= free:
            rows.append(row)
            free -= cost
    if not rows:
        return Fitted(NAME, "", 0, 0)
    rows[-1] += "\n"
    tokens = count.count(OPENING) + sum(count.count(row) for row in rows)
    return Fitted(NAME, OPENING + "".join(rows), tokens, room)


def _row(companion: Companion, mask: Mask) -> str:
    share = round(100 * companion.times / companion.scope.commits)
    row = f"- {named(mask.plain(companion.path))} in {share} % of the last {_commits(companion.scope, mask)}"
    if companion.newest is not None:
        section = companion.newest
        title = quoted(mask.plain(section.title), _TITLE)
        row += f"; newest section L{section.start}-{section.end} {title}"
    if companion.line:
        row += f"; last addition L{companion.line}"
        row += quote_line(companion.path, companion.line, len(row), mask)
    return f"{row}\n"


def _commits(scope: Scope, mask: Mask) -> str:
    """Return the commits of a scope in words."""
    if not scope.path:
        return f"{scope.commits} commits to code"
    place = named(mask.plain(scope.path))
    return f"{scope.commits} commits {'under' if scope.path.endswith('/') else 'to'} {place}"
