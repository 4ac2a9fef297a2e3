from __future__ import annotations

import pytest

from cuedeck.model.file import Card, File
from cuedeck.parse.parse_file import parse_file

PATH = ".cuedeck/cards/a1b2c3.md"


def read(text: str) -> File:
    return parse_file(PATH, text.encode())


def card(text: str) -> Card:
    found = read(text).card
    assert found is not None
    return found


def codes(text: str) -> list[tuple[str, int]]:
    return [(each.code, each.line) for each in read(text).diagnostics]


def test_all_fields_are_text_as_written() -> None:
    text = (
        "---\nid: a1b2c3\ntitle: 2026-01-01\nstatus: active\npriority: high\ntags: [a, 1]\nassignee: '@me'\n"
        "depends_on: [123456, no]\ncreated: 2026-01-01T10:00:00Z\nupdated: 12:30:45\nbudget: 16000\n---\n"
    )
    assert card(text) == Card(
        id="a1b2c3",
        title="2026-01-01",
        status="active",
        priority="high",
        tags=("a", "1"),
        assignee="@me",
        depends_on=("123456", "no"),
        created="2026-01-01T10:00:00Z",
        updated="12:30:45",
        budget="16000",
        broken=False,
    )
    assert codes(text) == []


def test_numeric_ids_are_dependencies() -> None:
    """`depends_on: [123456]` lost its edge because the id was read as a number."""
    assert card("---\ndepends_on: 123456\n---\n").depends_on == ("123456",)


def test_an_empty_card_has_defaults_and_its_file_name() -> None:
    assert card("") == Card(
        "a1b2c3", "a1b2c3", "todo", "medium", (), "", (), "", "", "", False
    )
    assert codes("") == []


def test_the_first_heading_of_level_1_replaces_a_missing_title() -> None:
    assert card("---\nstatus: todo\n---\n\n## Task\n\n# Do it\n").title == "Do it"
    assert card("---\nstatus: todo\n---\n\n## Task\n").title == "a1b2c3"


@pytest.mark.parametrize("key", ["created", "created_at"])
def test_dates_have_old_names_too(key: str) -> None:
    assert card(f"---\n{key}: 2026\n---\n").created == "2026"


@pytest.mark.parametrize("key", ["updated", "updated_at", "last_modified"])
def test_changes_have_old_names_too(key: str) -> None:
    assert card(f"---\n{key}: 2026\n---\n").updated == "2026"


def test_unknown_words_are_reported_and_read_as_the_default() -> None:
    text = "---\nstatus: doing\npriority: urgent\n---\n"
    assert (card(text).status, card(text).priority) == ("todo", "medium")
    assert codes(text) == [("unknown-status", 2), ("unknown-priority", 3)]
    assert "blocked" in read(text).diagnostics[0].hint
    assert "`doing`" in read(text).diagnostics[0].message


def test_known_words_may_be_written_large() -> None:
    assert card("---\nstatus: Done\n---\n").status == "done"


def test_an_id_that_is_not_the_file_name_is_a_warning() -> None:
    text = "---\nid: other\n---\n"
    assert card(text).id == "other"
    assert codes(text) == [("card-id", 2)]


@pytest.mark.parametrize(
    "budget", ["-1", "0", "many", "1.5", "9" * 5_000, "²", "1", "199", "10000001"]
)
def test_a_budget_is_a_number_within_its_bounds(budget: str) -> None:
    text = f"---\nbudget: {budget}\n---\n"
    assert card(text).budget == ""
    assert codes(text) == [("bad-budget", 2)]
    assert codes("---\nbudget: 200\n---\n") == []


@pytest.mark.parametrize("setting", ["depth: 9", "related_share: 3", "pinned: [a.md]"])
def test_a_setting_of_all_scenes_in_a_card_is_a_warning(setting: str) -> None:
    assert codes(f"---\n{setting}\n---\n") == [("card-setting", 2)]


@pytest.mark.parametrize(
    "line", ["assignee: @me", "title: Fix: the login", "tags: [a", 'title: "x" y']
)
def test_broken_yaml_leaves_a_card_that_can_be_listed(line: str) -> None:
    """Such a card was missing from every list, without a message."""
    text = f"---\nstatus: active\n{line}\n---\n# Fix the login\n[[auth]]\n"
    file = read(text)
    assert file.card is not None and file.card.broken
    assert (file.title, file.card.id, file.card.status) == (
        "Fix the login",
        "a1b2c3",
        "todo",
    )
    assert [link.ref for link in file.links] == ["auth"]
    assert [(each.code, each.line, each.level) for each in file.diagnostics] == [
        ("bad-yaml", 3, "error")
    ]
    assert file.diagnostics[0].hint


def test_an_unclosed_card_is_broken() -> None:
    text = "---\ntitle: x\n\n# Head\n"
    assert card(text).broken
    assert codes(text) == [("unclosed-front-matter", 1)]


def test_refs_come_before_links_of_the_text() -> None:
    file = read("---\nrefs: [b.md, a.md]\n---\n[[c]]\n")
    assert [(link.ref, link.line) for link in file.links] == [
        ("b.md", 2),
        ("a.md", 2),
        ("c", 4),
    ]
    assert file.body == 4
