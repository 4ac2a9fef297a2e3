"""Checkpoints: what was accomplished, seen from outside."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.mask_answers import mask_to_keep
from cuedeck.app.sessions.card_checkboxes import checked_boxes
from cuedeck.app.sessions.open_session import change, find_open, later, minutes_since, require_one_line
from cuedeck.app.sessions.session_working_set import hashes_now, remember, speakable, take_in
from cuedeck.app.sessions.sync_scene import Context, look, settle, with_context, with_decisions
from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.model.session import Checkpoint
from cuedeck.parse.timestamps import moment_of
from cuedeck.records.progress_items import said_since
from cuedeck.store.git.checkout import Checkout
from cuedeck.store.git.problems import fault_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cuedeck.app.workspace import Workspace
    from cuedeck.model.session import Session

_EVER = datetime.min.replace(tzinfo=UTC)
_KEPT = 200
"""Checkpoints of one session."""


class Seen(NamedTuple):
    """What a look at the checkout shows."""

    dirty: dict[str, str]
    """Hash of each file that is not committed, by path; without git, of each that is not what the session knows."""
    committed: tuple[str, ...]
    """Paths of the commits since the last checkpoint."""
    subjects: tuple[str, ...]
    checked: tuple[str, ...]
    """Boxes of the card that are checked."""
    commit: str
    branch: str
    context: Context
    fault: str = ""
    """Why git gave no answer; empty when it gave one."""


def checkpoint(project: Workspace, text: str = "") -> dict[str, Any]:
    """Write a checkpoint of the open session: `text`, and what changed since the last one. Raises: NoOpenSession."""
    session = find_open(project)
    seen = look_around(project, session)
    said = require_one_line(mask_to_keep(text, project), "text") if text.strip() else ""
    session = change(project, session.id, lambda known: mark(project, known, seen, said))
    settle(project)  # what was said with it may be the last action, of which the scene speaks
    last = session.checkpoints[-1]
    answer = {"session": session.id, **last._asdict(), "working_set": len(session.working_set)}
    if seen.fault:
        answer["git"] = fault_of(seen.fault)._asdict()
    return answer


def catch_up(project: Workspace) -> bool:
    """Write the checkpoint that is due, where anything changed; tell whether it did. Raises: NoOpenSession."""
    session = find_open(project)
    if not is_due(project, session):
        return False
    seen = look_around(project, session)
    after = change(project, session.id, lambda known: mark(project, known, seen, "", only_news=True))
    return after.checkpoints != session.checkpoints


def is_due(project: Workspace, session: Session) -> bool:
    """Tell whether so much time has passed since the last checkpoint that another one is due."""
    return minutes_since(_last(session)) >= project.settings.session.checkpoint_minutes


def look_around(project: Workspace, session: Session) -> Seen:
    """Look at the checkout, the card and the scene."""
    context = look(project)
    checkout = Checkout(project.workspace.root)
    commits = checkout.since(session.commit)
    committed = dict.fromkeys(path for commit in commits for path in commit.paths)
    if checkout.is_there:
        dirty = hashes_now(project, speakable(project, checkout.dirty()))
    else:
        now = hashes_now(project, session.working_set)
        dirty = {path: hash_ for path, hash_ in now.items() if hash_ != session.working_set[path].hash}
    return Seen(
        dirty,
        tuple(speakable(project, committed)),
        mask_to_keep(tuple(commit.subject for commit in commits), project),
        checked_boxes(project, session.card),
        checkout.commit,
        mask_to_keep(checkout.branch, project),
        context,
        checkout.fault,
    )


def mark(project: Workspace, session: Session, seen: Seen, text: str, *, only_news: bool = False) -> Session:
    """Return the session with a checkpoint and its files as they are now.

    With `only_news` it comes back without one where nothing happened.
    """
    now = later(session.last_access)
    session = with_decisions(project, session)
    told = {unnumbered(box) for each in session.checkpoints for box in each.checked}
    known = {identity for each in session.checkpoints for identity in each.decisions}
    since = moment_of(_last(session)) or _EVER
    fresh = _written(session, seen)
    news = {path for path in fresh if _differs(session, path, seen)}
    point = Checkpoint(
        now,
        tuple(sorted(news.union(_noted(session, since)))),
        tuple(text for text in seen.checked if text not in told),
        tuple(each.id for each in session.decisions if each.id and each.id not in known),
        seen.subjects,
        text,
        done=said_since(session.progress, "done", since),
        doing=said_since(session.progress, "doing", since),
        todo=said_since(session.progress, "todo", since),
    )
    if only_news and not any(point[1:]):
        return session
    paths = [*session.working_set, *(path for path in fresh if path not in session.working_set)]
    hashes = hashes_now(project, paths)
    session = take_in(project, session, fresh, "write", now, hashes)
    working = {path: each._replace(hash=hashes[path]) for path, each in session.working_set.items()}
    remember(project, hashes)
    session = replace(session, working_set=working, branch=seen.branch)
    if not seen.fault:  # else the commits since are told by the next checkpoint
        session = replace(session, commit=seen.commit)
    session = replace(session, checkpoints=(*session.checkpoints, point)[-_KEPT:])
    return with_context(session, seen.context)


def _last(session: Session) -> str:
    return session.checkpoints[-1].timestamp if session.checkpoints else session.created_at


def _noted(session: Session, since: datetime) -> Iterator[str]:
    """Return what somebody noted as written after a moment: the session knows these files as they are."""
    for path, each in session.working_set.items():
        if each.role != "read" and (moment_of(each.timestamp) or _EVER) > since:
            yield path


def _written(session: Session, seen: Seen) -> list[str]:
    """Return what was written during the session, by path."""
    changed = (path for path, hash_ in seen.dirty.items() if session.dirty.get(path) != hash_)
    return sorted({*changed, *seen.committed})


def _differs(session: Session, path: str, seen: Seen) -> bool:
    """Tell whether a file is news since the last checkpoint."""
    known = session.working_set.get(path)
    hash_ = seen.dirty.get(path)
    return known is None or known.role == "read" or (hash_ is not None and hash_ != known.hash)
