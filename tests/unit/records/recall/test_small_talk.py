"""Messages that need no recall."""

from __future__ import annotations

import pytest

from cuedeck.records.recall.small_talk import needs_recall


@pytest.mark.parametrize(
    "message",
    [
        "",
        "  \n",
        "hi",
        "Hola, buenos días!",
        "Thanks a lot, that works",
        "That’s great — thank you!",
        "ok go ahead",
        "sí",
        "👍",
        "...",
        "/clear",
        "/compact keep the part about the invoices",
        "/my-own-command",
    ],
)
def test_greetings_answers_and_commands_need_no_recall(message: str) -> None:
    assert not needs_recall(message)


@pytest.mark.parametrize(
    "message",
    [
        "/newsletter is broken",
        "/etc/hosts is not read",
        "shrimp allergy",
        "db port",
        "staging?",
        "thanks, now fix the invoices",
        "東京",
        "hi " * 13,
    ],
)
def test_anything_else_may_have_an_answer(message: str) -> None:
    assert needs_recall(message)
