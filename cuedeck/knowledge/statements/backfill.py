"""Capture from the transcripts that a host wrote before CueDeck was set up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.turn_records import turn_record
from cuedeck.agents.hosts import find_hooks
from cuedeck.knowledge.memory.add_record import add_records
from cuedeck.knowledge.statements.capture_statements import (
    capture_transcript,
    new_transcripts,
)
from cuedeck.ledger.records.memory_files import memory_of
from cuedeck.model.errors import Invalid
from cuedeck.store.capture_consent import is_agreed
from cuedeck.store.files.host_files import places_like

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json

Progress = Callable[[int, int], object]
"""Receiver of the numbers of files read and of all files."""


def backfill(
    workspace: Workspace,
    host: str,
    *,
    folder: str = "",
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Json:
    """Add the statements of all transcripts of a host that belong to this workspace, or
    of those in a folder that have changed; with `dry_run` only count them.

    Raises: Invalid without the agreement of the user, and for a host whose transcripts
    CueDeck does not find; Locked, StorageError.
    """
    hooks = find_hooks(host)
    if hooks is None or not (folder or hooks.transcript.places):
        raise Invalid(
            f"the transcripts of `{host}` cannot be found",
            hint="use one of: claude, codex, qwen; or name their folder with --from",
        )
    if not dry_run and not is_agreed(workspace.paths.root):
        raise Invalid(
            "you have not agreed to record sessions of this workspace",
            hint="`cuedeck capture on` agrees; --dry-run only counts",
        )
    if folder:
        places = [place for place, _ in new_transcripts(workspace.paths, folder)]
    else:
        patterns = hooks.transcript.places
        found = [
            each for name in patterns for each in places_like(workspace.paths, name)
        ]
        places = [absolute for _, absolute in found]
    sessions = []
    for at, place in enumerate(places, 1):
        captured = capture_transcript(
            workspace, place, dry_run=dry_run, is_asked=not folder
        )
        if captured is not None:
            if captured.summary:
                record = turn_record(host, captured.summary)
                add_records(workspace, memory_of(workspace), [record])
            sessions.append(
                {
                    "session": captured.session,
                    "statements": captured.statements,
                    "added": captured.added,
                }
            )
        if progress is not None:
            progress(at, len(places))
    return {
        "host": host,
        "dry_run": dry_run,
        "transcripts": len(places),
        "sessions": sessions,
    }
