"""Before a context is compacted, what is known goes to disk, once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desk import Desk
from occasions import occasion

from cuedeck.app.hooks.compacting import compact
from cuedeck.app.hooks.prompting import prompt
from cuedeck.app.hooks.starting import start
from cuedeck.model.host_session import HostSession


@pytest.fixture
def shop(desk: Desk) -> Desk:
    desk.card("aaaaaa", "title: One", "status: active")
    desk.activate("aaaaaa")
    return desk


def tell(desk: Desk, known: HostSession, **words: Any) -> HostSession:
    return compact(occasion(desk, "pre-compact", known, **words)).known


def flushed(desk: Desk) -> int:
    place = desk.place(".cuedeck/MEMORY.md")
    return place.read_text().count("Pre-compaction memory flush checkpoint") if place.exists() else 0


def test_the_session_and_its_memory_have_a_checkpoint_and_the_next_prompt_gives_the_brief(shop: Desk) -> None:
    known = start(occasion(shop, "session-start")).known
    known = tell(shop, known)
    assert known.compacted and flushed(shop) == 1
    (place,) = [each for each in shop.place(".cuedeck/sessions").glob("*.json") if "backup" not in each.name]
    assert len(json.loads(place.read_text())["checkpoints"]) == 2
    assert tell(shop, known) == known and flushed(shop) == 1
    outcome = prompt(occasion(shop, "prompt", known, prompt="go"))
    assert "## Task\n\nOne." in outcome.text and not outcome.known.compacted
    tell(shop, outcome.known)
    assert flushed(shop) == 2


def test_behind_a_compaction_and_in_a_subagent_there_is_nothing_to_save(shop: Desk) -> None:
    assert tell(shop, HostSession("codex"), name="PostCompact").compacted
    assert tell(shop, HostSession("claude"), agent="b").compacted
    assert flushed(shop) == 0
