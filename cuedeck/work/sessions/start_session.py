"""Starting of a session, and archiving of those that were not used for long."""

from __future__ import annotations

import contextlib
import posixpath
import re
from typing import TYPE_CHECKING

from cuedeck.agents.hooks.process_pending import process_hook_events
from cuedeck.engine.active_card import active_id, active_path, find_card_file
from cuedeck.engine.mask_answers import mask_to_keep, nameable
from cuedeck.engine.open_session import (
    FAMILY,
    AlreadyOpen,
    NoOpenSession,
    card_title,
    checked_boxes,
    find_open,
    minutes_since,
    open_session,
    timestamp_after,
)
from cuedeck.ledger.sessions.workflow_files import load_workflow
from cuedeck.model.errors import Invalid
from cuedeck.model.formatting import quoted
from cuedeck.model.ids import new_id
from cuedeck.model.paths import SESSION_ARCHIVE
from cuedeck.model.session import Checkpoint, Session
from cuedeck.parse.sections import slugify
from cuedeck.store.files.file_lock import locked
from cuedeck.store.git.checkout import Checkout
from cuedeck.work.sessions.scene_context import failing_assumptions, sync_session
from cuedeck.work.sessions.session_working_set import hashes_now, paths_without_secrets

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.session_files import SessionFiles
    from cuedeck.model.ports import Json
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.index import Index
    from cuedeck.store.workspace_paths import WorkspacePaths


_LONGEST_SLUG = 32
_LONGEST_ID = 64
_ID = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{_LONGEST_ID - 1}}}")
"""Lower case, because some file systems ignore case; no dots, because file names append
suffixes to the id.
"""


def start_session(
    workspace: Workspace, *, name: str = "", card: str = "", workflow: str = ""
) -> Json:
    """Start a session on a card, by default the active one, and make that the active
    card.

    `name` becomes the id; without it, the id is derived from the title of the card.
    Sessions that were not used for a long time are archived. Raises: AlreadyOpen,
    Invalid for a name that is not a valid id or is in use, NotFound for card and
    workflow.
    """
    if name:
        check_name(workspace.sessions, name, nameable(name, workspace))
    steps = load_workflow(workspace.paths, workflow) if workflow else ()
    # A queued end belongs to the session before this one.
    process_hook_events(workspace)
    workspace.refresh()
    identity = active_card(workspace.index, workspace.paths, card)
    checkout = Checkout(workspace.paths.root, workspace.git_deadline)
    dirty_paths = paths_without_secrets(workspace, checkout.dirty())
    dirty = hashes_now(workspace.paths, workspace.tree, dirty_paths)
    archived = archive_sessions(
        workspace.settings, workspace.paths, workspace.sessions
    )["removed"]
    with locked(workspace.paths, FAMILY):
        opened = open_session(workspace.sessions)
        if opened is not None:
            raise AlreadyOpen(opened.id)
        if identity and active_id(workspace.paths) != identity:
            # The card of most sessions is active already.
            from cuedeck.work.cards.create_card import point_at
            from cuedeck.work.cards.edit_card import set_status

            if bool(card):
                set_status(workspace, identity, "active")
            else:
                point_at(workspace.paths, identity)
        now = timestamp_after("")
        start = Checkpoint(
            timestamp=now,
            written=(),
            checked=checked_boxes(workspace, identity),
            decisions=(),
            commits=(),
        )
        session = Session(
            id=_free_id(workspace, name, identity or workflow, now),
            created_at=now,
            last_access=now,
            workflow=workflow,
            current_step=1 if steps else 0,
            card=identity,
            branch=mask_to_keep(checkout.branch, workspace),
            commit=checkout.commit,
            dirty=dirty,
            checkpoints=(start,),
        )
        # First: a crash in between leaves no session without a pointer.
        workspace.sessions.point_at(session.id)
        workspace.sessions.write(session)
    sync_session(workspace)
    return {
        "session": session.id,
        "card": identity or None,
        "workflow": workflow or None,
        "step": session.current_step or None,
        "branch": session.branch or None,
        "assumptions": failing_assumptions(workspace),
        "cleaned": archived,
        "receipt": (open_session(workspace.sessions) or session).receipt,
    }


def open_or_start(workspace: Workspace) -> tuple[Session, bool]:
    """Return the open session, and whether it had to be started."""
    with contextlib.suppress(NoOpenSession):
        return find_open(workspace.sessions), False
    try:
        start_session(workspace)
    except AlreadyOpen:  # another process started it meanwhile
        return find_open(workspace.sessions), False
    return find_open(workspace.sessions), True


def check_name(sessions: SessionFiles, name: str, plain: str) -> None:
    """Raise Invalid unless a name, masked `plain`, can be the id of a new session."""
    if not _ID.fullmatch(name):
        slug = slugify(plain)
        slug = slug[:_LONGEST_ID].strip("-_")
        example = slug if _ID.fullmatch(slug) else "feature-auth-123"
        raise Invalid(
            f"`{name}` cannot be the id of a session: use lower-case letters, digits, `-` and `_`, "
            f"at most {_LONGEST_ID} characters",
            hint=f"cuedeck session start {quoted(example)}",
        )
    if plain != name:
        raise Invalid(
            "the name of the session contains a secret", hint="give another name"
        )
    archived = (each.id for each in sessions.archived())
    if name in sessions.ids() or name in archived:
        raise _taken(name)


def _taken(name: str) -> Invalid:
    return Invalid(
        f"a session `{name}` already exists", hint=f"`cuedeck resume {name}` resumes it"
    )


def active_card(index: Index, paths: WorkspacePaths, text: str = "") -> str:
    """Return the file stem of the card that `text` names, by default of the active
    card; empty without an active card.

    Raises: NotFound, Ambiguous, Invalid if `text` does not name a card.
    """
    path = active_path(index, paths)
    if text:
        path = find_card_file(index, text)[0].path
    return posixpath.splitext(posixpath.basename(path))[0]


def _free_id(workspace: Workspace, name: str, subject: str, now: str) -> str:
    """Return `name` or, without it, a new id with words of the subject:
    `fix-login-k3x9qa`. Raises: Invalid.
    """
    taken = frozenset(workspace.sessions.ids())
    if name:
        if name in taken:  # another process started it after `check_name`
            raise _taken(name)
        return name
    title = nameable(card_title(workspace.index, subject), workspace)
    about = title or nameable(subject, workspace)
    words = re.findall(r"[a-z0-9]+", about.casefold())
    slug = "-".join(words)[:_LONGEST_SLUG].strip("-") or "session"

    def is_taken(suffix: str) -> bool:
        return f"{slug}-{suffix}" in taken

    suffix = new_id(f"{slug}{now}".encode(), is_taken)
    return f"{slug}-{suffix}"


_MINUTES_A_DAY = 24 * 60


def archive_sessions(
    settings: Settings,
    paths: WorkspacePaths,
    sessions: SessionFiles,
    *,
    dry_run: bool = False,
) -> Json:
    """Archive the sessions that were not accessed for `session.keep_days` days; never
    the open session, also not that of another worktree.

    A session is removed only after it is in the archive. Raises: Locked, StorageError.
    """
    days = settings.session.keep_days
    with locked(paths, FAMILY):
        session = open_session(sessions)
        opened = {*sessions.pointed_elsewhere(), session and session.id}
        removed = []
        for each in sessions.every():
            is_old = minutes_since(each.last_access) > days * _MINUTES_A_DAY
            if is_old and each.id not in opened:
                removed.append(each.id)
        for identity in () if dry_run else removed:
            sessions.archive(identity)
    return {
        "removed": removed,
        "archive": SESSION_ARCHIVE if removed else None,
        "dry_run": dry_run,
        "keep_days": days,
    }
