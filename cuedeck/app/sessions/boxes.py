"""The check boxes of a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.app.active import find_card_file
from cuedeck.model.errors import CueDeckError
from cuedeck.parse.checkboxes import Box, parse_boxes

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def boxes_of(project: Project, identity: str) -> Sequence[Box]:
    """Return the check boxes of a card, in order, secrets masked; none when it is gone or nobody is named."""
    if not identity:
        return ()
    try:
        file, _ = find_card_file(project, identity)
        if file.lines < file.body:
            return ()
        text = project.mask().lines(file.path, [(file.body, file.lines)])[0]
    except CueDeckError:
        return ()
    return parse_boxes(text)
