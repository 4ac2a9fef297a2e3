"""`assume`: what is taken for granted, and whether it holds."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.field import Field
from cuedeck.mcp.tool import Arguments, Tool
from cuedeck.model.errors import Invalid
from cuedeck.model.places import CARDS, CONFIG, DOCS

if TYPE_CHECKING:
    from cuedeck.app.serving.followed import FollowedProject

_NAMED = re.compile(r"\s*(?:not_)?(?:contains|doc_says|config)\s*=\s*([^:#]*)")
_PRIVATE = re.compile(
    r"(?i)(?:^|/)(?:memory\.md|longmemory\.md|user\.md|experiences\.jsonl|memory/(?:\d{4}-\d\d-\d\d|memory-archive)\.md)$"
    r"|^\.cuedeck/"
)
_OPEN = (f"{CARDS}/", f"{DOCS}/", CONFIG)


def _assume(project: FollowedProject, given: Arguments) -> Mapping[str, Any]:
    if given["resolve"]:
        from cuedeck.app.assumptions.answers import resolve_assumption

        return resolve_assumption(project, given["resolve"], given["text"])
    if given["text"]:
        from cuedeck.app.assumptions.adding import NewAssumption, add_new

        _check_open(project, given["check"])
        made = NewAssumption(given["text"], "", given["impact"], given["affects"], given["check"])
        return add_new(project, made)
    from cuedeck.app.assumptions.answers import check_assumptions

    answer, well = check_assumptions(project)
    return {**answer, "well": well}


def _check_open(project: FollowedProject, check: str) -> None:
    """Check that a check asks nothing of what is remembered: its answers would give away a word at a time.

    Raises: Invalid.
    """
    path = _NAMED.match(check)
    if path is None:
        return
    root = os.path.realpath(project.workspace.root)
    real = os.path.relpath(os.path.realpath(project.workspace.absolute(path[1])), root).replace(os.sep, "/")
    if any(_PRIVATE.search(each) for each in (real, path[1])) and not real.startswith(_OPEN):
        raise Invalid("a check cannot look into memory", hint="`recall` finds what is remembered")


ASSUME = Tool(
    name="assume",
    title="Record or check assumptions",
    about="Write down what is taken for granted, with a check that tells when it no longer holds; without `text` all "
    "are checked. Checks: file_exists=PATH, file_absent=PATH, contains=PATH:TEXT, not_contains=PATH:TEXT, "
    "dependency=NAME, config=PATH:KEY=VALUE, doc_says=ADDRESS:TEXT.",
    fields=(
        Field("text"),
        Field("check"),
        Field("impact", about="what it matters to"),
        Field("affects", "names", about="addresses"),
        Field("resolve", about="id of one that failed and was dealt with"),
    ),
    run=_assume,
    writes=True,
)
