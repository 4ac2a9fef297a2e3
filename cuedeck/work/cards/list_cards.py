"""Listing and display of cards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cuedeck.engine.active_card import active_path, cards, find_card_file, unread_cards
from cuedeck.model.errors import UsageError
from cuedeck.model.file import CLOSED, PRIORITIES, STATUSES, File
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.store.clock import local_now
from cuedeck.text.date_filters import parse_date_filter, parse_moment
from cuedeck.work.cards.card_dependencies import Blockers

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json
    from cuedeck.store.files.tree import Tree
    from cuedeck.store.index import Index


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
) -> Json:
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
    periods = []
    for text, moment in ((created, _created), (updated, _updated)):
        if text:
            periods.append((parse_date_filter(text, now), moment))
    workspace.refresh()
    rows = _all_rows(workspace.index, active_path(workspace.index, workspace.paths))
    tests = _field_tests(status, tags, priority, assignee)
    if ready or blocked:
        tests.append(lambda row: row["status"] not in CLOSED)
        tests.append(lambda row: blocked == _is_blocked(row))
    for test in tests:
        rows = list(filter(test, rows))
    for period, moment_of in periods:
        moments = [moment_of(workspace.tree, row) for row in rows]
        pairs = zip(rows, moments, strict=True)
        rows = [row for row, moment in pairs if moment and period.matches(moment)]
    first = _SORT_KEYS[sort]
    rows.sort(
        key=lambda row: (
            first(workspace.tree, row),
            _position(row["priority"], PRIORITIES),
            row["created"] or "",
            row["path"],
        )
    )
    problems = [problem._asdict() for problem in unread_cards(workspace.index)]
    return {"cards": rows, "problems": problems}


def _all_rows(index: Index, active: str) -> list[Json]:
    blockers = Blockers(index)
    rows = []
    for file in cards(index):
        if file.card is not None:
            row = {**_row(file), "active": file.path == active}
            rows.append({**row, "blocked_by": blockers.of(file.path)})
    return rows


def _is_blocked(row: Json) -> bool:
    return row["status"] == "blocked" or bool(row["blocked_by"])


def _field_tests(
    status: str, tags: Sequence[str], priority: str, assignee: str
) -> list[Callable[[Json], bool]]:
    """Return the tests of the rows for the filters that are given."""
    tests: list[Callable[[Json], bool]] = []
    if not status:
        tests.append(lambda row: row["status"] not in CLOSED)
    elif status != "all":
        tests.append(lambda row: row["status"] == status)
    if tags:
        wanted = frozenset(map(str.casefold, tags))
        tests.append(lambda row: not wanted.isdisjoint(map(str.casefold, row["tags"])))
    if priority:
        tests.append(lambda row: row["priority"] == priority)
    if assignee:
        tests.append(lambda row: same_person(row["assignee"] or "", assignee))
    return tests


def _row(file: File) -> Json:
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


def show_card(workspace: Workspace, text: str) -> Json:
    """Return one card with its text and its problems."""
    workspace.refresh()
    return workspace.settled(lambda: _show(workspace, text))


def _show(workspace: Workspace, text: str) -> Json:
    from cuedeck.doctor.validate_cards import own_problems

    file, card = find_card_file(workspace.index, text)
    text = workspace.texts.text(file.path)
    body = text[split_front_matter(file.path, text).offset :]
    problems = own_problems(workspace, file)
    return {
        "card": {**_row(file), "body": body, "budget": card.budget or None},
        "problems": [problem._asdict() for problem in problems],
    }


def same_person(one: str, other: str) -> bool:
    """Return whether two assignees are equal, ignoring case and a leading @."""
    return one.lstrip("@").casefold() == other.lstrip("@").casefold()


def _created(tree: Tree, row: Json) -> datetime | None:
    return parse_moment(row["created"] or "")


def _updated(tree: Tree, row: Json) -> datetime | None:
    moment = parse_moment(row["updated"] or "")
    return moment or tree.modified(row["path"])


_SORT_KEYS: Mapping[str, Callable[[Tree, Json], Any]] = {
    "priority": lambda tree, row: _position(row["priority"], PRIORITIES),
    "status": lambda tree, row: _position(row["status"], STATUSES),
    "created": lambda tree, row: _newest_first(_created(tree, row)),
    "updated": lambda tree, row: _newest_first(_updated(tree, row)),
    "title": lambda tree, row: row["title"].casefold(),
    "id": lambda tree, row: row["id"],
}
"""Value that each sort order compares first."""


def _position(value: str, values: Sequence[str]) -> int:
    """Return the position of a value; unknown values come last."""
    return values.index(value) if value in values else len(values)


def _newest_first(moment: datetime | None) -> float:
    return -moment.timestamp() if moment else 0.0
