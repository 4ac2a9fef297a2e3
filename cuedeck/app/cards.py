"""Cards: make, list, show. Each function is what one command answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.active import active_path, cards, find_card_file, unread_cards
from cuedeck.graph.resolve import resolve
from cuedeck.model.errors import Invalid
from cuedeck.model.ids import new_id
from cuedeck.model.node import CLOSED, PRIORITIES, STATUSES, Card, File, Link
from cuedeck.model.places import CARDS
from cuedeck.model.scene import Unresolved
from cuedeck.store.clock import local_now, timestamp
from cuedeck.store.disk import create

if TYPE_CHECKING:
    from cuedeck.app.project import Project

LONGEST_TITLE = 3_000
MASKED = "warning: a secret was masked before the card was written, for cards are committed; make a new secret"

_UNREAD_HINTS = {
    "binary": "leave out the NUL characters",
    "blank-run": "leave out the blanks",
    "large-file": "put the text into a doc and give its path with the refs",
}
"""By the code of what a reader finds."""


class NewCard(NamedTuple):
    """What a new card is made of."""

    title: str
    refs: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    priority: str = "medium"
    assignee: str = ""
    depends_on: tuple[str, ...] = ()
    body: str = ""
    status: str = "todo"
    """`active` makes it the active one."""


def new_card(project: Project, wanted: NewCard) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Write a new card; return its JSON and warnings on secrets, which are masked, and refs that lead nowhere.

    Raises: Invalid for an empty title, for what cards read as no ref and for what cannot be read as a card afterwards,
    NotFound for a dependency that does not exist.
    """
    from cuedeck.app.masking import mask_value
    from cuedeck.parse.splice import render_card
    from cuedeck.parse.target import item_target

    wanted = wanted._replace(refs=tuple(map(new_ref, wanted.refs)))
    said, wanted = wanted, mask_value(wanted, project)
    title = clean_title(wanted.title)
    project.refresh()
    depends_on = tuple(dict.fromkeys(find_card_file(project, each)[1].id for each in wanted.depends_on))
    now = timestamp()
    workspace = project.workspace
    text = ""

    def write(identity: str) -> bool:
        nonlocal text
        fields = (
            ("id", identity),
            ("title", title),
            ("status", wanted.status),
            ("priority", wanted.priority),
            ("tags", wanted.tags),
            ("assignee", wanted.assignee),
            ("refs", wanted.refs),
            ("depends_on", depends_on),
            ("created", now),
            ("updated", now),
        )
        kept = [(key, value) for key, value in fields if value or key == "refs"]
        text = render_card(kept, f"# {title}\n" + (f"\n{wanted.body.strip()}\n" if wanted.body.strip() else ""))
        data = text.encode()
        check_readable(f"{CARDS}/{identity}.md", data)
        return not create(workspace.absolute(f"{CARDS}/{identity}.md"), data, workspace.cache)

    # The file itself decides whether an id is taken, so that two processes never get the same one.
    identity = new_id(f"{title}\0{time.time_ns()}".encode(), write)
    path = f"{CARDS}/{identity}.md"
    if wanted.status == "active":
        point_at(project, identity)
    project.tree.refresh_paths([path])
    links = (Link(item_target(ref), 0, "refs", "", False) for ref in wanted.refs)
    missed = [
        found for found in (resolve(link, path, project.index) for link in links) if isinstance(found, Unresolved)
    ]
    warnings = [*([MASKED] if wanted != said else []), *(_warning(each) for each in missed)]
    return {"id": identity, "path": path}, tuple(warnings)


def to_ref(address: str) -> str:
    """Return the ref of an address that a person gives: `./a.md`, which in a card would be the one beside it."""
    return address.removeprefix("./") or address


def new_ref(address: str) -> str:
    """Return the ref to write for an address that a person gives. Raises: Invalid when a card reads none there."""
    from cuedeck.parse.refs import read_back

    ref = to_ref(address)
    read_back(ref)
    return ref


def check_readable(path: str, data: bytes) -> None:
    """Refuse a card that would not be read. Raises: Invalid, with what its reader would tell."""
    from cuedeck.parse.decode import decode
    from cuedeck.parse.table import MAX_PARSED_BYTES, parse_file

    decoded = decode(data)
    if decoded.binary or len(data) > MAX_PARSED_BYTES:
        found = parse_file(path, data, decoded).diagnostics[0]
        raise Invalid(f"it could not be read as a card: {found.message}", hint=_UNREAD_HINTS[found.code])


def clean_title(title: str) -> str:
    """Return a title on one line, with single blanks. Raises: Invalid when it is empty or too long."""
    title = " ".join(title.split())
    if not title:
        raise Invalid("a card needs a title", hint='a few words on what it is about, such as "Fix the login"')
    if len(title) > LONGEST_TITLE:
        hint = "put the details into the text of the card"
        raise Invalid(f"a title has at most {LONGEST_TITLE:,} characters", hint=hint)
    return title


def list_cards(
    project: Project,
    *,
    status: str = "",
    tags: Sequence[str] = (),
    priority: str = "",
    assignee: str = "",
    created: str = "",
    updated: str = "",
    sort: str = "priority",
) -> dict[str, Any]:
    """Return the cards that fit every filter, and why others cannot be read. Default: all but done and archived.

    Raises: UsageError for a date that cannot be read.
    """
    now = local_now()
    tests: list[Callable[[File, Card], bool]] = []
    if not status:
        tests.append(lambda file, card: card.status not in CLOSED)
    elif status != "all":
        tests.append(lambda file, card: card.status == status)
    if tags:
        wanted = {tag.casefold() for tag in tags}
        tests.append(lambda file, card: not wanted.isdisjoint(tag.casefold() for tag in card.tags))
    if priority:
        tests.append(lambda file, card: card.priority == priority)
    if assignee:
        tests.append(lambda file, card: same_person(card.assignee, assignee))
    for text, moment in ((created, _created), (updated, _updated)):
        if text:
            tests.append(_date_test(project, text, now, moment))
    project.refresh()
    found = [(file, file.card) for file in cards(project) if file.card]
    kept = [(file, card) for file, card in found if all(test(file, card) for test in tests)]
    kept.sort(key=lambda pair: _sort_key(project, pair[0], pair[1], sort))
    active = active_path(project)
    rows = [{**_row(file), "active": file.path == active} for file, _ in kept]
    return {"cards": rows, "problems": [each._asdict() for each in unread_cards(project)]}


def _row(file: File) -> dict[str, Any]:
    """Return a card as the list shows it."""
    card = file.card
    assert card is not None
    return {
        "id": card.id,
        "title": card.title,
        "status": card.status,
        "priority": card.priority,
        "tags": list(card.tags),
        "assignee": card.assignee or None,
        "path": file.path,
        "refs": [link.ref for link in file.links if link.form == "refs"],
        "depends_on": list(card.depends_on),
        "created": card.created or None,
        "updated": card.updated or None,
        "broken": card.broken,
    }


def show_card(project: Project, text: str) -> dict[str, Any]:
    """Return one card with its text and what is wrong with it."""
    project.refresh()
    return project.settled(lambda: _show(project, text))


def _show(project: Project, text: str) -> dict[str, Any]:
    from cuedeck.app.doctor.own import own_problems

    file, card = find_card_file(project, text)
    has_text = file.lines >= file.body
    body = project.answer_mask().lines(file.path, [(file.body, file.lines)])[0] if has_text else ""
    return {
        "card": {**_row(file), "body": body, "budget": card.budget or None},
        "problems": [each._asdict() for each in own_problems(project, file)],
    }


def same_person(one: str, other: str) -> bool:
    """Tell whether two assignees are one; case and a leading @ do not matter."""
    return one.lstrip("@").casefold() == other.lstrip("@").casefold()


def point_at(project: Project, identity: str) -> None:
    """Make `.cuedeck/active` name a card, or nobody when `identity` is empty."""
    from cuedeck.store.disk import write_atomic

    write_atomic(project.workspace.active, f"{identity}\n".encode() if identity else b"", project.workspace.cache)


def _warning(each: Unresolved) -> str:
    near = f"; did you mean {each.suggestion}?" if each.suggestion else ""
    several = f"; it fits {', '.join(each.candidates)}" if each.reason == "ambiguous" else ""
    return f"warning: the ref {each.ref} leads nowhere yet ({each.reason}){near}{several}"


def _created(project: Project, file: File) -> datetime | None:
    from cuedeck.parse.dates import parse_moment

    return parse_moment(file.card.created) if file.card else None


def _updated(project: Project, file: File) -> datetime | None:
    from cuedeck.parse.dates import parse_moment

    written = parse_moment(file.card.updated) if file.card else None
    return written or project.tree.modified(file.path)


def _date_test(
    project: Project, text: str, now: datetime, moment_of: Callable[[Project, File], datetime | None]
) -> Callable[[File, Card], bool]:
    from cuedeck.parse.dates import parse_date_filter

    wanted = parse_date_filter(text, now)

    def test(file: File, card: Card) -> bool:
        moment = moment_of(project, file)
        return moment is not None and wanted.matches(moment)

    return test


def _sort_key(project: Project, file: File, card: Card, sort: str) -> tuple[Any, ...]:
    rank = PRIORITIES.index(card.priority) if card.priority in PRIORITIES else len(PRIORITIES)
    keys: dict[str, Callable[[], Any]] = {
        "priority": lambda: rank,
        "status": lambda: STATUSES.index(card.status) if card.status in STATUSES else len(STATUSES),
        "created": lambda: _newest_first(_created(project, file)),
        "updated": lambda: _newest_first(_updated(project, file)),
        "title": card.title.casefold,
        "id": lambda: card.id,
    }
    return keys[sort](), rank, card.created, file.path


def _newest_first(moment: datetime | None) -> float:
    return -moment.timestamp() if moment else 0.0
