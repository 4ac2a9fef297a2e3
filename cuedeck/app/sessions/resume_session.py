"""Go on with a session: what changed since, what no longer holds, what was last and what is next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.app.scene.build_scene import write_scene
from cuedeck.app.sessions.card_checkboxes import boxes_of
from cuedeck.app.sessions.drain_hooks import process_hook_events
from cuedeck.app.sessions.open_session import (
    FAMILY,
    AlreadyOpen,
    card_file,
    card_title,
    change,
    find_session,
    later,
    open_session,
    write,
)
from cuedeck.app.sessions.session_working_set import hashes_now
from cuedeck.app.sessions.sync_scene import look, session_assumptions, with_context
from cuedeck.model.errors import NotFound
from cuedeck.model.file import CLOSED
from cuedeck.model.secret_placeholder import PLACEHOLDER
from cuedeck.records.progress_items import gather
from cuedeck.records.session_summary import last_action, next_action, summary, topic_of
from cuedeck.records.working_set import Change, checksum, known_files
from cuedeck.store.fs.disk import read_text
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.git.checkout import Checkout

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Session
    from cuedeck.store.ledgers.session_files import SessionFiles


def resume(project: Workspace, text: str = "", *, switch: bool = False) -> dict[str, Any]:
    """Go on with a session: the one named, else the open one, else the last.

    With `switch` another session that is open is closed first, with a checkpoint; `closed` is its id.
    Where nothing changed the scene that is kept is used as it is. Files that cannot be read as sessions are set
    aside, and their backup takes their place.
    Raises: NotFound, Ambiguous, AlreadyOpen for another session, StorageError.
    """
    process_hook_events(project)
    closed = _close_other(project, text) if text and switch else ""
    files = project.sessions
    with locked(project.workspace, FAMILY):
        aside = _set_aside(project, files)
        session = _wanted(project, text)
        _take_up(project, session)
        moved = _point_card(project, session)
    context = look(project, session)
    if context.text:
        write_scene(project, context.text)
    checkout = Checkout(project.workspace.root)
    now = hashes_now(project, session.working_set)
    unchanged = not moved and checksum(now, context.receipt) == session.context_checksum
    changes = [] if unchanged else _changes(project, session, context.shown)
    # A branch may be called like a secret; looking for one costs, and most sessions stay on their branch.
    branch = checkout.branch if checkout.branch == session.branch else mask_to_keep(checkout.branch, project)
    switched = _switched(session, branch)
    commit = session.commit or checkout.commit
    title = _title(project, context.title)
    told = replace(session, progress=gather(session.progress, boxes_of(project, session.card, project.answer_mask)))
    change(project, session.id, lambda known: with_context(_brought_up(known, now, branch, commit), context))
    return {
        "session": session.id,
        "unchanged": unchanged and not switched,
        "changed": [each._asdict() for each in (*switched, *changes)],
        "assumptions": session_assumptions(project),
        "summary": summary(told, title),
        "receipt": context.receipt,
        **_details(told, now),
        "branch": branch or None,
        "set_aside": aside,
        "closed": closed or None,
        "title": topic_of(told, title),
    }


def _close_other(project: Workspace, text: str) -> str:
    """Close the open session, with a checkpoint, unless it is the one named; return its id, or empty."""
    opened = open_session(project)
    if opened is None or find_session(project, text).id == opened.id:
        return ""
    from cuedeck.app.sessions.session_notes import close

    return str(close(project)["session"])


def _title(project: Workspace, kept: str) -> str:
    """Return the title of the active card with its secrets, where what is kept of it had some: the shell masks them."""
    if PLACEHOLDER not in kept:
        return kept
    from cuedeck.app.sessions.start_session import active_card

    return card_title(project, active_card(project)) or kept


def _wanted(project: Workspace, text: str) -> Session:
    opened = open_session(project)
    if text:
        session = find_session(project, text)
        if opened is not None and opened.id != session.id:
            raise AlreadyOpen(opened.id)
        if project.sessions.load(session.id).session is None:  # it comes from the archive
            write(project, session)
        return session
    if opened is not None:
        return opened
    last = max(project.sessions.every(), key=lambda each: each.last_access, default=None)
    if last is None:
        raise NotFound("there is no session to resume", hint="start one: `cuedeck session start`")
    return last


def _take_up(project: Workspace, session: Session) -> None:
    """Make a session the open one before the lock is let go of, so that nobody begins another meanwhile."""
    if session.status != "open":
        write(project, replace(session, status="open"))
    if project.sessions.pointed() != session.id:
        project.sessions.point_at(session.id)


def _set_aside(project: Workspace, files: SessionFiles) -> list[str]:
    """Rename what cannot be read as a session, and put its backup in its place."""
    aside: list[str] = []
    for identity in files.ids():
        found = files.load(identity)
        aside += [files.set_aside(path) for path in found.broken]
        if found.broken and found.session is not None and found.session.id == identity:
            write(project, found.session)
    return aside


def _point_card(project: Workspace, session: Session) -> bool:
    """Make the session's card the active one again, where it is there and open; tell whether it was not."""
    if not session.card or (read_text(project.workspace.active) or "").strip() == session.card:
        return False
    from cuedeck.app.cards.create_card import point_at

    project.refresh()
    file = card_file(project, session.card)
    if file is None or file.card is None or file.card.status in CLOSED:
        return False
    point_at(project, session.card)
    return True


def _brought_up(session: Session, now: Mapping[str, str], branch: str, commit: str) -> Session:
    """Return the session as it goes on: open, its files as they are now."""
    working = {path: each._replace(hash=now.get(path, each.hash)) for path, each in session.working_set.items()}
    now_accessed = later(session.last_access)
    return replace(session, status="open", last_access=now_accessed, working_set=working, branch=branch, commit=commit)


def _switched(session: Session, branch: str) -> list[Change]:
    if not session.commit or session.branch == branch:
        return []
    return [Change(".", f"branch switched: {session.branch or 'no branch'} -> {branch or 'no branch'}")]


def _changes(project: Workspace, session: Session, shown: Mapping[str, str]) -> list[Change]:
    """Return what became of the files of the session and of those its scene showed, and what it shows now."""
    from cuedeck.app.sessions.session_working_set import remember
    from cuedeck.records.working_set import compare
    from cuedeck.store.cache.file_versions import lines_of

    known = known_files(session)
    now = hashes_now(project, known)
    remember(project, now)
    elsewhere: dict[str, str] = {}
    if not all(now.values()):
        elsewhere = {path: project.index.hash(path) for path in project.index.paths() if path not in known}
    came = [Change(path, "new in the scene") for path in sorted(shown) if path not in known]
    return [*compare(known, now, elsewhere, lambda hash_: lines_of(project.index, hash_)), *came]


def _details(session: Session, now: Mapping[str, str]) -> dict[str, Any]:
    """Return where a session stands, the boxes of its card among its progress."""
    return {
        "card": session.card or None,
        "workflow": session.workflow or None,
        "step": session.current_step or None,
        "last_action": last_action(session) or None,
        "next": next_action(session) or None,
        "progress": [each._asdict() for each in session.progress],
        "working_set": [
            {"path": path, "role": each.role, "hash": now[path] or None} for path, each in session.working_set.items()
        ],
    }
