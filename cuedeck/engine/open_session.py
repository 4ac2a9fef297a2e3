"""Lookup and update of the open session, its step in its workflow, and the checkboxes
of its card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.ledger.id_prefix import pick
from cuedeck.ledger.session_files import unreadable
from cuedeck.ledger.sessions.workflow_files import load_workflow
from cuedeck.model.errors import CueDeckError, Invalid, NotFound, StorageError, TooLong
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import HOME
from cuedeck.model.secret import unnumbered
from cuedeck.parse.card_file import parse_boxes
from cuedeck.store.clock import moment_after
from cuedeck.store.files.disk import read_bytes
from cuedeck.store.files.file_lock import locked
from cuedeck.text.plain_text import plain_line
from cuedeck.text.timestamps import format_moment, moment_of

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.ledger.sessions.workflow_files import Step
    from cuedeck.model.file import File
    from cuedeck.model.session import Session
    from cuedeck.parse.card_file import Box
    from cuedeck.parse.secrets.mask import Mask
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


_LONGEST = 4_000
"""Maximal number of characters of a text, such as a note."""
FAMILY = "sessions"
"""Name of the lock of all session files."""


class NoOpenSession(NotFound):
    """No session is open."""

    def __init__(self) -> None:
        hint = "`cuedeck session start` starts one, `cuedeck resume` resumes the last"
        super().__init__("no session is open", hint=hint)


class AlreadyOpen(Invalid):
    """Another session is open."""

    def __init__(self, identity: str) -> None:
        hint = "`cuedeck resume` resumes it, `cuedeck session close` closes it"
        super().__init__(f"a session is already open: {identity}", hint=hint)


def open_session(sessions: SessionFiles) -> Session | None:
    """Return the open session, or None, without changing anything; None if its
    file is corrupt.
    """
    files = sessions
    identity = files.pointed()
    try:
        session = None
        if identity:
            session = files.load(identity).session
    except StorageError:
        return None
    if session is not None and session.status == "open":
        return session
    return None


def find_open(sessions: SessionFiles) -> Session:
    """Return the open session; restore the pointer to it if a crash removed the
    pointer. Raises: NoOpenSession.
    """
    session = open_session(sessions)
    if session is not None:
        return session
    # Session files of older versions are never marked as closed. A receipt shows that
    # this version wrote the file.
    candidates = [
        each for each in sessions.every() if each.status == "open" and each.receipt
    ]
    session = max(candidates, key=lambda each: each.last_access, default=None)
    if session is None:
        raise NoOpenSession
    sessions.point_at(session.id)
    return session


def find_session(paths: WorkspacePaths, sessions: SessionFiles, text: str) -> Session:
    """Return the session with the id or id prefix `text`, including archived ones.

    Raises: NotFound, Ambiguous, StorageError if its file cannot be read.
    """
    files = sessions
    try:
        identity = pick(text, files.ids(), "session")
    except NotFound as error:
        past = {each.id: each for each in files.archived()}
        if not any(
            each.startswith(text.strip().removeprefix("session:")) for each in past
        ):
            raise _timeline_alone(paths, text) or error from None
        return past[pick(text, list(past), "session")]
    session = files.load(identity).session
    if session is None:
        raise unreadable(identity)
    return session


def _timeline_alone(paths: WorkspacePaths, text: str) -> NotFound | None:
    """Return the error for a session that hooks recorded and that has no session file,
    with the command that prints its timeline; None for any other text.
    """
    from cuedeck.knowledge.cortex.change_cortex_session import list_cortex_sessions

    timelines = {each["session"]: each for each in list_cortex_sessions(paths)}
    try:
        name = pick(text, list(timelines), "session")
    except NotFound:
        return None
    address = timelines[name]["address"]
    message = f"session `{name}` has a timeline, but no files and notes to resume"
    hint = (
        f"`cuedeck cortex read {quoted(address)}` prints its timeline;"
        " `cuedeck session start` begins a session"
    )
    return NotFound(message, hint=hint)


def update_session(
    files: SessionFiles,
    paths: WorkspacePaths,
    identity: str,
    edit: Callable[[Session], Session],
) -> Session:
    """Replace a session by `edit(session)` under the lock, durably, and return it.

    An equal session is not written, because a session file is an input of the scene and
    a write starts a build. Raises: Locked, StorageError, and every error of `edit`;
    then nothing is written.
    """
    with locked(paths, FAMILY):
        session = files.load(identity).session
        if session is None:
            raise StorageError(
                f"session {identity} was deleted",
                hint="`cuedeck session list` lists the sessions",
            )
        changed = edit(session)
        if changed == session:
            return session
        changed = replace(changed, last_access=timestamp_after(session.last_access))
        files.write(changed)
    return changed


def timestamp_after(timestamp: str) -> str:
    """Return the current time, or a time just after `timestamp` if the clock is not
    later.
    """
    before = moment_of(timestamp)
    earlier = [before] if before else []
    return format_moment(moment_after(earlier))


def minutes_since(timestamp: str) -> float:
    """Return the minutes since a timestamp; infinity if it is invalid."""
    moment = moment_of(timestamp)
    if moment:
        return (datetime.now(UTC) - moment).total_seconds() / 60
    return float("inf")


def stored_line(workspace: Workspace, text: str, what: str) -> str:
    """Return a text as sessions store it: masked, on one line. Raises: Invalid if it is
    empty or too long.
    """
    line = plain_line(mask_to_keep(text, workspace))
    if not line:
        raise Invalid(f"the {what} is empty", hint="give a short text")
    if len(line) > _LONGEST:
        raise TooLong(
            f"the {what} must have at most {_LONGEST:,} characters, got {len(line):,}",
            hint="shorten it",
        )
    return line


def card_file(index: Index, identity: str) -> File | None:
    """Return the file of a card; None if `identity` is empty or the card is gone."""
    found = None
    if identity:
        found = index.file(f"{HOME}/cards/{identity}.md")
    if found is not None and found.card is not None:
        return found
    return None


def card_title(index: Index, identity: str) -> str:
    """Return the title of a card; empty if `identity` is empty or the card is gone."""
    found = card_file(index, identity)
    if found is not None and found.card is not None:
        return found.card.title
    return ""


class StepPosition(NamedTuple):
    """Position of a session in its workflow."""

    number: int
    """1 for the first step."""
    of: int
    """Number of steps of the workflow."""
    step: Step


def step_position(
    paths: WorkspacePaths, session: Session | None
) -> StepPosition | None:
    """Return the current step; None without session or workflow, or if the workflow has
    no such step.
    """
    if session is None or not session.workflow:
        return None
    try:
        steps = load_workflow(paths, session.workflow)
    except CueDeckError:
        return None
    number = session.current_step
    if not 1 <= number <= len(steps):
        return None
    return StepPosition(number, len(steps), steps[number - 1])


def step_budget(paths: WorkspacePaths, sessions: SessionFiles) -> int:
    """Return the token limit of the current step of the open session; 0 if it sets
    none.
    """
    position = step_position(paths, open_session(sessions))
    return position.step.budget if position else 0


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
