"""Resuming of a session: what changed since, failing assumptions, last action and next
action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.context.scene.build_scene import write_scene
from cuedeck.engine.active_card import active_id
from cuedeck.engine.mask_answers import mask_to_keep
from cuedeck.engine.open_session import (
    FAMILY,
    AlreadyOpen,
    card_boxes,
    card_file,
    card_title,
    find_session,
    open_session,
    timestamp_after,
    update_session,
)
from cuedeck.knowledge.statements.brief import statement_brief
from cuedeck.ledger.sessions.progress_items import (
    gather,
    last_action,
    next_action,
    summary,
    topic_of,
)
from cuedeck.model.errors import NotFound
from cuedeck.model.file import CLOSED
from cuedeck.model.secret import PLACEHOLDER
from cuedeck.store.files.file_lock import locked
from cuedeck.store.git.checkout import Checkout
from cuedeck.work.sessions.scene_context import (
    current_context,
    failing_assumptions,
    with_context,
)
from cuedeck.work.sessions.session_working_set import (
    Change,
    changes_since,
    checksum,
    hashes_now,
)

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json
    from cuedeck.model.session import Session
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths

_EARLIER_TOKENS = 900
"""Limit of what earlier conversations left."""


def resume(workspace: Workspace, text: str = "", *, switch: bool = False) -> Json:
    """Resume the session with the id or id prefix `text`, by default the open session,
    else the last one.

    With `switch`, another open session is closed first, with a checkpoint; `closed` is
    its id; `earlier` is Markdown about earlier conversations. If nothing changed, the
    cached scene is used.

    Raises: NotFound, Ambiguous, AlreadyOpen for another session, StorageError.
    """
    process_hook_events(workspace)
    closed = ""
    sessions = workspace.sessions
    if switch and _has_other(workspace.paths, sessions, text):
        # Only `--switch` needs the checkpoints; `resume` must start fast.
        from cuedeck.work.sessions.session_notes import close

        closed = close(workspace)["session"]
    with locked(workspace.paths, FAMILY):
        session = _find_session(workspace.paths, sessions, text)
        if session.status != "open":
            sessions.write(replace(session, status="open"))
        if sessions.pointed() != session.id:
            sessions.point_at(session.id)
        is_card_changed = _activate_card(workspace, session)
    context = current_context(workspace)
    if context.text:
        write_scene(workspace, context.text)
    hashes = hashes_now(workspace.paths, workspace.tree, session.working_set)
    is_same = checksum(hashes, context.receipt) == session.context_checksum
    is_unchanged = is_same and not is_card_changed
    changes = (
        []
        if is_unchanged
        else _changes(
            workspace.paths, workspace.tree, workspace.index, session, context.shown
        )
    )
    checkout = Checkout(workspace.paths.root, workspace.git_deadline)
    branch = mask_to_keep(checkout.branch, workspace)
    switched = _branch_change(session, branch)
    commit = session.commit or checkout.commit
    title = _title(workspace.index, workspace.paths, context.title)
    mask = workspace.answer_mask
    boxes = card_boxes(workspace.index, workspace.paths, session.card, mask)
    reported = replace(session, progress=gather(session.progress, boxes))

    def resumed(known: Session) -> Session:
        working = {}
        for path, each in known.working_set.items():
            working[path] = each._replace(hash=hashes.get(path, each.hash))
        known = replace(
            known,
            status="open",
            last_access=timestamp_after(known.last_access),
            working_set=working,
            branch=branch,
            commit=commit,
        )
        return with_context(known, context)

    update_session(sessions, workspace.paths, session.id, resumed)
    return {
        "session": session.id,
        "unchanged": is_unchanged and not switched,
        "changed": [each._asdict() for each in (*switched, *changes)],
        "assumptions": failing_assumptions(workspace),
        "summary": summary(reported, title),
        "receipt": context.receipt,
        **_details(reported, hashes),
        "branch": branch or None,
        "closed": closed or None,
        "title": topic_of(reported, title),
        "earlier": statement_brief(workspace, "", _EARLIER_TOKENS, workspace.counter()),
    }


def _has_other(paths: WorkspacePaths, sessions: SessionFiles, text: str) -> bool:
    """Return whether `text` names another session than the open one."""
    if not text:
        return False
    opened = open_session(sessions)
    wanted = find_session(paths, sessions, text)
    return opened is not None and wanted.id != opened.id


def _title(index: Index, paths: WorkspacePaths, kept: str) -> str:
    """Return the title of the active card. A title with secrets is read again, because
    the shell masks the answer.
    """
    if PLACEHOLDER not in kept:
        return kept
    from cuedeck.work.sessions.start_session import active_card

    return card_title(index, active_card(index, paths)) or kept


def _find_session(paths: WorkspacePaths, sessions: SessionFiles, text: str) -> Session:
    """Return the session to resume; restore it from the archive if it is there."""
    opened = open_session(sessions)
    if text:
        session = find_session(paths, sessions, text)
        if opened is not None and opened.id != session.id:
            raise AlreadyOpen(opened.id)
        if sessions.load(session.id).session is None:  # archived
            sessions.write(session)
        return session
    if opened is not None:
        return opened
    last = max(sessions.every(), key=lambda each: each.last_access, default=None)
    if last is None:
        raise NotFound(
            "there is no session to resume", hint="start one: `cuedeck session start`"
        )
    return last


def _activate_card(workspace: Workspace, session: Session) -> bool:
    """Make the card of the session the active card, if it is not closed; return whether
    the active card changed.
    """
    if not session.card or active_id(workspace.paths) == session.card:
        return False
    # The card of most sessions is still active; `resume` must start fast.
    from cuedeck.work.cards.create_card import point_at

    workspace.refresh()
    file = card_file(workspace.index, session.card)
    if file is None or file.card is None or file.card.status in CLOSED:
        return False
    point_at(workspace.paths, session.card)
    return True


def _branch_change(session: Session, branch: str) -> list[Change]:
    if not session.commit or session.branch == branch:
        return []
    before = session.branch or "no branch"
    after = branch or "no branch"
    return [Change(".", f"branch switched: {before} -> {after}")]


def _changes(
    paths: WorkspacePaths,
    tree: Tree,
    index: Index,
    session: Session,
    shown: Mapping[str, str],
) -> list[Change]:
    """Return the changes of the working set and of the files of its last scene, then
    the files new in the scene.
    """
    working = {path: file.hash for path, file in session.working_set.items()}
    known = {**session.shown, **working}
    hashes = hashes_now(paths, tree, known)
    changes = changes_since(index, known, hashes)
    new_paths = [path for path in sorted(shown) if path not in known]
    return changes + [Change(path, "new in the scene") for path in new_paths]


def _details(session: Session, hashes: Mapping[str, str]) -> Json:
    """Return the state of a session whose progress includes the checkboxes of its
    card.
    """
    rows = []
    for path, each in session.working_set.items():
        rows.append({"path": path, "role": each.role, "hash": hashes[path] or None})
    return {
        "card": session.card or None,
        "workflow": session.workflow or None,
        "step": session.current_step or None,
        "last_action": last_action(session) or None,
        "next": next_action(session) or None,
        "progress": [each._asdict() for each in session.progress],
        "working_set": rows,
    }
