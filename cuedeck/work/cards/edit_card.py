"""Edits of the front matter of a card: fields, tags, refs, dependencies. Only the
affected lines are changed. Deletion of a card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.search.symbol_addresses import links_to
from cuedeck.engine.active_card import (
    active_id,
    active_path,
    find_card_file,
    find_root,
    replaced_card,
)
from cuedeck.engine.mask_answers import mask_given
from cuedeck.model.errors import Invalid, NoActiveCard, NotFound, StorageError
from cuedeck.model.file import CLOSED, File
from cuedeck.model.secret import check_placeholders
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.frontmatter_edit import add_item, remove_item, set_key
from cuedeck.parse.parse_file import MAX_PARSED_BYTES
from cuedeck.parse.refs import item_target
from cuedeck.parse.text_decoding import decode
from cuedeck.store.clock import timestamp
from cuedeck.store.files.disk import read_bytes, user_file, write_atomic
from cuedeck.store.files.file_lock import FILES, locked
from cuedeck.store.files.workspace_files import back_up, remove_file
from cuedeck.work.cards.card_dependencies import (
    dependencies,
    new_dependencies,
    written_dependencies,
)
from cuedeck.work.cards.create_card import (
    MASKED,
    check_readable,
    clean_title,
    new_ref,
    point_at,
    ref_target,
    to_ref,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import Card
    from cuedeck.model.ports import Json
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


Edit = Callable[[bytes], bytes]
_UPDATED = ("updated", "updated_at", "last_modified")
"""Accepted spellings of the front-matter key with the time of the last change."""


class CardChange(NamedTuple):
    """Changes of a card; empty fields change nothing."""

    fields: Mapping[str, str] = MappingProxyType({})
    """Scalar front-matter values by key."""
    status: str = ""
    """New status that also updates `.cuedeck/active`; a `status` in `fields` only
    changes the value.
    """
    add_tags: tuple[str, ...] = ()
    drop_tags: tuple[str, ...] = ()
    add_refs: tuple[str, ...] = ()
    drop_refs: tuple[str, ...] = ()
    add_depends_on: tuple[str, ...] = ()
    drop_depends_on: tuple[str, ...] = ()


def update_card(workspace: Workspace, text: str, change: CardChange) -> Json:
    """Apply all changes to a card in one write, or none of them.

    Secrets in fields and tags are masked, with a warning. A card set to done or
    archived stops being the active card; for one set to active, `replaced` is the card
    that was active before. Raises: NotFound or Ambiguous for the card, a
    dependency or a ref; CycleFound if the dependencies would form a cycle; Invalid for
    an invalid title or ref, for a placeholder that the card lacks, or if the front
    matter is broken.
    """
    given = (dict(change.fields), change.add_tags)
    fields, tags = mask_given(given, workspace)
    has_secrets = given != (fields, tags)
    if "title" in fields:
        fields["title"] = clean_title(fields["title"])
    if change.status:
        fields["status"] = change.status
    workspace.refresh()
    file, card = find_card_file(workspace.index, text)
    was_active = (
        change.status in CLOSED
        and active_path(workspace.index, workspace.paths) == file.path
    )
    added, dropped = _item_changes(workspace, file, card, change, tags)

    def edit(data: bytes) -> bytes:
        check_placeholders("\n".join(change.fields.values()), decode(data).text)
        for key, value in fields.items():
            data = set_key(data, key, value)
        for key, item in added:
            data = add_item(data, key, item)
        for key, item in dropped:
            data = remove_item(data, key, item)
        for ref in change.drop_refs:
            data = _without_ref(file, data, ref)
        return data

    replaced = None
    if change.status == "active":
        replaced = replaced_card(workspace.index, workspace.paths, file.path)
    answer = change_card(
        workspace.paths, workspace.tree, workspace.index, file.path, edit
    )
    if change.status == "active":
        answer["replaced"] = replaced
        point_at(workspace.paths, answer["id"])
    elif was_active:
        point_at(workspace.paths, "")
    if has_secrets:
        answer["warnings"] = [MASKED]
    return answer


def _item_changes(
    workspace: Workspace,
    file: File,
    card: Card,
    change: CardChange,
    tags: Sequence[str],
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the list items to add and to remove, each with its key; `tags` are the
    tags to add, masked.

    Raises: NotFound or Ambiguous for a dependency or a ref, CycleFound, Invalid for an
    invalid ref.
    """
    refs = [new_ref(workspace.paths, ref) for ref in change.add_refs]
    for ref in refs:
        ref_target(workspace.corpus, workspace.index, file.path, ref)
    ids = new_dependencies(workspace.index, file.path, change.add_depends_on)
    added = [("depends_on", identity) for identity in ids]
    added += [("refs", ref) for ref in refs]
    added += [("tags", tag) for tag in tags]
    dropped = []
    for other in change.drop_depends_on:
        entries = written_dependencies(workspace.index, file.path, card, other)
        dropped += [("depends_on", entry) for entry in entries]
    dropped += [("tags", tag) for tag in change.drop_tags]
    return added, dropped


def set_status(workspace: Workspace, text: str, status: str) -> Json:
    """Set the status of a card with `update_card`, and return also the card that is
    active afterwards.

    Reopening a card (`todo`) does not change a card that is still open.
    """
    if status == "todo":
        workspace.refresh()
        file, card = find_card_file(workspace.index, text)
        if card.status not in CLOSED:
            answer = {"id": card.id, "path": file.path, "changed": False}
            return {**answer, "status": card.status}
    answer = update_card(workspace, text, CardChange(status=status))
    return {
        **answer,
        "status": status,
        **_describe_active(workspace.index, workspace.paths),
    }


def _describe_active(index: Index, paths: WorkspacePaths) -> Json:
    """Return the active card and whether it is active only by its status; without one,
    how to choose it.

    A card can be active only by its status, so a change of another card can make it
    active; the user must see that.
    """
    try:
        path = find_root(index, paths, None).path
    except NoActiveCard as error:
        choice = {
            "why": error.message,
            "hint": error.hint,
            "cards": list(error.candidates),
        }
        return {"active": None, "choose": choice}
    file = index.file(path)
    assert file is not None and file.card is not None
    by_status = not active_id(paths)
    row = {"id": file.card.id, "title": file.card.title, "path": path}
    return {"active": {**row, "by_status": by_status}}


def add_ref(workspace: Workspace, text: str, ref: str) -> Json:
    """Add a ref to a card. Raises: the errors of `update_card`."""
    ref = new_ref(workspace.paths, ref)
    answer = update_card(workspace, text, CardChange(add_refs=(ref,)))
    target = ref_target(workspace.corpus, workspace.index, answer["path"], ref)
    return {**answer, "ref": ref, "address": target.address}


def _without_ref(file: File, data: bytes, ref: str) -> bytes:
    written = _written_refs(file.path, data)
    items = {item_target(item): item for item in reversed(written)}
    items.update((item, item) for item in written)
    # `a.md` and `./a.md` may both be refs of one card: an exact match precedes a
    # normalised one.
    item = items.get(ref) or items.get(to_ref(ref))
    if item:
        return remove_item(data, "refs", item)
    refs = tuple(link.ref for link in file.links if link.form == "refs")
    raise NotFound(
        f"{file.path} has no ref `{ref}`",
        hint="`cuedeck card show CARD` lists its refs",
        candidates=refs,
    )


def _written_refs(path: str, data: bytes) -> list[str]:
    """Return the refs of a card as written in the file: `[[auth]]` where the parsed ref
    is `auth`.
    """
    value = split_front_matter(path, decode(data).text).values.get("refs")
    items = value if isinstance(value, list) else [value]
    refs = []
    for item in items:
        refs.append(item.get("ref") if isinstance(item, dict) else item)
    return [ref for ref in refs if isinstance(ref, str)]


def change_card(
    paths: WorkspacePaths, tree: Tree, index: Index, path: str, edit: Edit
) -> Json:
    """Apply an edit to the card at a path under the lock of the cards; update its time
    stamp if the bytes changed.

    Raises: Invalid if the edit is impossible or the card would be unreadable;
    StorageError if the file is missing or cannot be written.
    """
    place = user_file(paths.root, path)
    with locked(paths, FILES):
        data = read_bytes(place)
        if data is None:
            raise StorageError(
                f"{path} is gone",
                hint="another process deleted the file; run the command again",
            )
        try:
            edited = edit(data)
            if edited != data:
                edited = set_key(edited, _updated_key(data), timestamp())
                if len(data) <= MAX_PARSED_BYTES:
                    # Allow closing a card that was already too large.
                    check_readable(path, edited)
                write_atomic(place, edited, paths.cache)
        except Invalid as error:
            raise error.in_file(path) from error
    tree.refresh_paths([path])
    return {
        "id": find_card_file(index, path)[1].id,
        "path": path,
        "changed": edited != data,
    }


def _updated_key(data: bytes) -> str:
    header = data.replace(b"\r", b"\n").split(b"\n---")[0]
    for key in _UPDATED:
        if f"\n{key}:".encode() in header:
            return key
    return _UPDATED[0]


def delete_card(workspace: Workspace, text: str, *, dry_run: bool = False) -> Json:
    """Delete the file of a card after a backup; return its JSON with the links and the
    dependencies that lead nowhere without it.

    Raises: NotFound, Ambiguous, Invalid, StorageError.
    """
    workspace.refresh()
    file, card = find_card_file(workspace.index, text)
    paths = workspace.paths
    answer = {
        "id": card.id,
        "title": card.title,
        "path": file.path,
        "dry_run": dry_run,
        "was_active": active_path(workspace.index, workspace.paths) == file.path,
        "refs": links_to(workspace.index, file.path),
        "dependents": dependencies(workspace, file.path, reverse=True)["cards"],
        "backup": None,
    }
    if dry_run:
        return answer
    user_file(paths.root, file.path)
    with locked(paths, FILES):
        answer["backup"] = back_up(paths, file.path)
        if answer["backup"] is None:
            raise StorageError(
                f"{file.path} is gone", hint="another process deleted the file"
            )
        remove_file(paths, file.path)
    if answer["was_active"]:
        point_at(workspace.paths, "")
    workspace.tree.refresh_paths([file.path])
    return answer
