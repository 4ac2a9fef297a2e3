"""Which card a scene is built for."""

from __future__ import annotations

from cuedeck.app.project import Project
from cuedeck.graph.resolve import resolve_address
from cuedeck.model.errors import Ambiguous, CueDeckError, Invalid
from cuedeck.model.node import File
from cuedeck.model.scene import Target
from cuedeck.store.disk import read_text

CLOSED = ("done", "archived")


class NoActiveCard(Ambiguous):
    """No card, or several, could be the one to build a scene for."""


def find_root(project: Project, card: str | None) -> Target:
    """Return the root of the scene: the card asked for, else the active one.

    Raises: NotFound or Ambiguous for a card that is asked for, NoActiveCard with the open cards.
    """
    if card:
        return find_card(project, card)
    pointer = active_id(project)
    if pointer:
        try:
            return find_card(project, pointer)
        except CueDeckError as error:
            near = f"{error.hint}; " if error.hint else ""
            raise NoActiveCard(
                f".cuedeck/active names `{pointer}`, and there is no such card",
                hint=f"{near}choose one: cuedeck card activate ID",
                candidates=_open_ids(project),
            ) from error
    active = [file for file in cards(project) if file.card and file.card.status == "active"]
    if len(active) == 1:
        return find_card(project, active[0].path)
    if active:
        named = tuple(_name(file) for file in active)
        raise NoActiveCard(
            f"{len(active)} cards have the status active", hint="choose one: cuedeck card activate ID", candidates=named
        )
    hint = (
        "choose one: cuedeck card activate ID"
        if _open_ids(project)
        else 'make one: cuedeck card new --activate -- "TITLE"'
    )
    raise NoActiveCard("no card is active", hint=hint, candidates=_open_ids(project))


def find_card(project: Project, text: str) -> Target:
    """Return the card that `text` names: its id, a unique prefix, its path or its title."""
    found = resolve_address(text, project.index)
    if found.kind != "card":
        raise Invalid(
            f"`{text}` is {found.address}, which is no card",
            hint="cards live in .cuedeck/cards/; `cuedeck list` shows them",
        )
    return found


def cards(project: Project) -> list[File]:
    """Return every card, by path."""
    return list(project.index.files("card"))


def active_id(project: Project) -> str:
    """Return what `.cuedeck/active` names, or empty."""
    return (read_text(project.workspace.active) or "").strip()


def open_cards(project: Project) -> list[File]:
    """Return the cards that are neither done nor archived, by path."""
    return [file for file in cards(project) if file.card and file.card.status not in CLOSED]


def _open_ids(project: Project) -> tuple[str, ...]:
    return tuple(_name(file) for file in open_cards(project))


def _name(file: File) -> str:
    assert file.card is not None
    return f"{file.card.id} {file.card.title}"
