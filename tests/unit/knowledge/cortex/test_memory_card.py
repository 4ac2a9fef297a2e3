"""A memory card keeps the latest statement and the history of its key."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.cortex.memory_card import (
    PLACES,
    MemoryCard,
    Statement,
    add_statement,
    format_card,
    memory_key,
    memory_name,
    memory_title,
    parse_card,
)
from cuedeck.model.cortex_address import parse_cortex_address

VIM = Statement("I prefer vim.", "2026-11-21T09:00:00Z", ("cortex://s/a.md#L9",))
EMACS = Statement("I prefer emacs.", "2026-11-22T09:00:00Z", ("cortex://s/b.md#L9",))
NANO = Statement("I prefer nano.", "2026-11-23T09:00:00Z", ("cortex://s/c.md#L9",))


def card_of(*statements: Statement) -> MemoryCard:
    card = None
    for statement in statements:
        card = add_statement(card, "preference", "editor", statement).card
    assert card is not None
    return card


def test_a_later_statement_supersedes_an_earlier_one() -> None:
    added = add_statement(card_of(VIM), "preference", "editor", EMACS)
    assert added.outcome == "superseded"
    assert added.card.current == EMACS
    assert added.card.superseded == (VIM,)


def test_the_order_of_commits_does_not_matter() -> None:
    cards = {format_card(card_of(*order)) for order in permutations((VIM, EMACS, NANO))}
    assert len(cards) == 1
    assert parse_card(cards.pop()).current == NANO


def test_a_repetition_adds_its_source() -> None:
    again = Statement("i prefer  VIM", EMACS.time, EMACS.sources)
    card, outcome = add_statement(card_of(VIM), "preference", "editor", again)
    assert outcome == "repeated"
    assert card.current == Statement(
        VIM.text, EMACS.time, (*VIM.sources, *EMACS.sources)
    )
    assert add_statement(card, "preference", "editor", again).outcome == "known"


def test_a_known_line_changes_nothing() -> None:
    card = card_of(VIM, EMACS)
    for statement in (VIM, EMACS):
        assert add_statement(card, "preference", "editor", statement) == (card, "known")


def test_a_statement_in_force_again_keeps_the_history() -> None:
    again = Statement(VIM.text, NANO.time, NANO.sources)
    card = card_of(VIM, EMACS, again)
    assert [each.text for each in (card.current, *card.superseded)] == [
        VIM.text,
        EMACS.text,
        VIM.text,
    ]


def test_a_card_is_a_readable_file() -> None:
    assert format_card(card_of(VIM, EMACS)) == (
        "---\ntype: preference\nkey: editor\ntime: 2026-11-22T09:00:00Z\n"
        'sources: ["cortex://s/b.md#L9"]\n---\n\nI prefer emacs.\n\n'
        "## Superseded\n\n- 2026-11-21T09:00:00Z: I prefer vim.\n"
        "  cortex://s/a.md#L9\n"
    )


@pytest.mark.parametrize(
    "card",
    [
        card_of(VIM),
        card_of(VIM, EMACS, NANO),
        card_of(VIM._replace(text="Problem: a\n\nSolution: b"), EMACS),
        card_of(VIM._replace(sources=(*VIM.sources, *NANO.sources)), EMACS),
        MemoryCard("goal", "chip cooky", VIM, title="chip cookies"),
        MemoryCard("goal", "on", VIM, title="On: #1"),
        MemoryCard("goal", "true", VIM, rest=(("colour", "blue"), ("stars", 3))),
    ],
)
def test_a_card_is_read_back(card: MemoryCard) -> None:
    assert parse_card(format_card(card)) == card


@pytest.mark.parametrize(
    "text", ["", "text", "---\nkey: x\n---\n", "---\ntype: other\n---\n"]
)
def test_another_file_is_no_card(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the messages differ
        parse_card(text)


@pytest.mark.parametrize(
    ("time", "kept"),
    [
        ("", "1970-01-01T00:00:00Z"),
        ("soon", "1970-01-01T00:00:00Z"),
        ("2026-11-20", "2026-11-20T00:00:00Z"),
        ("2026-11-21T01:00:00+02:00", "2026-11-20T23:00:00Z"),
    ],
)
def test_a_card_written_by_hand_keeps_its_statement(time: str, kept: str) -> None:
    text = f"---\ntype: preference\nkey: editor\ntime: {time}\n---\n\nBy hand.\n"
    card = parse_card(text)
    for statement in (VIM, EMACS):
        added = add_statement(card, "preference", "editor", statement)
        card = parse_card(format_card(added.card))
    assert card.current == EMACS
    assert card.superseded == (VIM, Statement("By hand.", kept, ()))


def test_every_kind_has_a_place_in_the_grammar() -> None:
    for dimension, category in PLACES.values():
        parse_cortex_address(f"cortex://{dimension}/default/{category}/x.md")
    assert len(set(PLACES.values())) == len(PLACES)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Language", "the languages"),
        ("ＡＰＩ", "api"),
        ("Ana's keyboard", "ana keyboards"),
        ("category", "Categories"),
        ("chip cookie", "Chip cookies"),
        ("process", "processes"),
        ("cafe\u0301", "café"),
    ],
)
def test_spellings_of_one_thing_have_one_key(one: str, other: str) -> None:
    assert memory_key(one) == memory_key(other)


@pytest.mark.parametrize("text", ["status", "class", "redis", "C++", "C#", "node.js"])
def test_a_singular_is_its_own_key(text: str) -> None:
    assert memory_key(text) == text.casefold()


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("editor", "editor.md"),
        ("short answer", "short-answer.md"),
        ("c++", "cpp.md"),
        ("c#", "csharp.md"),
        ("node.js", "node.js.md"),
        ("modo oscuro", "modo-oscuro.md"),
        ("日本語", "日本語.md"),
    ],
)
def test_a_key_names_a_file(key: str, name: str) -> None:
    assert memory_name(key) == name


@pytest.mark.parametrize("key", ["con", "nul x", "a" * 300, "é" * 100, "", "x." * 60])
def test_any_key_names_a_possible_file(key: str) -> None:
    name = memory_name(key)
    parse_cortex_address(f"user/default/goals/{name}")
    assert memory_name(key) == name
    assert memory_name(f"{key}x") != name


@pytest.mark.parametrize(
    ("phrase", "title", "name"),
    [
        ("the chip cookies.", "chip cookies", "chip-cookies.md"),
        ("Chip  Cookies!", "Chip Cookies", "chip-cookies.md"),
        (
            "the login fails with an expired token.",
            "login fails with an expired token",
            "login-fails-with-an-expired-token.md",
        ),
        ("don't push to main", "don't push to main", "dont-push-to-main.md"),
        ("do not use `tabs`", "do not use tabs", "do-not-use-tabs.md"),
        ("Ana's keyboard", "Ana's keyboard", "anas-keyboard.md"),
        ("C++ and C#", "C++ and C#", "cpp-and-csharp.md"),
        ("a key <secret:aws-key>", "key <secret:aws-key>", "key-secret-aws-key.md"),
        ("[x] is done", "[x] is done", "x-is-done.md"),
        ("“dark mode” (UI)", "dark mode (UI)", "dark-mode-ui.md"),
        ("src/auth.py", "src/auth.py", "src-auth.py.md"),
        ("los  editores", "editores", "editores.md"),
        ("cafe\u0301 con leche", "caf\u00e9 con leche", "caf\u00e9-con-leche.md"),
        ("a b c d e f g h i j", "b c d e f g h i", "b-c-d-e-f-g-h-i.md"),
    ],
)
def test_a_title_has_the_words_as_they_were_written(
    phrase: str, title: str, name: str
) -> None:
    assert memory_title(phrase) == title
    assert memory_name(title) == name


def test_the_title_is_that_of_the_statement_in_force() -> None:
    card = add_statement(None, "preference", "editor", VIM, "editors").card
    assert (card.title, card.shown_title) == ("editors", "editors")
    card = add_statement(card, "preference", "editor", EMACS, "Editor").card
    assert card.title == "Editor"
    assert "type: preference\ntitle: Editor\nkey: editor\n" in format_card(card)
    card = add_statement(card, "preference", "editor", NANO, "editor").card
    assert (card.title, card.shown_title) == ("", "editor")
    earlier = VIM._replace(sources=("cortex://s/d.md#L9",))
    assert (
        add_statement(card, "preference", "editor", earlier, "Editors").card.title == ""
    )


@given(st.text())
def test_any_title_names_a_possible_file(text: str) -> None:
    title = memory_title(text)
    for name in (memory_name(title, text), memory_name(title, text, hashed=True)):
        parse_cortex_address(f"user/default/goals/{name}")


_PIECES = st.sampled_from(
    ("the", "not", "don't", "cookies", "Ana's", "C++", "node.js", " ", "*", '"', "(", "]", "-", ".", "é")
)  # fmt: skip


@given(st.lists(_PIECES).map(" ".join))
def test_a_title_has_the_key_of_its_phrase(text: str) -> None:
    assert memory_key(memory_title(text)) == memory_key(text)
