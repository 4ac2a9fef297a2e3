"""Start a session."""

from __future__ import annotations

import contextlib
import posixpath
import re
from typing import TYPE_CHECKING, Any

from cuedeck.app.cards.active_card import active_id, active_path, find_card_file
from cuedeck.app.mask_answers import mask_to_keep, nameable
from cuedeck.app.sessions.archive_sessions import clean
from cuedeck.app.sessions.card_checkboxes import checked_boxes
from cuedeck.app.sessions.drain_hooks import process_hook_events
from cuedeck.app.sessions.open_session import (
    FAMILY,
    AlreadyOpen,
    NoOpenSession,
    card_title,
    find_open,
    later,
    open_session,
    write,
)
from cuedeck.app.sessions.session_working_set import hashes_now, speakable
from cuedeck.app.sessions.sync_scene import session_assumptions, settle
from cuedeck.model.display import quoted
from cuedeck.model.errors import Invalid
from cuedeck.model.ids import new_id
from cuedeck.model.secret_placeholder import without_placeholders
from cuedeck.model.session import Checkpoint, Session
from cuedeck.parse.slug import slugify
from cuedeck.store.fs.file_lock import locked
from cuedeck.store.git.checkout import Checkout
from cuedeck.store.ledgers.workflow_files import load_workflow

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace

_LONGEST_SLUG = 32
_LONGEST_ID = 64
_ID = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{_LONGEST_ID - 1}}}")
"""Lower case, as some disks do not tell cases apart; no dots, as endings follow in the name of the file."""


def start_session(project: Workspace, *, name: str = "", card: str = "", workflow: str = "") -> dict[str, Any]:
    """Begin a session on a card, by default the active one, and make that the active card.

    `name` becomes the id; without it the id is made of the title of the card. Sessions that were left alone for long
    go to the archive.
    Raises: AlreadyOpen; Invalid for a name that is no id or is taken; NotFound for card and workflow.
    """
    if name:
        check_name(project, name)
    steps = load_workflow(project.workspace, workflow).steps if workflow else ()
    process_hook_events(project)  # an end that waits is that of the session before, not of this one
    project.refresh()
    identity = active_card(project, card)
    checkout = Checkout(project.workspace.root)
    dirty = hashes_now(project, speakable(project, checkout.dirty()))
    cleaned = clean(project)["removed"]
    files = project.sessions
    with locked(project.workspace, FAMILY):
        other = open_session(project)
        if other is not None:
            raise AlreadyOpen(other.id)
        if identity and active_id(project) != identity:
            _activate(project, identity, bool(card))
        now = later("")
        if name and name in files.ids():
            raise _taken(name)
        name = name or _name(project, identity or workflow, set(files.ids()), now)
        checked = checked_boxes(project, identity)
        session = Session(
            id=name,
            created_at=now,
            last_access=now,
            workflow=workflow,
            current_step=1 if steps else 0,
            card=identity,
            branch=mask_to_keep(checkout.branch, project),
            commit=checkout.commit,
            dirty=dirty,
            checkpoints=(Checkpoint(now, (), checked, (), ()),),
        )
        files.point_at(name)  # before it is there: a crash between leaves no session that nobody knows
        write(project, session)
    settle(project)
    return {
        "session": name,
        "card": identity or None,
        "workflow": workflow or None,
        "step": session.current_step or None,
        "branch": session.branch or None,
        "assumptions": session_assumptions(project),
        "cleaned": cleaned,
        "receipt": (open_session(project) or session).receipt,
    }


def opened(project: Workspace) -> tuple[Session, bool]:
    """Return the open session, and whether it had to be begun for it."""
    with contextlib.suppress(NoOpenSession):
        return find_open(project), False
    try:
        start_session(project)
    except AlreadyOpen:  # others began it meanwhile
        return find_open(project), False
    return find_open(project), True


def check_name(project: Workspace, name: str) -> None:
    """Check that a name can be the id of a new session. Raises: Invalid."""
    if not _ID.fullmatch(name):
        slug = slugify(without_placeholders(project.mask().plain(name)))[:_LONGEST_ID].strip("-_")
        example = slug if _ID.fullmatch(slug) else "feature-auth-123"
        raise Invalid(
            f"`{name}` cannot be the id of a session: use lower-case letters, digits, `-` and `_`, "
            f"at most {_LONGEST_ID} characters",
            hint=f"cuedeck session start {quoted(example)}",
        )
    if not project.mask().is_plain(name):
        raise Invalid("the name of the session holds a secret", hint="give another name")
    from cuedeck.store.ledgers.session_archive import archived

    if name in project.sessions.ids() or any(each.id == name for each in archived(project.workspace)):
        raise _taken(name)


def _taken(name: str) -> Invalid:
    return Invalid(f"there is a session `{name}` already", hint=f"`cuedeck resume {name}` continues it")


def active_card(project: Workspace, text: str = "") -> str:
    """Return the card that `text` names, by default the active one: the stem of its file; empty when there is none.

    Raises: NotFound, Ambiguous, Invalid for a card that is named.
    """
    path = find_card_file(project, text)[0].path if text else active_path(project)
    return posixpath.splitext(posixpath.basename(path))[0]


def _activate(project: Workspace, identity: str, asked: bool) -> None:
    """Make a card the active one; its status is changed only where it was asked for."""
    from cuedeck.app.cards.create_card import point_at
    from cuedeck.app.cards.edit_card import set_status

    if asked:
        set_status(project, identity, "active")
    else:
        point_at(project, identity)


def _name(project: Workspace, subject: str, taken: set[str], now: str) -> str:
    """Return an id that tells what the session is about: `fix-login-k3x9qa`."""
    about = nameable(card_title(project, subject), project) or nameable(subject, project)
    words = re.findall(r"[a-z0-9]+", about.casefold())
    slug = "-".join(words)[:_LONGEST_SLUG].strip("-") or "session"
    return f"{slug}-{new_id(f'{slug}{now}'.encode(), lambda each: f'{slug}-{each}' in taken)}"
