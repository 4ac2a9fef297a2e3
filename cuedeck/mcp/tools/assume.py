"""`assume`: what is taken for granted, and whether it holds."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.field import Field
from cuedeck.mcp.tool import Arguments, Tool
from cuedeck.model.errors import Invalid
from cuedeck.model.places import CARDS, CONFIG, DOCS, HOME

if TYPE_CHECKING:
    from cuedeck.app.serving.followed import FollowedProject

_LOOKING = ("contains", "not_contains", "config", "doc_says")
"""Checks that tell what is in a file."""
_OPEN = (f"{CARDS}/", f"{DOCS}/")


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
    from cuedeck.model.address import split_anchor
    from cuedeck.parse.checks import spelled_check

    asked = spelled_check(check) if check else None
    if asked is None or asked.kind not in _LOOKING:
        return
    project.refresh()  # the settings may say of more files that they are private
    path = asked.word("path") or split_anchor(asked.word("address"))[0]
    root = os.path.realpath(project.workspace.root)
    real = os.path.relpath(os.path.realpath(project.workspace.absolute(path)), root)
    if any(_is_private(project, each.replace(os.sep, "/")) for each in (real, os.path.normpath(path))):
        raise Invalid("a check cannot look into memory", hint="`recall` finds what is remembered")


def _is_private(project: FollowedProject, path: str) -> bool:
    """Tell whether a path is of what is remembered; in any case, for on some disks each of them names the file."""
    from cuedeck.parse.gitignore import Rules
    from cuedeck.parse.profile import private_patterns

    path = path.lower()
    if path.startswith(f"{HOME}/"):
        return path != CONFIG and not path.startswith(_OPEN)
    rules = Rules(pattern.lower() for pattern in private_patterns(project.settings))
    return any(rules.verdict(each, each != path) for each in _steps(path))


def _steps(path: str) -> Iterator[str]:
    """Yield the folders above a path, from the top, and the path itself."""
    names = path.split("/")
    yield from ("/".join(names[:end]) for end in range(1, len(names) + 1))


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
