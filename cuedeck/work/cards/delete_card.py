"""Deletion of a card. A copy stays in `.cuedeck/cache/backup/`; files that link to the
card are listed and not changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.context.search.symbol_addresses import links_to
from cuedeck.engine.active_card import active_path, find_card_file
from cuedeck.model.errors import StorageError
from cuedeck.store.files.disk import user_file
from cuedeck.store.files.file_lock import locked
from cuedeck.store.files.workspace_files import back_up, remove_file
from cuedeck.work.cards.card_dependencies import dependencies
from cuedeck.work.cards.create_card import point_at

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


def delete_card(
    workspace: Workspace, text: str, *, dry_run: bool = False
) -> dict[str, Any]:
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
        "was_active": active_path(workspace) == file.path,
        "refs": links_to(workspace.index, file.path),
        "dependents": dependencies(workspace, file.path, reverse=True)["cards"],
        "backup": None,
    }
    if dry_run:
        return answer
    user_file(paths.root, file.path)
    with locked(paths, "cards"):
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
