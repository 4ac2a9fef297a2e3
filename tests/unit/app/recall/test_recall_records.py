"""Finding records by words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.app.memory.add_record import NewRecord, add_records
from cuedeck.app.memory.memory_profiles import memory_of
from cuedeck.app.search import recall
from cuedeck.model.errors import Invalid


class Diary:
    """The memory of a test."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.workspace = sandbox.workspace()
        self.memory = memory_of(self.workspace)

    def add(self, text: str, **fields: Any) -> str:
        return add_records(self.workspace, self.memory, [NewRecord(text, **fields)])[0]

    def ask(self, query: str, **options: Any) -> list[str]:
        found = recall(self.workspace, self.memory, query, **options)
        return [hit["address"].removeprefix("record:") for hit in found["hits"]]


@pytest.fixture
def diary(sandbox: Sandbox) -> Diary:
    return Diary(sandbox)


def test_records_are_found_by_words_best_first(diary: Diary) -> None:
    both = diary.add("Deploys to production never go out on Fridays")
    one = diary.add("The production database is reset by hand")
    diary.add("Lunch is at noon")
    assert diary.ask("production deploys on a friday") == [both, one]
    assert diary.ask("dinner") == []


def test_other_languages_are_found(diary: Diary) -> None:
    german = diary.add("Die Bereitstellungen laufen nachts")
    chinese = diary.add("部署在星期五进行")
    russian = diary.add("Сервер перезапускается ночью")
    assert diary.ask("Bereitstellung") == [german]
    assert diary.ask("部署") == [chinese]
    assert diary.ask("сервера") == [russian]


def test_secret_records_are_never_found(diary: Diary) -> None:
    diary.add("the walrus opens the vault", sensitivity="secret")
    line = {
        "id": "x-1",
        "category": "note",
        "text": "the walrus again",
        "provenance": {"sensitivity": "top"},
    }
    diary.sandbox.write(".cuedeck/memory/2026-01-01.md", f"- {json.dumps(line)}\n")
    assert diary.ask("walrus vault") == []


def test_what_is_superseded_or_gone_is_not_found(diary: Diary) -> None:
    old = diary.add("Deploys go out on Tuesdays")
    new = diary.add("Deploys go out on Wednesdays", supersedes=(old,))
    assert diary.ask("deploys") == [new]


def test_the_log_of_a_day_and_the_archive_are_looked_through(diary: Diary) -> None:
    def line(identity: str, text: str) -> str:
        provenance = {"timestamp": "2026-01-01T10:00:00Z", "sensitivity": "public"}
        return f"- {json.dumps({'id': identity, 'text': text, 'category': 'note', 'provenance': provenance})}\n"

    diary.sandbox.write(
        ".cuedeck/memory/2026-01-01.md", line("day-1", "the heron stood there")
    )
    diary.sandbox.write(
        f".cuedeck/{diary.memory.archive.removeprefix('.cuedeck/')}",
        line("old-1", "a heron of old"),
    )
    assert set(diary.ask("heron")) == {"day-1", "old-1"}
    diary.sandbox.write(
        ".cuedeck/memory/2026-01-01.md", line("day-1", "the stork stood there")
    )
    assert diary.ask("stork") == ["day-1"]
    assert diary.ask("heron") == ["old-1"]


def test_records_are_filtered_and_paged(diary: Diary) -> None:
    made = [
        diary.add(f"badger number {at}", category="learned" if at % 2 else "note")
        for at in range(6)
    ]
    assert set(diary.ask("badger", category="learned")) == set(made[1::2])
    pages = [diary.ask("badger", limit=4, offset=at) for at in (0, 4)]
    assert sorted(pages[0] + pages[1]) == sorted(made)


def test_a_hit_has_the_shape_of_all_hits(diary: Diary) -> None:
    identity = diary.add("The otter swims")
    (hit,) = recall(diary.workspace, diary.memory, "otter")["hits"]
    assert list(hit) == [
        "address",
        "path",
        "kind",
        "title",
        "lines",
        "score",
        "why",
        "snippet",
    ]
    assert (hit["address"], hit["path"], hit["kind"]) == (
        f"record:{identity}",
        ".cuedeck/MEMORY.md",
        "record",
    )
    assert hit["snippet"] == "The otter swims"
    text = diary.sandbox.place(".cuedeck/MEMORY.md").read_text().splitlines()
    assert identity in text[hit["lines"][0] - 1]


def test_a_long_record_is_cut_where_nothing_is_said(diary: Diary) -> None:
    diary.add("so " * 500 + "the lynx" + " and" * 500)
    (hit,) = recall(diary.workspace, diary.memory, "lynx")["hits"]
    assert len(hit["snippet"]) <= 402
    assert "lynx" in hit["snippet"]


def test_a_question_without_words_is_refused(diary: Diary) -> None:
    with pytest.raises(Invalid):
        diary.ask("  ")
