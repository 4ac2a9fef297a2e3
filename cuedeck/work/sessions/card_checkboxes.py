"""The checkboxes of a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cuedeck.engine.open_session import card_file
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME
from cuedeck.model.secret import unnumbered
from cuedeck.parse.card_file import parse_boxes
from cuedeck.store.files.disk import read_bytes

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.parse.card_file import Box
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_BOXES = (b"[ ]", b"[x]", b"[X]")


def card_boxes(
    index: Index, paths: WorkspacePaths, identity: str, mask: Callable[[], Mask]
) -> Sequence[Box]:
    """Return the checkboxes of a card, in order, with masked secrets; none if
    `identity` is empty or the card is gone.

    `mask` returns the mask of the output that contains them. It is called only if the
    card has checkboxes.
    """
    if not identity:
        return ()
    try:
        place = paths.absolute(f"{HOME}/cards/{identity}.md")
        data = read_bytes(place) or b""
        if not any(box in data for box in _BOXES):  # most cards: they need no parsing
            return ()
        file = card_file(index, identity)
        if file is None or file.lines < file.body:
            return ()
        (text,) = mask().lines(file.path, [(file.body, file.lines)])
    except StorageError:  # the file changed after it was indexed
        return ()
    return parse_boxes(text)


def checked_boxes(workspace: Workspace, identity: str) -> tuple[str, ...]:
    """Return the texts of the checked boxes as they are stored: with unnumbered secret
    placeholders.
    """
    return tuple(
        unnumbered(box.text)
        for box in card_boxes(
            workspace.index, workspace.paths, identity, workspace.mask
        )
        if box.checked
    )
