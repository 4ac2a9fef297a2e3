"""Which card a scene is built for."""

from __future__ import annotations

from cuedeck.app.workspace import Workspace
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.model.address import name_key
from cuedeck.model.errors import Ambiguous, CueDeckError, Invalid, NoActiveCard, NotFound
from cuedeck.model.file import CLOSED, Card, Diagnostic, File
from cuedeck.model.paths import ACTIVE, CARDS
from cuedeck.model.scene_values import Target
from cuedeck.store.fs.disk import read_text
from cuedeck.store.index.file_queries import active_cards

_CHOOSE = "choose one: `cuedeck card activate ID`"


def find_root(project: Workspace, card: str | None) -> Target:
    """Return the root of the scene: the card asked for, else the active one.

    Raises: NotFound or Ambiguous for a card that is asked for, NoActiveCard with the open cards.
    """
    if card:
        return find_card(project, card)
    pointer = active_id(project)
    if pointer:
        try:
            return find_card(project, pointer)
        except Invalid as error:
            raise NoActiveCard(
                f"{ACTIVE}: {error.message}", hint=f"{error.hint}; {_CHOOSE}", candidates=_open_ids(project)
            ) from error
        except CueDeckError as error:
            near = f"{error.hint}; " if error.hint else ""
            raise NoActiveCard(
                f"{ACTIVE} names the card `{pointer}`, which does not exist",
                hint=f"{near}{_CHOOSE}",
                candidates=_open_ids(project),
            ) from error
    active = active_cards(project.index)
    if len(active) == 1:
        return resolve_address(active[0], project.index)
    if active:
        named = tuple(_name(file) for path in active if (file := project.index.file(path)))
        raise NoActiveCard(f"{len(active)} cards have the status active", hint=_CHOOSE, candidates=named)
    hint = _CHOOSE if _open_ids(project) else 'create one: `cuedeck card new --activate -- "TITLE"`'
    raise NoActiveCard("no card is active", hint=hint, candidates=_open_ids(project))


def find_card(project: Workspace, text: str) -> Target:
    """Return the card that `text` names: its id, its title or alias, a unique prefix of its id, or its path.

    Raises: NotFound, Ambiguous, Invalid when it names something else.
    """
    found = _named_card(project, text.strip()) or resolve_address(text, project.index)
    if found.kind != "card":
        for each in unread_cards(project):
            if each.path == found.path:
                raise Invalid(f"`{text}` is {found.address}: {each.message}", hint=each.hint)
        raise Invalid(
            f"`{text}` is {found.address}, which is not a card",
            hint="cards are the files of .cuedeck/cards/; `cuedeck list` lists them",
        )
    return found


def find_card_file(project: Workspace, text: str) -> tuple[File, Card]:
    """Return the file and the fields of the card that `text` names. Raises: NotFound, Ambiguous, Invalid."""
    file = project.index.file(find_card(project, text).path)
    assert file is not None and file.card is not None
    return file, file.card


def active_path(project: Workspace) -> str:
    """Return the path of the active card; empty when there is none, or several."""
    try:
        return find_root(project, None).path
    except NoActiveCard:
        return ""


def cards(project: Workspace) -> list[File]:
    """Return every card, by path."""
    return list(project.index.files("card"))


def unread_cards(project: Workspace) -> list[Diagnostic]:
    """Return why something in the folder of cards, or all of it, is no card that can be read, by path."""

    def is_unread(path: str) -> bool:
        file = project.index.file(path)
        return file is None or file.card is None

    found = [each for each in project.index.troubled() if f"{each.path}/".startswith(f"{CARDS}/")]
    return [each for each in found if is_unread(each.path)]


def active_id(project: Workspace) -> str:
    """Return what `.cuedeck/active` names, or empty."""
    return (read_text(project.workspace.active) or "").strip()


def open_cards(project: Workspace) -> list[File]:
    """Return the cards that are neither done nor archived, by path."""
    return [file for file in cards(project) if file.card and file.card.status not in CLOSED]


def _named_card(project: Workspace, text: str) -> Target | None:
    """Look among cards alone, so that a doc of the same name is not in the way."""
    index = project.index
    named = [path for path in index.named(name_key(text)) if path.startswith(f"{CARDS}/")]
    by_id = [path for path in named if path == f"{CARDS}/{text}.md" or has_id(project, path, text)]
    named = by_id or named
    if len(named) > 1:
        raise Ambiguous(f"`{text}` matches several cards", hint="give one of the candidates", candidates=tuple(named))
    if named:
        return resolve_address(named[0], index)
    try:
        return resolve_address(f"card:{text}", index)
    except NotFound:
        return None


def has_id(project: Workspace, path: str, identity: str) -> bool:
    """Tell whether the file at a path is a card of that id."""
    file = project.index.file(path)
    return file is not None and file.card is not None and file.card.id == identity


def _open_ids(project: Workspace) -> tuple[str, ...]:
    return tuple(_name(file) for file in open_cards(project))


def _name(file: File) -> str:
    assert file.card is not None
    return f"{file.card.id} {file.card.title}"
