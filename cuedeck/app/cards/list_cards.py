"""Listing and display of cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cuedeck.app.cards.active_card import active_path, cards, find_card_file, unread_cards
from cuedeck.model.file import CLOSED, PRIORITIES, STATUSES, Card, File
from cuedeck.store.clock import local_now

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace


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
) -> dict[str, Any]:
    """Return the cards that match every filter, and the problems of unreadable cards.

    Without `status`, done and archived cards are left out. Raises: UsageError for an invalid date filter.
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
            tests.append(_date_test(workspace, text, now, moment))
    workspace.refresh()
    found = [(file, file.card) for file in cards(workspace) if file.card]
    kept = [(file, card) for file, card in found if all(test(file, card) for test in tests)]
    kept.sort(key=lambda pair: _sort_key(workspace, pair[0], pair[1], sort))
    active = active_path(workspace)
    rows = [{**_row(file), "active": file.path == active} for file, _ in kept]
    return {"cards": rows, "problems": [each._asdict() for each in unread_cards(workspace)]}


def _row(file: File) -> dict[str, Any]:
    """Return the JSON row of a card."""
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
    from cuedeck.app.doctor.validate_cards import own_problems

    file, card = find_card_file(workspace, text)
    has_text = file.lines >= file.body
    body = workspace.answer_mask().lines(file.path, [(file.body, file.lines)])[0] if has_text else ""
    return {
        "card": {**_row(file), "body": body, "budget": card.budget or None},
        "problems": [each._asdict() for each in own_problems(workspace, file)],
    }


def same_person(one: str, other: str) -> bool:
    """Return whether two assignees are equal, ignoring case and a leading @."""
    return one.lstrip("@").casefold() == other.lstrip("@").casefold()


def _created(workspace: Workspace, file: File) -> datetime | None:
    from cuedeck.parse.dates import parse_moment

    return parse_moment(file.card.created) if file.card else None


def _updated(workspace: Workspace, file: File) -> datetime | None:
    from cuedeck.parse.dates import parse_moment

    written = parse_moment(file.card.updated) if file.card else None
    return written or workspace.tree.modified(file.path)


def _date_test(
    workspace: Workspace, text: str, now: datetime, moment_of: Callable[[Workspace, File], datetime | None]
) -> Callable[[File, Card], bool]:
    from cuedeck.parse.dates import parse_date_filter

    wanted = parse_date_filter(text, now)

    def test(file: File, card: Card) -> bool:
        moment = moment_of(workspace, file)
        return moment is not None and wanted.matches(moment)

    return test


def _sort_key(workspace: Workspace, file: File, card: Card, sort: str) -> tuple[Any, ...]:
    rank = PRIORITIES.index(card.priority) if card.priority in PRIORITIES else len(PRIORITIES)
    keys: dict[str, Callable[[], Any]] = {
        "priority": lambda: rank,
        "status": lambda: STATUSES.index(card.status) if card.status in STATUSES else len(STATUSES),
        "created": lambda: _newest_first(_created(workspace, file)),
        "updated": lambda: _newest_first(_updated(workspace, file)),
        "title": card.title.casefold,
        "id": lambda: card.id,
    }
    return keys[sort](), rank, card.created, file.path


def _newest_first(moment: datetime | None) -> float:
    return -moment.timestamp() if moment else 0.0
