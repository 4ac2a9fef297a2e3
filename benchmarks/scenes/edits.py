"""The effect of an edit on a scene: every byte above the heading of the edited file
should stay.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple

from benchmarks.scenes.cases import Case
from benchmarks.scenes.comment import add_comment, syntax_of
from benchmarks.scenes.plan import Plan
from benchmarks.scenes.stage import Stage

SEED = 20_260_101
EDITS = 200
_OWN = ".cuedeck/"


class Draw(NamedTuple):
    """A planned edit."""

    case: str
    number: int


class Edit(NamedTuple):
    """A comment of one line, added to one visited file."""

    case: str
    path: str
    stayed: bool
    """Whether all bytes above the file's first heading stayed."""
    kept: float
    """Part of the new scene's tokens in front of the first difference."""


def draw_edits(cases: Sequence[Case], edits: int) -> list[Draw]:
    """Draw edits of random cases; equal arguments give equal edits."""
    chance = random.Random(SEED)
    return [Draw(chance.choice(cases).id, number) for number in range(edits)]


def measure_edits(plan: Plan, drawn: Sequence[Draw]) -> list[Edit]:
    """Make the edits of the plan's cases; a scene without a file to comment gives none.
    Raises: RuntimeError.
    """
    stage = Stage(plan)
    found: list[Edit] = []
    for case in plan.cases:
        numbers = [draw.number for draw in drawn if draw.case == case.id]
        if numbers:
            found += _edit(stage, case, numbers, plan.budgets[0])
            print(f"{case.repo}: {len(found)} edits", file=sys.stderr, flush=True)
    return found


def _edit(stage: Stage, case: Case, numbers: Sequence[int], budget: int) -> list[Edit]:
    worktree = stage.worktree
    worktree.check_out(case.parent)
    card = stage.product.open_card(case, worktree)
    answer, before = stage.product.write(worktree, card, budget)
    headings = {
        path: at
        for path in _visited(answer)
        if (at := _heading(before, path)) is not None
    }
    found = []
    for number in numbers if headings else ():
        chance = random.Random(f"{SEED} {number}")
        path = chance.choice(sorted(headings))
        data = _read(worktree.path(path))
        text = add_comment(
            path,
            data.decode(errors="surrogateescape"),
            f"Reviewed in round {number}.",
            chance,
        )
        _write(worktree.path(path), text.encode(errors="surrogateescape"))
        _, after = stage.product.write(worktree, card, budget)
        _write(worktree.path(path), data)
        stayed = after.startswith(before[: headings[path]])
        found.append(Edit(case.id, path, stayed, stage.kept_share(before, after)))
    return found


def format_edits(edits: Sequence[Edit]) -> str:
    """Format the results of the edits, and those that moved earlier bytes."""
    if not edits:
        return "- after a comment in a visited file: no scene had a file to comment\n"
    moved = [
        f"  - moved: `{edit.case}`, `{edit.path}`" for edit in edits if not edit.stayed
    ]
    share = sum(edit.stayed for edit in edits) / len(edits)
    kept = statistics.median(edit.kept for edit in edits)
    summary = (
        f"- after a comment in a visited file, {len(edits)} times: "
        f"all bytes above its heading stay in {share:.1%}"
    )
    return (
        "\n".join(
            [f"{summary}; unchanged prefix {kept:.1%} of the tokens (median)", *moved]
        )
        + "\n"
    )


def _visited(answer: dict[str, list[dict[str, str]]]) -> list[str]:
    paths = dict.fromkeys(visit["path"] for visit in answer["visits"])
    return [path for path in paths if not path.startswith(_OWN) and syntax_of(path)]


def _heading(text: str, path: str) -> int | None:
    found = re.search(rf"^#+ `{re.escape(path)}[`#]", text, re.MULTILINE)
    return found.start() if found else None


def _read(place: str) -> bytes:
    with open(place, "rb") as file:
        return file.read()


def _write(place: str, data: bytes) -> None:
    with open(place, "wb") as file:
        file.write(data)
