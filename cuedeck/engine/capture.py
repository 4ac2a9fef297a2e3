"""The user's agreement to record sessions of a workspace: given by `setup`, changed and
shown by `capture`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.model.paths import CORTEX, OWN, SESSIONS
from cuedeck.model.ports import Json
from cuedeck.store.capture_consent import answering_folder, read_answer, write_answer
from cuedeck.store.git.exposure import git_hides

if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Host
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.capture_consent import Answer
    from cuedeck.store.workspace_paths import WorkspacePaths

_RECORDED = {
    f"{CORTEX}/session/": "prompts and answers (`cortex.timeline`)",
    f"{OWN.root}/MEMORY.md": "a summary of each turn",
    f"{SESSIONS}/": "statements of conversations, files read and changed, checkpoints",
}
"""Content of each file or folder that is written with the agreement of the user."""
NOT_ANSWERED = "unanswered"


def capture_status(paths: WorkspacePaths) -> Json:
    """Return the answer of the user, and the places of recorded content."""
    root = paths.root
    answer = read_answer(root)
    recorded = []
    for path, what in _RECORDED.items():
        place = paths.shared.root
        is_ignored = git_hides(place, path.rstrip("/"), is_folder=path.endswith("/"))
        shown = paths.from_root(path)
        recorded.append({"path": shown, "what": what, "is_ignored": is_ignored})
    return {
        "capture": answer if answer in ("on", "off") else NOT_ANSWERED,
        "folder": answering_folder(root),
        "recorded": recorded,
    }


def set_capture(workspace: Workspace, answer: Answer) -> Json:
    """Store the answer of the user; return the new status. With `off`, words that wait
    in the queue of hook events are dropped. Raises: StorageError.
    """
    root = workspace.paths.root
    write_answer(root, answer)
    if answer == "off":
        process_hook_events(workspace)
    return capture_status(workspace.paths)


def agree_by_setup(workspace: Workspace, host: Host) -> Json:
    """Take the setup of a host with hooks as the agreement of the user, unless they
    declined before; return the status. Raises: StorageError.
    """
    is_declined = read_answer(workspace.paths.root) == "off"
    if host.hooks is None or is_declined:
        return capture_status(workspace.paths)
    return set_capture(workspace, "on")
