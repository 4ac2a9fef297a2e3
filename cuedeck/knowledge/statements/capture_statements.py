"""Capture of statements from prompts and transcripts, without a model."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from typing import TYPE_CHECKING

from cuedeck.agents.hosts import transcript_format
from cuedeck.engine.mask_answers import mask_given
from cuedeck.knowledge.statements.conversation import read_exchanges
from cuedeck.knowledge.statements.extract import extract_statements
from cuedeck.knowledge.statements.tool_facts import ToolFacts
from cuedeck.knowledge.statements.turn_summary import summarize_turn
from cuedeck.ledger.sessions.agent_sessions import HostSessionFiles
from cuedeck.ledger.statement_files import StatementFiles
from cuedeck.model.hook_event import plain_name, session_name
from cuedeck.model.statement import LONGEST, Spoken, Statement
from cuedeck.parse.transcript import Row, read_rows
from cuedeck.store.capture_consent import agreed_again_at
from cuedeck.store.clock import local_now
from cuedeck.store.files.disk import changed_at, lines_of, newest_files, read_tail
from cuedeck.store.files.nofollow import is_below
from cuedeck.store.git.worktrees import places_in_worktrees
from cuedeck.text.timestamps import moment_of

if TYPE_CHECKING:
    from cuedeck.agents.hooks.hook_context import HookContext
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.workspace_paths import WorkspacePaths

_TAIL_BYTES = 4_000_000
"""End of a transcript in which the last turn is searched for."""
_MOST_BYTES_IN_HOOK = 8_000_000
_SECONDS_IN_HOOK = 0.5
"""Bytes of the transcripts that the start of a session reads, and time after which it
leaves the rest to a background process.
"""
_ENDINGS = (".jsonl", ".json")
_MOST_FIRST = 20
"""First rows of a transcript, of which one has the id of the session."""
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
    summary: str = ""
    """Summary of its last turn, if no stop of the host made a record of it."""


def capture_prompt(context: HookContext, prompt: str) -> None:
    """Add the statements of a prompt as soon as it is processed, so that a host killed
    in the middle of the turn loses nothing; its transcript counts as read no later than
    before. Raises: Locked, StorageError.
    """
    files = StatementFiles(context.workspace.paths)
    session = session_name(context.event)
    turn = 1 + files.turns(session).last
    spoken = Spoken(turn, prompt, timestamp=_moment(context.seconds))
    files.add(session, _statements(context.workspace, spoken), is_read=False)


def capture_turn(
    context: HookContext, message: str = "", *, is_ended: bool = True
) -> list[Statement]:
    """Add the statements of the last turn: from the conversation, else from the last
    message of the agent. Return all statements of the turn, or none if another session
    made a record of it. Raises: Locked, StorageError.

    With `is_ended` the turn has ended; otherwise the host is about to compact it.
    """
    workspace, event = context.workspace, context.event
    files = StatementFiles(workspace.paths)
    session = session_name(event)
    turns = files.turns(session)
    turn = max(turns.last, 1)
    is_known = turn in turns.ended
    has_record = turn in turns.recorded
    turn += is_known
    last, facts, before = _last_exchanges(context, message)
    for spoken, done in _missed(before, turn, turns.ended):
        missed = _statements(workspace, spoken, done)
        files.add(session, missed, ended=spoken.turn)
    last = replace(last, turn=turn, timestamp=_moment(context.seconds))
    statements = _statements(workspace, last, facts)
    added = files.add(session, statements, ended=turn if is_ended else 0)
    if has_record and not (is_known and added):
        return []
    if event.is_retry and is_known and not added:
        # The first attempt added it, or another session from the transcript.
        turn = files.turn_with(session, statements)
    new = files.remembered(session, statements)
    every = [*files.statements_of(session, turn), *new]
    by_text = {each.text: each for each in every}
    return list(by_text.values())


def _missed(
    before: Sequence[tuple[Spoken, list[Statement]]], turn: int, ended: Set[int]
) -> Iterator[tuple[Spoken, list[Statement]]]:
    """Yield the exchanges before a turn whose turns have no end, newest first: their
    stop was lost, because the hook was killed or had no time.
    """
    for spoken, facts in reversed(before):
        turn -= 1
        if turn < 1 or turn in ended:
            return
        yield replace(spoken, turn=turn), facts


def _last_exchanges(
    context: HookContext, message: str
) -> tuple[Spoken, list[Statement], list[tuple[Spoken, list[Statement]]]]:
    """Return the last exchange with the facts from its tools, and those before it: the
    last one of the transcript with a message of the agent, or else its last one and the
    message.
    """
    workspace, event = context.workspace, context.event
    data = event.conversation.encode("utf-8", "replace")
    if event.transcript:
        data = read_tail(event.transcript, _TAIL_BYTES)
    lines = data.split(b"\n")
    rows = _rows_of_workspace(workspace.paths, lines)
    said = list(_exchanges(workspace.paths, rows))
    for at in range(len(said) - 1, -1, -1):
        # The transcript of an event that was queued has grown since.
        if message in said[at][0].replies:
            return *said[at], said[:at]
    last, facts = said.pop() if said else (Spoken(0, ""), [])
    if message:
        last = replace(last, replies=(*last.replies, message))
    return last, facts, said


def capture_neighbours(context: HookContext) -> tuple[list[str], str]:
    """Add the missing statements of sessions whose transcripts are next to that of a
    new one: a host may have been killed, or hooks may have been off; and of a session
    that is resumed. Return the summaries of killed turns, and the folder if some
    transcripts are too large for a hook.

    Raises: Locked, StorageError.
    """
    event = context.event
    own = event.transcript
    if not own:
        return [], ""
    summaries: list[str] = []
    folder = os.path.dirname(own)
    until = time.monotonic() + _SECONDS_IN_HOOK
    room = _MOST_BYTES_IN_HOOK
    resumed = session_name(event) if event.source == "resume" else ""
    for place, size in new_transcripts(context.workspace.paths, folder):
        if place == own and not resumed:
            continue
        room -= size
        if room < 0:
            continue
        try:
            captured = capture_transcript(
                context.workspace, place, resumed=resumed, until=until
            )
        except TimeoutError:
            return summaries, folder
        if captured is not None and captured.summary:
            summaries.append(captured.summary)
    return summaries, folder if room < 0 else ""


def new_transcripts(paths: WorkspacePaths, folder: str) -> Iterator[tuple[str, int]]:
    """Yield path and size of the newest transcripts in a folder that have changed after
    they were read.
    """
    files = StatementFiles(paths)
    for changed, place, size in newest_files(folder, _ENDINGS, _MOST_NEIGHBOURS):
        read_at = files.changed_at(_session_of(place))
        # Before the clock was put back, a later time was noted.
        if changed > read_at or read_at > time.time():
            yield place, size


def capture_transcript(
    workspace: Workspace,
    place: str,
    *,
    resumed: str = "",
    dry_run: bool = False,
    is_asked: bool = False,
    until: float = float("inf"),
) -> Captured | None:
    """Add the statements of a whole transcript; None if it is of another workspace, has
    no words, or goes on after the present time: then the clock has been put back, and
    the transcript is read when its time has come.

    A last turn without a stop of the host, in a session whose prompts hooks have read,
    was killed, unless the session is alive: then the transcript is read again. The
    session `resumed` has another process now. With `is_asked` the user asked for words
    of before they agreed, too. Raises: TimeoutError at `until`, a time
    of the monotonic clock, before anything is added; Locked, StorageError.
    """
    session = _session_of(place)
    turns: list[list[Statement]] = []
    ended = 0
    now = local_now()
    rows = _rows_of_workspace(
        workspace.paths, lines_of(place), is_known=False, is_asked=is_asked
    )
    seconds = min(changed_at(place), now.timestamp())
    changed = _moment(seconds)
    for spoken, facts in _exchanges(workspace.paths, rows):
        if time.monotonic() > until:
            raise TimeoutError
        said_at = moment_of(spoken.timestamp)
        if said_at is None:
            spoken = replace(spoken, timestamp=changed)
        elif said_at > now:
            return None
        turns.append(_statements(workspace, spoken, facts))
        ended = spoken.turn if spoken.is_ended else ended
    statements = list(chain.from_iterable(turns))
    if not statements:
        return None
    files = StatementFiles(workspace.paths)
    if dry_run:
        return Captured(session, len(statements), files.count_new(session, statements))
    turn = files.open_turn(session, turns[-1])
    if not turn:
        added = files.add(session, statements, ended=ended)
        files.note_reading(session)
        return Captured(session, len(statements), len(added))
    # Prompts that say nothing have no turn in the file.
    last = statements[-1].turn
    shift = last - turn
    statements = [_shifted(each, shift) for each in statements]
    if session == resumed:
        ended = last
    elif HostSessionFiles(workspace.paths).is_alive(session, place):
        added = files.add(session, statements, is_read=False)
        return Captured(session, len(statements), len(added))
    ended = max(0, ended - shift)
    added = files.add(session, statements, ended=ended)
    is_new = files.note_record(session, turn)
    files.note_reading(session)
    new = files.remembered(session, turns[-1])
    summary = summarize_turn(new) if is_new else ""
    return Captured(session, len(statements), len(added), summary)


def _shifted(statement: Statement, shift: int) -> Statement:
    """Return a statement of a turn that has a smaller number in the file."""
    turn = max(1, statement.turn - shift)
    return replace(statement, turn=turn)


def _session_of(place: str) -> str:
    rows = islice(read_rows(lines_of(place), transcript_format()), _MOST_FIRST)
    name = os.path.splitext(os.path.basename(place))[0]
    return next((plain_name(row.session) for row in rows if row.session), name)


def _rows_of_workspace(
    paths: WorkspacePaths,
    lines: Iterable[bytes],
    *,
    is_known: bool = True,
    is_asked: bool = False,
) -> Iterator[Row]:
    """Yield the rows of a transcript whose working folder is in the workspace, in any
    worktree; also those without a folder if the transcript is known to be of it. Rows
    of before the user agreed after they had declined are left out, unless the user
    asked for them.
    """
    since = 0 if is_asked else agreed_again_at(paths.root)
    roots = places_in_worktrees(paths.root)
    belongs = {"": is_known}
    for row in read_rows(lines, transcript_format()):
        if row.kind != "words" and row.tool is None:
            continue
        if since and _seconds(row.time) < since:
            continue
        if row.cwd not in belongs:
            folder = os.path.realpath(row.cwd)
            belongs[row.cwd] = any(
                folder == root or is_below(folder, root) for root in roots
            )
        if belongs[row.cwd]:
            yield row


def _exchanges(
    paths: WorkspacePaths, rows: Iterable[Row]
) -> Iterator[tuple[Spoken, list[Statement]]]:
    facts = ToolFacts(transcript_format(), places_in_worktrees(paths.root))
    for spoken in read_exchanges(rows):
        yield spoken, facts.take(spoken)


def _statements(
    workspace: Workspace, spoken: Spoken, facts: Sequence[Statement] = ()
) -> list[Statement]:
    """Return the statements of an exchange, then the facts from its tools.

    Its texts are masked as a whole, because a passage may lack the name that shows a
    value to be a secret.
    """
    said = (spoken.prompt, spoken.replies, spoken.options)
    found = [(fact.text, fact.key, fact.files) for fact in facts]
    (prompt, replies, options), found = mask_given((said, found), workspace)
    masked = replace(spoken, prompt=prompt, replies=replies, options=options)
    statements = extract_statements(masked)
    for fact, (text, key, files) in zip(facts, found, strict=True):
        shown = replace(fact, text=text[:LONGEST], key=key, files=files)
        shown = replace(shown, turn=spoken.turn, timestamp=spoken.timestamp)
        statements.append(shown)
    return statements


def _seconds(moment: str) -> float:
    found = moment_of(moment)
    return found.timestamp() if found is not None else 0


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
