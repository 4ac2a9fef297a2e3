"""Listing and display of cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cuedeck.engine.active_card import active_path, cards, find_card_file, unread_cards
from cuedeck.model.errors import UsageError
from cuedeck.model.file import CLOSED, PRIORITIES, STATUSES, Card, File
from cuedeck.store.clock import local_now
from cuedeck.text.date_filters import parse_date_filter, parse_moment
from cuedeck.work.cards.card_dependencies import Blockers

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace


CardTest = Callable[["File", "Card"], bool]


def list_cards(
    workspace: Workspace,
    *,
    status: str = "",
    tags: Sequence[str] = (),
    priority: str = "",
    assignee: str = "",
    created: str = "",
    updated: str = "",
    sort: str = "priority",
    ready: bool = False,
    blocked: bool = False,
) -> dict[str, Any]:
    """Return the cards that match every filter, and the problems of unreadable cards.

    Without `status`, done and archived cards are left out. A card is blocked if its
    status says so or if it depends on an open or missing card, also through other
    cards; an open card that is not blocked is ready. Raises: UsageError for an invalid
    date filter, or for both `ready` and `blocked`.
    """
    if ready and blocked:
        raise UsageError(
            "ready and blocked cannot be combined: no card is both",
            hint="give one of them, or neither for all open cards",
        )
    now = local_now()
    tests = _field_tests(status, tags, priority, assignee)
    for text, moment in ((created, _created), (updated, _updated)):
        if text:
            tests.append(_date_test(workspace, text, now, moment))
    workspace.refresh()
    blockers = Blockers(workspace.index)
    if ready or blocked:
        tests.append(lambda file, card: card.status not in CLOSED)
        tests.append(
            lambda file, card: blocked == _is_blocked(card, blockers.of(file.path))
        )
    found: list[tuple[File, Card]] = []
    for file in cards(workspace.index):
        card = file.card
        if card is not None and all(test(file, card) for test in tests):
            found.append((file, card))
    found.sort(key=lambda pair: _sort_key(workspace, pair[0], pair[1], sort))
    active = active_path(workspace)
    rows = []
    for file, _ in found:
        row = _row(file)
        row["active"] = file.path == active
        row["blocked_by"] = blockers.of(file.path)
        rows.append(row)
    return {
        "cards": rows,
        "problems": [problem._asdict() for problem in unread_cards(workspace.index)],
    }


def _is_blocked(card: Card, blockers: Sequence[object]) -> bool:
    return card.status == "blocked" or bool(blockers)


def _field_tests(
    status: str, tags: Sequence[str], priority: str, assignee: str
) -> list[CardTest]:
    """Return the tests of the fields of a card for the filters that are given."""
    tests: list[CardTest] = []
    if not status:
        tests.append(lambda file, card: card.status not in CLOSED)
    elif status != "all":
        tests.append(lambda file, card: card.status == status)
    if tags:
        wanted = frozenset(_folded(tags))
        tests.append(lambda file, card: not wanted.isdisjoint(_folded(card.tags)))
    if priority:
        tests.append(lambda file, card: card.priority == priority)
    if assignee:
        tests.append(lambda file, card: same_person(card.assignee, assignee))
    return tests


def _folded(tags: Iterable[str]) -> list[str]:
    return [tag.casefold() for tag in tags]


def _row(file: File) -> dict[str, Any]:
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


def show_card(workspace: Workspace, text: str) -> dict[str, Any]:
    """Return one card with its masked text and its problems."""
    workspace.refresh()
    return workspace.settled(lambda: _show(workspace, text))


def _show(workspace: Workspace, text: str) -> dict[str, Any]:
    from cuedeck.doctor.validate_cards import own_problems

    file, card = find_card_file(workspace.index, text)
    body = ""
    if file.lines >= file.body:
        mask = workspace.answer_mask()
        (body,) = mask.lines(file.path, [(file.body, file.lines)])
    problems = own_problems(workspace, file)
    return {
        "card": {**_row(file), "body": body, "budget": card.budget or None},
        "problems": [problem._asdict() for problem in problems],
    }


def same_person(one: str, other: str) -> bool:
    """Return whether two assignees are equal, ignoring case and a leading @."""
    return one.lstrip("@").casefold() == other.lstrip("@").casefold()


def _created(workspace: Workspace, file: File) -> datetime | None:
    if not file.card:
        return None
    return parse_moment(file.card.created)


def _updated(workspace: Workspace, file: File) -> datetime | None:
    moment = None
    if file.card:
        moment = parse_moment(file.card.updated)
    return moment or workspace.tree.modified(file.path)


def _date_test(
    workspace: Workspace,
    text: str,
    now: datetime,
    moment_of: Callable[[Workspace, File], datetime | None],
) -> Callable[[File, Card], bool]:
    wanted = parse_date_filter(text, now)

    def test(file: File, card: Card) -> bool:
        moment = moment_of(workspace, file)
        return moment is not None and wanted.matches(moment)

    return test


_SORT_KEYS: Mapping[str, Callable[[Workspace, File, Card], Any]] = {
    "priority": lambda workspace, file, card: _position(card.priority, PRIORITIES),
    "status": lambda workspace, file, card: _position(card.status, STATUSES),
    "created": lambda workspace, file, card: _newest_first(_created(workspace, file)),
    "updated": lambda workspace, file, card: _newest_first(_updated(workspace, file)),
    "title": lambda workspace, file, card: card.title.casefold(),
    "id": lambda workspace, file, card: card.id,
}
"""Value that each sort order compares first."""


def _sort_key(
    workspace: Workspace, file: File, card: Card, sort: str
) -> tuple[Any, ...]:
    first = _SORT_KEYS[sort](workspace, file, card)
    return first, _position(card.priority, PRIORITIES), card.created, file.path


def _position(value: str, values: Sequence[str]) -> int:
    """Return the position of a value; unknown values come last."""
    if value in values:
        return values.index(value)
    return len(values)


def _newest_first(moment: datetime | None) -> float:
    return -moment.timestamp() if moment else 0.0
