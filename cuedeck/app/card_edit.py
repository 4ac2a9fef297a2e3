"""Changes of a card: its status, its fields, its refs. Only the lines that must change are touched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from cuedeck.app.active import CLOSED, active_path, find_card_file
from cuedeck.app.cards import point_at
from cuedeck.model.errors import Invalid, StorageError
from cuedeck.store.clock import timestamp
from cuedeck.store.disk import read_bytes, write_atomic
from cuedeck.store.lock import locked

if TYPE_CHECKING:
    from cuedeck.app.project import Project

Edit = Callable[[bytes], bytes]
_UPDATED = (b"updated", b"updated_at", b"last_modified")
"""Spellings of the key that says when a card was changed."""


def set_status(project: Project, text: str, status: str) -> dict[str, Any]:
    """Give a card a status; a card that is done or archived is no longer the active one.

    Taking up a card again (`todo`) does nothing to one that is still open.
    Raises: NotFound or Ambiguous for the card, Invalid when its front matter is broken; nothing is changed then.
    """
    from cuedeck.parse.splice import set_key

    project.refresh()
    was_active = active_path(project)
    file, card = find_card_file(project, text)
    if status == "todo" and card.status not in CLOSED:
        return {"id": card.id, "path": file.path, "changed": False, "status": card.status}
    answer = change_card(project, text, lambda data: set_key(data, "status", status))
    if status == "active":
        point_at(project, answer["id"])
    elif status in ("done", "archived") and was_active == answer["path"]:
        point_at(project, "")
    return {**answer, "status": status}


def set_fields(
    project: Project, text: str, fields: dict[str, str], add_tags: tuple[str, ...] = (), drop_tags: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Set scalar fields and add or drop tags; secrets in them are masked, and a warning says so.

    Raises: NotFound or Ambiguous for the card, Invalid for a title that none can have.
    """
    from cuedeck.app.cards import MASKED, clean_title
    from cuedeck.app.masking import mask_value
    from cuedeck.parse.splice import add_item, remove_item, set_key

    said, (fields, add_tags) = (fields, add_tags), mask_value((fields, add_tags), project)
    clean = {"title": clean_title(fields["title"])} if "title" in fields else {}

    def edit(data: bytes) -> bytes:
        for key, value in (fields | clean).items():
            data = set_key(data, key, value)
        for tag in add_tags:
            data = add_item(data, "tags", tag)
        for tag in drop_tags:
            data = remove_item(data, "tags", tag)
        return data

    answer = change_card(project, text, edit)
    return answer if said == (fields, add_tags) else {**answer, "warnings": [MASKED]}


def add_ref(project: Project, text: str, ref: str) -> dict[str, Any]:
    """Add a ref to a card.

    Raises: NotFound or Ambiguous when it leads nowhere or to several places.
    """
    from cuedeck.graph.resolve import resolve
    from cuedeck.model.errors import Ambiguous, NotFound
    from cuedeck.model.node import Link
    from cuedeck.model.scene import Unresolved
    from cuedeck.parse.splice import add_item

    project.refresh()
    path = find_card_file(project, text)[0].path
    found = resolve(Link(ref, 0, "refs", "", False), path, project.index)
    if isinstance(found, Unresolved):
        if found.reason == "ambiguous":
            raise Ambiguous(f"`{ref}` fits several things", hint="name one of them", candidates=found.candidates)
        near = f"did you mean `{found.suggestion}`?" if found.suggestion else ""
        hint = near or "give a path, a name or an address of this workspace"
        raise NotFound(f"`{ref}` leads nowhere", hint=hint, candidates=found.candidates)
    answer = change_card(project, path, lambda data: add_item(data, "refs", ref))
    return {**answer, "ref": ref, "address": found.address}


def remove_ref(project: Project, text: str, ref: str) -> dict[str, Any]:
    """Take a ref out of a card. Raises: NotFound when the card does not have it."""
    from cuedeck.model.errors import NotFound
    from cuedeck.parse.splice import remove_item
    from cuedeck.parse.target import item_target

    project.refresh()
    file, _ = find_card_file(project, text)
    refs = tuple(link.ref for link in file.links if link.form == "refs")

    def edit(data: bytes) -> bytes:
        for written in _written_refs(file.path, data):
            if ref in (written, item_target(written)):
                return remove_item(data, "refs", written)
        raise NotFound(f"{file.path} has no ref `{ref}`", hint="`cuedeck card show` lists its refs", candidates=refs)

    return {**change_card(project, file.path, edit), "ref": ref}


def _written_refs(path: str, data: bytes) -> Iterator[str]:
    """Yield the refs of a card as they stand in it: `[[auth]]` where the list of its refs says `auth`."""
    from cuedeck.parse.decode import decode
    from cuedeck.parse.frontmatter import split_front_matter

    refs = split_front_matter(path, decode(data).text).values.get("refs")
    for item in refs if isinstance(refs, list) else [refs]:
        text = item.get("ref") if isinstance(item, dict) else item
        if isinstance(text, str):
            yield text


def change_card(project: Project, text: str, edit: Edit) -> dict[str, Any]:
    """Apply an edit under the lock of the cards, and note the time when something changed."""
    from cuedeck.parse.splice import set_key

    project.refresh()
    path = find_card_file(project, text)[0].path
    # A card may be a link to a file of the workspace: then that file is the card.
    place = os.path.realpath(project.workspace.absolute(path))
    with locked(project.workspace, "cards"):
        data = read_bytes(place)
        if data is None:
            raise StorageError(f"{path} is gone", hint="it was there a moment ago; try again")
        try:
            edited = edit(data)
            if edited != data:
                edited = set_key(edited, _updated_key(data), timestamp())
                write_atomic(place, edited, project.workspace.cache)
        except Invalid as error:
            raise Invalid(f"{path}: {error.message}", hint=error.hint) from error
    project.tree.refresh_paths([path])
    return {"id": find_card_file(project, path)[1].id, "path": path, "changed": edited != data}


def _updated_key(data: bytes) -> str:
    """Keep the spelling the card already has."""
    header = data.replace(b"\r", b"\n").split(b"\n---")[0]
    return next((key for key in _UPDATED if b"\n" + key + b":" in header), _UPDATED[0]).decode()
