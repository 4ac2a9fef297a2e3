"""Origin of ledger entries: the card and the open session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.engine.active_card import active_path, find_card_file
from cuedeck.model.errors import NotFound
from cuedeck.work.sessions.sync_scene import open_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cuedeck.engine.workspace import Workspace


def origin(workspace: Workspace, card: str) -> dict[str, str]:
    """Return the ids of the card (by default the active one) and of the open session.

    The index must be up to date. Raises: NotFound, Ambiguous, Invalid for a named card.
    """
    return {
        "card": find_card_file(workspace.index, card)[1].id
        if card
        else _active_card(workspace),
        "session": open_id(workspace),
    }


def _active_card(workspace: Workspace) -> str:
    path = active_path(workspace)
    file = None
    if path:
        file = workspace.index.file(path)
    if file and file.card:
        return file.card.id
    return ""


def card_filter(workspace: Workspace, text: str, noted: Iterable[str]) -> str:
    """Return the id of the card to filter by. A deleted card is found if `noted`
    contains its id.

    Raises: NotFound, Ambiguous, Invalid.
    """
    try:
        return find_card_file(workspace.index, text)[1].id
    except NotFound:
        if text in noted:
            return text
        raise
