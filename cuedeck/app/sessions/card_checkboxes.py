"""The check boxes of a card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cuedeck.app.sessions.open_session import card_file
from cuedeck.model.errors import StorageError
from cuedeck.model.paths import HOME
from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.store.fs.disk import read_bytes

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.parse.checkboxes import Box
    from cuedeck.scene.mask import Mask

_BOXES = (b"[ ]", b"[x]", b"[X]")


def boxes_of(project: Workspace, identity: str, mask: Callable[[], Mask]) -> Sequence[Box]:
    """Return the check boxes of a card, in order, secrets masked; none when it is gone or nobody is named.

    `mask` gives that of the output that they are a part of; it is asked for where there are any.
    """
    if not identity:
        return ()
    try:
        # Most cards have none, and then they need not be parsed for it.
        data = read_bytes(project.workspace.absolute(f"{HOME}/cards/{identity}.md")) or b""
        file = card_file(project, identity) if any(box in data for box in _BOXES) else None
        if file is None or file.lines < file.body:
            return ()
        text = mask().lines(file.path, [(file.body, file.lines)])[0]
    except StorageError:  # it changed a moment ago
        return ()
    from cuedeck.parse.checkboxes import parse_boxes

    return parse_boxes(text)


def checked_boxes(project: Workspace, identity: str) -> tuple[str, ...]:
    """Return the texts of the boxes that are checked, as they are kept and compared: no number tells secrets apart."""
    return tuple(unnumbered(box.text) for box in boxes_of(project, identity, project.mask) if box.checked)
