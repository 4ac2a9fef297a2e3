"""Creation of cards, and validation shared with edits of cards."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.search.symbol_addresses import symbols_named
from cuedeck.engine.active_card import replaced_card
from cuedeck.engine.citations import existing_place
from cuedeck.engine.mask_answers import mask_given
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import name_key
from cuedeck.model.diagnostic import UNREADABLE
from cuedeck.model.errors import Ambiguous, Invalid, NotFound, StorageError, TooLong
from cuedeck.model.file import CLOSED, Link
from cuedeck.model.ids import new_id
from cuedeck.model.paths import CARDS
from cuedeck.model.scene_values import Target
from cuedeck.parse.refs import read_back
from cuedeck.parse.text_decoding import decode
from cuedeck.parse.yaml_quoting import render_card
from cuedeck.store.clock import timestamp
from cuedeck.store.files.disk import create, user_file, write_atomic
from cuedeck.work.cards.card_dependencies import new_dependencies

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.workspace_paths import WorkspacePaths

LONGEST_TITLE = 3_000
MASKED = "warning: a secret was masked before the card was written, because cards are committed; rotate it"

_UNREAD_HINTS = {
    "binary": "leave out the NUL characters",
    "blank-run": "leave out the blanks",
    "large-file": "put the text into a doc and give its path with the refs",
}
"""Hint for each diagnostic code that makes a card unreadable."""


class NewCard(NamedTuple):
    """Fields and text of a new card."""

    title: str
    refs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    priority: str = "medium"
    assignee: str = ""
    depends_on: tuple[str, ...] = ()
    body: str = ""
    status: str = "todo"
    """`active` also makes it the active card."""


def new_card(workspace: Workspace, wanted: NewCard) -> tuple[Json, tuple[str, ...]]:
    """Write a new card; return its JSON, and a warning if a secret was masked.

    Raises: Invalid for an empty or too long title, an invalid ref, or a card that would
    be unreadable; NotFound or Ambiguous for a dependency or a ref.
    """
    refs = dict.fromkeys(new_ref(workspace.paths, ref) for ref in wanted.refs)
    original = wanted._replace(refs=tuple(refs))
    wanted = mask_given(original, workspace)
    warnings = [] if wanted == original else [MASKED]
    wanted = wanted._replace(title=clean_title(wanted.title))
    workspace.refresh()
    path = f"{CARDS}/new.md"
    ids = new_dependencies(workspace.index, path, wanted.depends_on)
    wanted = wanted._replace(depends_on=tuple(dict.fromkeys(ids)))
    for ref in wanted.refs:
        ref_target(workspace.corpus, workspace.index, path, ref)
    for path in _same_title(workspace.index, wanted.title)[:1]:
        warnings.append(f"warning: {path} is an open card with the same title")

    identity = _write_card(workspace.paths, wanted)
    path = f"{CARDS}/{identity}.md"
    answer: Json = {"id": identity, "path": path}
    if wanted.status == "active":
        replaced = replaced_card(workspace.index, workspace.paths, path)
        if replaced is not None:
            answer["replaced"] = replaced
        point_at(workspace.paths, identity)
    workspace.tree.refresh_paths([path])
    return answer, tuple(warnings)


def _same_title(index: Index, title: str) -> list[str]:
    """Return the paths of the open cards with a title, compared without case."""
    key = name_key(title)
    found = []
    for path in index.named(key):
        file = index.file(path)
        card = file.card if file is not None else None
        if card is None or card.status in CLOSED:
            continue
        if name_key(card.title) == key:
            found.append(path)
    return found


def _write_card(paths: WorkspacePaths, wanted: NewCard) -> str:
    """Create the file of a card; return its id."""
    now = timestamp()

    def write(identity: str) -> bool:
        path = f"{CARDS}/{identity}.md"
        values = {"id": identity, **wanted._asdict(), "created": now, "updated": now}
        given = []
        for key in _FIELDS:
            if values[key] or key == "refs":
                given.append((key, values[key]))
        text = f"# {wanted.title}\n"
        body = wanted.body.strip()
        if body:
            text += f"\n{body}\n"
        data = render_card(given, text).encode()
        check_readable(path, data)
        is_new = create(user_file(paths.root, path), data, paths.cache)
        return not is_new

    # The exclusive creation of the file reserves the id, so that two processes never
    # get the same one.
    return new_id(f"{wanted.title}\0{time.time_ns()}".encode(), write)


_FIELDS = [
    "id",
    "title",
    "status",
    "priority",
    "tags",
    "assignee",
    "refs",
    "depends_on",
    "created",
    "updated",
]
"""Keys of the front matter, in order."""


def to_ref(address: str) -> str:
    """Return the ref for an address entered by a user, without a leading `./`.

    In a card `./a.md` would mean the file next to the card, not the one at the root of
    the workspace.
    """
    return address.removeprefix("./") or address


def new_ref(paths: WorkspacePaths, address: str) -> str:
    """Return the ref to write for an address, or a place as another program prints it,
    entered by a user. Raises: Invalid if it would not be parsed as a ref.
    """
    ref = to_ref(existing_place(paths, address))
    read_back(ref)
    return ref


def ref_target(corpus: WorkspaceCorpus, index: Index, path: str, ref: str) -> Target:
    """Return the target of a new ref of a card.

    Raises: NotFound for a dead ref, Ambiguous for several targets, StorageError for an
    unreadable file.
    """
    link = Link(
        ref=read_back(ref),
        line=0,
        form="refs",
        view="",
        pin=False,
    )
    found = resolve(link, path, index)
    if isinstance(found, Target):
        return found
    if found.reason == "ambiguous":
        raise Ambiguous(
            f"`{ref}` matches several addresses",
            hint="give one of the candidates",
            candidates=found.candidates,
        )
    if found.reason == UNREADABLE:
        raise StorageError(
            f"{found.candidates[0]} cannot be read", hint="check its permissions"
        )
    symbols = symbols_named(corpus, index, ref)
    if symbols:
        raise symbols
    hint = "`cuedeck find TEXT` searches names and texts"
    if found.suggestion:
        hint = f"did you mean `{found.suggestion}`?"
    raise NotFound(f"`{ref}` has no target", hint=hint, candidates=found.candidates)


def check_readable(path: str, data: bytes) -> None:
    """Raise Invalid, with the message of the parser, if a card would be unreadable."""
    from cuedeck.parse.parse_file import MAX_PARSED_BYTES, parse_file

    decoded = decode(data)
    if decoded.binary or len(data) > MAX_PARSED_BYTES:
        found = parse_file(path, data, decoded).diagnostics[0]
        raise Invalid(
            f"the card would not be readable: {found.message}",
            hint=_UNREAD_HINTS[found.code],
        )


def clean_title(title: str) -> str:
    """Return a title on one line, with single spaces. Raises: Invalid if it is empty or
    too long.
    """
    title = " ".join(title.split())
    if not title:
        raise Invalid(
            "a card needs a title",
            hint='give a short description, such as "Fix the login"',
        )
    if len(title) > LONGEST_TITLE:
        hint = "put the details into the text of the card"
        raise TooLong(f"a title has at most {LONGEST_TITLE:,} characters", hint=hint)
    return title


def point_at(paths: WorkspacePaths, identity: str) -> None:
    """Write the id of the active card to `.cuedeck/active`; empty for none."""
    data = b""
    if identity:
        data = f"{identity}\n".encode()
    write_atomic(paths.active, data, paths.cache)
