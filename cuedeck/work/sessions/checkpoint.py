"""Checkpoints: the files, commits, checkboxes and decisions since the previous
checkpoint of a session; and the journal of a watcher, which writes them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.scene.scene_pipeline import report_of
from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.engine.open_session import (
    checked_boxes,
    find_open,
    minutes_since,
    open_session,
    stored_line,
    timestamp_after,
    update_session,
)
from cuedeck.ledger.sessions.progress_items import entered_since
from cuedeck.model.secret import unnumbered
from cuedeck.model.session import Checkpoint
from cuedeck.store.files.file_events import HEAD
from cuedeck.store.git.checkout import Checkout
from cuedeck.store.git.history_diagnostics import fault_of
from cuedeck.text.timestamps import moment_of
from cuedeck.work.sessions.scene_context import (
    SceneContext,
    context_of_report,
    current_context,
    failing_assumptions,
    sync_session,
    with_context,
    with_decisions,
)
from cuedeck.work.sessions.session_working_set import (
    hash_on_disk,
    hashes_now,
    paths_without_secrets,
    with_touched_files,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json
    from cuedeck.model.scene_values import Scene
    from cuedeck.model.session import Session
    from cuedeck.model.settings_schema import SessionSettings


_EARLIEST = datetime.min.replace(tzinfo=UTC)
_MOST_CHECKPOINTS = 200
"""Maximal number of checkpoints of a session; the oldest are dropped."""


class CheckoutState(NamedTuple):
    """Observed state of the checkout, the card and the scene."""

    dirty: dict[str, str]
    """Content hash of each uncommitted file, by path. Without git: of each changed file
    of the working set.
    """
    committed: tuple[str, ...]
    """Paths of the commits since the last checkpoint."""
    subjects: tuple[str, ...]
    """Subjects of these commits."""
    checked: tuple[str, ...]
    """Texts of the checked boxes of the card."""
    commit: str
    branch: str
    context: SceneContext
    fault: str = ""
    """Reason why git gave no answer; else empty."""


def checkpoint(workspace: Workspace, text: str = "") -> Json:
    """Write a checkpoint of the open session, with an optional text. Raises:
    NoOpenSession.
    """
    session = find_open(workspace.sessions)
    state = observe_checkout(workspace, session)
    line = ""
    if text.strip():
        line = stored_line(workspace, text, "text")
    session = update_session(
        workspace.sessions,
        workspace.paths,
        session.id,
        lambda known: with_checkpoint(workspace, known, state, line),
    )
    # The text may be the last action, which is a part of the scene.
    sync_session(workspace)
    last = session.checkpoints[-1]
    answer = {
        "session": session.id,
        **last._asdict(),
        "working_set": len(session.working_set),
    }
    if state.fault:
        answer["git"] = fault_of(state.fault)._asdict()
    return answer


def write_due_checkpoint(workspace: Workspace) -> bool:
    """Write a checkpoint if one is due and anything changed; return whether it was
    written. Raises: NoOpenSession.
    """
    session = find_open(workspace.sessions)
    if not is_due(workspace.settings.session, session):
        return False
    state = observe_checkout(workspace, session)

    def add(known: Session) -> Session:
        return with_checkpoint(workspace, known, state, "", only_changes=True)

    return (
        update_session(workspace.sessions, workspace.paths, session.id, add).checkpoints
        != session.checkpoints
    )


def is_due(settings: SessionSettings, session: Session) -> bool:
    """Return whether the last checkpoint is older than `session.checkpoint_minutes`."""
    return minutes_since(_last_time(session)) >= settings.checkpoint_minutes


def observe_checkout(workspace: Workspace, session: Session) -> CheckoutState:
    """Return the current state of the checkout, the card and the scene; update the
    index.
    """
    context = current_context(workspace)
    checkout = Checkout(workspace.paths.root, workspace.git_deadline)
    commits = checkout.since(session.commit)
    committed: dict[str, None] = {}
    for commit in commits:
        committed.update(dict.fromkeys(commit.paths))
    if checkout.is_there:
        paths = paths_without_secrets(workspace, checkout.dirty())
        dirty = hashes_now(workspace.paths, workspace.tree, paths)
    else:
        dirty = hashes_now(workspace.paths, workspace.tree, session.working_set)
        for path, each in session.working_set.items():
            if dirty[path] == each.hash:
                del dirty[path]
    read = tuple(commit.subject for commit in commits)
    subjects, branch = mask_to_keep((read, checkout.branch), workspace)
    return CheckoutState(
        dirty=dirty,
        committed=tuple(paths_without_secrets(workspace, committed)),
        subjects=subjects,
        checked=checked_boxes(workspace, session.card),
        commit=checkout.commit,
        branch=branch,
        context=context,
        fault=checkout.fault,
    )


def with_checkpoint(
    workspace: Workspace,
    session: Session,
    state: CheckoutState,
    text: str,
    *,
    only_changes: bool = False,
) -> Session:
    """Return the session with a new checkpoint and the current hashes of its files.

    With `only_changes`, no checkpoint is added if it would be empty.
    """
    session = with_decisions(workspace.ledger, session)
    written = {*state.committed}
    for path, digest in state.dirty.items():
        if session.dirty.get(path) != digest:
            written.add(path)
    point = _new_checkpoint(session, state, written, text)
    if only_changes and not any(point[1:]):
        return session
    hashes = hashes_now(
        workspace.paths, workspace.tree, {*session.working_set, *written}
    )
    new = sorted(written)
    session = with_touched_files(session, new, "write", point.timestamp, hashes)
    working = {}
    for path, each in session.working_set.items():
        working[path] = each._replace(hash=hashes[path])
    checkpoints = (*session.checkpoints, point)
    session = replace(
        session,
        working_set=working,
        branch=state.branch,
        # After a fault the next checkpoint contains the commits.
        commit=session.commit if state.fault else state.commit,
        checkpoints=checkpoints[-_MOST_CHECKPOINTS:],
    )
    return with_context(session, state.context)


def _new_checkpoint(
    session: Session, state: CheckoutState, written: Collection[str], text: str
) -> Checkpoint:
    earlier_boxes: set[str] = set()
    earlier_decisions: set[str] = set()
    for earlier in session.checkpoints:
        earlier_boxes.update(map(unnumbered, earlier.checked))
        earlier_decisions.update(earlier.decisions)
    since = moment_of(_last_time(session)) or _EARLIEST
    changed = {path for path in written if _is_changed(session, path, state)}
    for path, each in session.working_set.items():  # such as those of `session touch`
        if each.role != "read" and (moment_of(each.timestamp) or _EARLIEST) > since:
            changed.add(path)
    ids = (each.id for each in session.decisions)
    decisions = [each for each in ids if each and each not in earlier_decisions]
    return Checkpoint(
        timestamp=timestamp_after(session.last_access),
        written=tuple(sorted(changed)),
        checked=tuple(box for box in state.checked if box not in earlier_boxes),
        decisions=tuple(decisions),
        commits=state.subjects,
        text=text,
        done=entered_since(session.progress, "done", since),
        doing=entered_since(session.progress, "doing", since),
        todo=entered_since(session.progress, "todo", since),
    )


def _last_time(session: Session) -> str:
    """Return the time of the last checkpoint, or of the start of the session."""
    return (
        session.checkpoints[-1].timestamp if session.checkpoints else session.created_at
    )


def _is_changed(session: Session, path: str, state: CheckoutState) -> bool:
    """Return whether a written file changed since the last checkpoint."""
    known = session.working_set.get(path)
    if known is None or known.role == "read":
        return True
    digest = state.dirty.get(path)
    return digest is not None and digest != known.hash


class SessionJournal:
    """Buffer of written files, so that no save waits for the session file; `keep`
    writes the buffer.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._written: dict[str, None] = {}
        self._has_changes = False
        """Whether anything may have changed since the last checkpoint."""
        self._scene: Scene | None = None
        self._has_unchecked_assumptions = False
        """Whether no check of the assumptions followed the last scene."""

    def note(self, paths: Collection[str], scene: Scene) -> None:
        """Buffer the paths of written and deleted files, and the scene built after
        them.

        Files written by a git checkout are left out, because they are no work of this
        session.
        """
        if HEAD not in paths:
            self._written.update(dict.fromkeys(paths))
        self._scene = scene
        self._has_unchecked_assumptions = True
        self._has_changes = True

    def keep(self) -> bool:
        """Write the buffer to the open session, and a checkpoint if one is due; return
        whether there was one.

        Before that, check the assumptions, with or without an open session.
        """
        if self._has_unchecked_assumptions:
            self._has_unchecked_assumptions = False
            failing_assumptions(self._workspace)
        session = None
        if self._has_changes:
            session = open_session(self._workspace.sessions)
        if session is None:
            self._written.clear()
            return False
        is_new = self._scene is not None and self._scene.receipt != session.receipt
        if self._written or is_new:
            paths = paths_without_secrets(self._workspace, self._written)
            self._add_written(session, paths)
            self._written.clear()
        if is_due(self._workspace.settings.session, session):
            self._has_changes = False
            return write_due_checkpoint(self._workspace)
        return False

    def _add_written(self, session: Session, paths: list[str]) -> None:
        assert self._scene is not None
        hashes = {path: hash_on_disk(self._workspace.paths, path) for path in paths}
        context = context_of_report(
            self._workspace, report_of(self._scene, self._workspace.index)
        )

        def add(known: Session) -> Session:
            now = timestamp_after(known.last_access)
            known = with_touched_files(known, paths, "write", now, hashes)
            return with_context(known, context)

        update_session(self._workspace.sessions, self._workspace.paths, session.id, add)
