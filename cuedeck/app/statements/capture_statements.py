"""Capture of statements from prompts and transcripts, without a model."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cuedeck.app.mask_answers import mask_given
from cuedeck.hosts import transcript_format
from cuedeck.model.hook_event import plain_name, session_name
from cuedeck.model.statement import Spoken, Statement
from cuedeck.parse.transcript import Row, read_rows
from cuedeck.records.statements.conversation import read_exchanges
from cuedeck.records.statements.extract import extract_statements
from cuedeck.store.fs.disk import lines_of, newest_files, read_tail
from cuedeck.store.ledgers.statement_files import StatementFiles, is_turn_end
from cuedeck.store.workspace_paths import is_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cuedeck.app.hooks.hook_context import HookContext
    from cuedeck.app.workspace import Workspace

_TAIL_BYTES = 4_000_000
"""End of a transcript in which the last turn is searched for."""
_MOST_NEIGHBOURS = 5
"""Newest transcripts next to that of a new session that are looked at."""


@dataclass(frozen=True, slots=True)
class Captured:
    """A transcript of this workspace."""

    session: str
    statements: int
    """Number of its statements."""
    added: int
    """Number of those that were new."""


def capture_prompt(context: HookContext, prompt: str) -> None:
    """Add the statements of a prompt as soon as it is processed, so that a host killed
    in the middle of the turn loses nothing. Raises: Locked, StorageError.
    """
    files = StatementFiles(context.workspace.paths)
    session = session_name(context.event)
    turn = 1 + _last_turn(files, session)
    spoken = Spoken(turn, prompt, (), _moment(context.seconds))
    files.add(session, _statements(context.workspace, spoken))


def capture_turn(context: HookContext, message: str) -> None:
    """Add the statements of the turn that has just ended: from the transcript, else
    from the last message of the agent. Raises: Locked, StorageError.
    """
    workspace, event = context.workspace, context.event
    files = StatementFiles(workspace.paths)
    session = session_name(event)
    rows = files.rows(files.path(session))
    turn = _last_turn(files, session)
    if any(is_turn_end(row.value) and row.value.get("turn") == turn for row in rows):
        turn += 1
    spoken = Spoken(max(turn, 1), "", (message,))
    if event.transcript:
        data = read_tail(event.transcript, _TAIL_BYTES)
        spoken_rows = read_rows(data.split(b"\n"), transcript_format())
        last = next(iter(deque(read_exchanges(spoken_rows), maxlen=1)), spoken)
        if last.replies:
            spoken = last
    spoken = replace(spoken, turn=max(turn, 1), timestamp=_moment(context.seconds))
    found = _statements(workspace, spoken)
    files.add(session, found, ended=spoken.turn)


def capture_neighbours(context: HookContext) -> None:
    """Add the missing statements of sessions whose transcripts are next to that of a
    new one: a host may have been killed, or hooks may have been off.

    Raises: Locked, StorageError.
    """
    own = context.event.transcript
    if not own:
        return
    folder, ending = os.path.dirname(own), os.path.splitext(own)[1]
    files = StatementFiles(context.workspace.paths)
    for changed, place in newest_files(folder, ending, _MOST_NEIGHBOURS):
        name = os.path.basename(place).removesuffix(ending)
        if place != own and changed > files.changed_at(name):
            capture_transcript(context.workspace, place)


def capture_transcript(
    workspace: Workspace, place: str, *, dry_run: bool = False
) -> Captured | None:
    """Add the statements of a whole transcript; None if it is of another workspace or
    has no words. Raises: Locked, StorageError.
    """
    session = os.path.splitext(os.path.basename(place))[0]
    statements: list[Statement] = []
    ended = 0
    rows = list(_rows_of_workspace(workspace, place))
    session = next((plain_name(row.session) for row in rows if row.session), session)
    for spoken in read_exchanges(rows):
        statements += _statements(workspace, spoken)
        ended = spoken.turn if spoken.replies else ended
    if not statements:
        return None
    files = StatementFiles(workspace.paths)
    if dry_run:
        return Captured(session, len(statements), files.count_new(session, statements))
    added = files.add(session, statements, ended=ended)
    return Captured(session, len(statements), len(added))


def _rows_of_workspace(workspace: Workspace, place: str) -> Iterator[Row]:
    """Yield the rows of a transcript whose working folder is in the workspace."""
    root = os.path.realpath(workspace.paths.root)
    for row in read_rows(lines_of(place), transcript_format()):
        if row.kind != "words" or not row.cwd:
            continue
        folder = os.path.realpath(row.cwd)
        if folder == root or is_below(folder, root):
            yield row


def _last_turn(files: StatementFiles, session: str) -> int:
    """Return the number of the last turn in the file of a session; 0 without one."""
    turns = [_turn(row.value) for row in files.rows(files.path(session))]
    return max(turns, default=0)


def _statements(workspace: Workspace, spoken: Spoken) -> list[Statement]:
    """Return the statements of an exchange.

    Its texts are masked as a whole, because a passage may lack the name that shows a
    value to be a secret.
    """
    masked = replace(
        spoken,
        prompt=mask_given(spoken.prompt, workspace),
        replies=tuple(mask_given(each, workspace) for each in spoken.replies),
        options=mask_given(spoken.options, workspace),
    )
    return extract_statements(masked)


def _turn(value: Mapping[str, object]) -> int:
    turn = value.get("turn", 0)
    return turn if isinstance(turn, int) else 0


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
