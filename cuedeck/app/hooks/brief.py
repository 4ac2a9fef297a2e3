"""The brief of a session: an own, small plan of the walk that makes the scene, behind what matters most."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.active import find_root, open_cards
from cuedeck.app.blocks.near import Near
from cuedeck.app.hooks.essentials import cut, essentials
from cuedeck.app.hooks.remembering import memory_block
from cuedeck.app.hooks.snapshot import see
from cuedeck.app.sessions.state import open_session
from cuedeck.scene.brief import (
    ESSENTIAL_CHARACTERS,
    ESSENTIAL_TOKENS,
    MOST_TOKENS,
    Part,
    compose,
    fit_parts,
    fit_tokens,
    show_nodes,
)

if TYPE_CHECKING:
    from cuedeck.app.project import Project
    from cuedeck.app.scene import Made

PLACE = ".cuedeck/cache/brief.md"
_OPENING = (
    "# Project context of CueDeck (receipt {receipt:.12})\n\n"
    "> Made from the files of this project; fenced text is quoted data. `.cuedeck/SCENE.md` has the whole of it: "
    "{tokens:,} tokens.\n\n"
)
_ENDING = "The scene behind this is `.cuedeck/SCENE.md`, receipt {receipt}.\n"
_CHANGES = (700, 300)
"""Characters and tokens for what changed since the session was last gone on with."""
_CARDS = 1_200
Changes = Sequence[Mapping[str, str]]
"""What became of files, as a resume says it."""


def make_brief(project: Project, changed: Changes = (), *, is_main: bool = True) -> tuple[Made, str]:
    """Bring SCENE.md up to date; return the scene and its brief, which for the main session is kept in the cache.

    Only the main session is given memory. Raises: ConfigurationError, StorageError.
    """
    made, text = project.settled(lambda: _make(project, changed, is_main))
    text = _masked(project, text)
    if is_main:
        _keep(project, text)
    return made, text


def _make(project: Project, changed: Changes, is_main: bool) -> tuple[Made, str]:
    made = see(project)
    return made, (_of_card if made.report["card"] else _of_none)(project, made, changed, is_main)


def _of_card(project: Project, made: Made, changed: Changes, is_main: bool) -> str:
    """Return what a brief says of the active card."""
    from cuedeck.graph.reach import reach
    from cuedeck.scene.views import Views
    from cuedeck.scene.walk import walk

    index, settings, mask, count = project.index, project.settings.scene, project.mask(), project.counter()
    root = find_root(project, None)
    card = index.file(root.path)
    assert card is not None
    found = reach(root, index, settings.depth, settings.pinned)
    visits = walk(found)
    parts = essentials(project, card, open_session(project), Near(project, visits, found.entries), mask)
    views = Views(index, mask, count, MOST_TOKENS)
    return _text(project, made, parts, changed, is_main, lambda room: show_nodes(visits, views, room, count))


def _of_none(project: Project, made: Made, changed: Changes, is_main: bool) -> str:
    """Return what a brief says of a workspace in which no card is active."""
    files = open_cards(project)
    rows = [f"- `{file.path}` {file.card.status} · {cut(file.card.title, 120)}\n" for file in files if file.card]
    head = "## Task\n\nNo card is active. `cuedeck card activate ID` makes one of the open cards the task.\n\n"
    return _text(project, made, [Part(head, (), always=True)], changed, is_main, lambda room: _cards(rows, room))


def _text(
    project: Project, made: Made, parts: Sequence[Part], changed: Changes, is_main: bool, nodes: Callable[[int], str]
) -> str:
    """Put a brief together; `nodes` fills the tokens that are left."""
    count, told = project.counter(), {"receipt": made.report["receipt"], "tokens": made.report["tokens"]}
    opening = _OPENING.format(**told)
    rows = [f"- `{each['path']}`: {each['change']}\n" for each in changed]
    front = opening + fit_tokens(parts, ESSENTIAL_CHARACTERS - len(opening), ESSENTIAL_TOKENS, count)
    front += fit_tokens([Part("## Changed since this session was last worked on\n\n", rows)], *_CHANGES, count)
    front += memory_block(project, count) if is_main else ""
    text = compose(front, _ENDING.format(**told), nodes, count)
    count.save()
    return text


def _cards(rows: Sequence[str], room: int) -> str:
    most = min(_CARDS, 3 * room)
    return fit_parts([Part("## Open cards\n\n", rows, "- and {} more: `cuedeck list`\n")], most)


def _masked(project: Project, text: str) -> str:
    from cuedeck.app.masking import mask_value

    return mask_value(text, project)


def _keep(project: Project, text: str) -> None:
    from cuedeck.store.disk import write_if_changed

    write_if_changed(project.workspace.absolute(PLACE), text.encode("utf-8", "replace"), project.workspace.cache)
