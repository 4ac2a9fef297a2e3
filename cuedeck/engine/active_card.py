"""Selection of the active card and lookup of cards by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.resolve_ref import whole_file
from cuedeck.model.address import name_key
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import (
    Ambiguous,
    CueDeckError,
    Invalid,
    NoActiveCard,
    NotFound,
    StorageError,
)
from cuedeck.model.file import CLOSED, Card, File
from cuedeck.model.paths import ACTIVE, CARDS
from cuedeck.model.scene_values import Target
from cuedeck.store.files.disk import LARGEST_POINTER, read_text

if TYPE_CHECKING:
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_CHOOSE = "choose one: `cuedeck card activate ID`"


def active_id(paths: WorkspacePaths) -> str:
    """Return the id of the card that `.cuedeck/active` names; empty if it names none.
    Raises: StorageError.
    """
    return (read_text(paths.active, LARGEST_POINTER) or "").strip()


def find_root(index: Index, paths: WorkspacePaths, card: str | None) -> Target:
    """Return the root of the scene: the named card, else the active card.

    Raises: NotFound or Ambiguous for a named card; NoActiveCard, with the open cards as
    candidates.
    """
    if card:
        return find_card(index, card)
    try:
        pointer = active_id(paths)
    except StorageError as error:
        message = error.message.replace(paths.active, ACTIVE)
        raise NoActiveCard(
            message,
            hint=f"{error.hint}; {_CHOOSE}",
            candidates=_open_names(index),
        ) from error
    if pointer:
        return _find_selected(index, pointer)
    files = [index.file(path) for path in index.active_cards()]
    active = [file for file in files if file is not None]
    if len(active) == 1:
        return whole_file(active[0])
    if active:
        names = tuple(map(_name, active))
        raise NoActiveCard(
            f"{len(active)} cards have the status active",
            hint=_CHOOSE,
            candidates=names,
        )
    candidates = _open_names(index)
    hint = (
        _CHOOSE
        if candidates
        else 'create one: `cuedeck card new --activate -- "TITLE"`'
    )
    raise NoActiveCard("no card is active", hint=hint, candidates=candidates)


def active_card(index: Index, paths: WorkspacePaths) -> File | None:
    """Return the file of the active card; None without exactly one."""
    try:
        return index.file(find_root(index, paths, None).path)
    except (NoActiveCard, NotFound):
        return None


def _find_selected(index: Index, pointer: str) -> Target:
    """Return the card that `.cuedeck/active` names. Raises: NoActiveCard, with the open
    cards as candidates.
    """
    try:
        return find_card(index, pointer)
    except Invalid as error:
        message = f"{ACTIVE}: {error.message}"
        hint = f"{error.hint}; {_CHOOSE}"
        raise NoActiveCard(message, hint=hint, candidates=_open_names(index)) from error
    except CueDeckError as error:
        message = f"{ACTIVE} names the card `{pointer}`, which does not exist"
        hint = f"{error.hint}; {_CHOOSE}" if error.hint else _CHOOSE
        raise NoActiveCard(message, hint=hint, candidates=_open_names(index)) from error


def find_card(index: Index, text: str) -> Target:
    """Return the card named by its id, title, alias, unique prefix of its id, or path.

    Raises: NotFound; Ambiguous; Invalid if `text` names something else.
    """
    target = _named_card(index, text.strip()) or _addressed(index, text)
    if target.kind == "card":
        return target
    for diagnostic in unread_cards(index):
        if diagnostic.path == target.path:
            raise Invalid(
                f"`{text}` is {target.address}: {diagnostic.message}",
                hint=diagnostic.hint,
            )
    named = f"`{text}`"
    if text != target.address:
        named = f"`{text}` is {target.address}, which"
    raise Invalid(
        f"{named} is not a card",
        hint="cards are the files of .cuedeck/cards/; `cuedeck list` lists them",
    )


def _addressed(index: Index, text: str) -> Target:
    """Return the target of an address; a text that resembles no address is reported as
    the name of a card.
    """
    try:
        return resolve_address(text, index)
    except NotFound as error:
        if error.candidates or "#" in text or "/" in text:
            raise
        raise NotFound(
            f"there is no card `{text}`",
            hint="`cuedeck list --status all` lists the cards",
        ) from None


def find_card_file(index: Index, text: str) -> tuple[File, Card]:
    """Return the file and the fields of the named card. Raises: NotFound, Ambiguous,
    Invalid.
    """
    file = index.file(find_card(index, text).path)
    assert file is not None and file.card is not None
    return file, file.card


def active_path(index: Index, paths: WorkspacePaths) -> str:
    """Return the path of the active card; empty if there is none, or several without a
    selected one.
    """
    try:
        return find_root(index, paths, None).path
    except NoActiveCard:
        return ""


def replaced_card(
    index: Index, paths: WorkspacePaths, path: str
) -> dict[str, str] | None:
    """Return the open card that is active before the card at `path` becomes the active
    one; None without another one. Its status does not change.
    """
    before = index.file(active_path(index, paths))
    if before is None or before.card is None or before.path == path:
        return None
    card = before.card
    if card.status in CLOSED:
        return None
    return {
        "id": card.id,
        "title": card.title,
        "path": before.path,
        "status": card.status,
    }


def cards(index: Index) -> list[File]:
    """Return all cards, in order of path."""
    return list(index.files("card"))


def unread_cards(index: Index) -> list[Diagnostic]:
    """Return the diagnostics of unreadable cards and of the folder of cards itself, in
    order of path.
    """
    unread = []
    for diagnostic in index.troubled():
        file = index.file(diagnostic.path)
        is_card = file is not None and file.card is not None
        if not is_card and f"{diagnostic.path}/".startswith(f"{CARDS}/"):
            unread.append(diagnostic)
    return unread


def open_cards(index: Index) -> list[File]:
    """Return the cards that are neither done nor archived, in order of path."""
    return [
        file for file in cards(index) if file.card and file.card.status not in CLOSED
    ]


def _named_card(index: Index, text: str) -> Target | None:
    """Return the card named `text`, or None. Only cards are searched, so a doc of the
    same name does not conflict.
    """
    named = [
        path for path in index.named(name_key(text)) if path.startswith(f"{CARDS}/")
    ]
    by_id = [
        path
        for path in named
        if path == f"{CARDS}/{text}.md" or has_id(index, path, text)
    ]
    named = by_id or named
    if len(named) > 1:
        raise Ambiguous(
            f"`{text}` matches several cards",
            hint="give one of the candidates",
            candidates=tuple(named),
        )
    if named:
        return resolve_address(named[0], index)
    try:
        return resolve_address(f"card:{text}", index)
    except NotFound:
        return None


def has_id(index: Index, path: str, identity: str) -> bool:
    """Return whether the file at a path is a card with this id."""
    file = index.file(path)
    if file is None or file.card is None:
        return False
    return file.card.id == identity


def _open_names(index: Index) -> tuple[str, ...]:
    return tuple(_name(file) for file in open_cards(index))


def _name(file: File) -> str:
    assert file.card is not None
    return f"{file.card.id} {file.card.title}"
