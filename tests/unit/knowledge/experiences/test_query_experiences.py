"""Queries and lists of experiences."""

from __future__ import annotations

from pathlib import Path

from experience_sandbox import PATH, added, extracted, queried, record
from sandbox import Sandbox

from cuedeck.knowledge.experiences.add_experience import add_experience
from cuedeck.knowledge.experiences.query_experiences import (
    list_experiences,
    query_experiences,
)
from cuedeck.ledger.records.memory_files import memory_of


def test_case_16_adds_and_queries_experiences(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml", "[experiences]\nuniqueness_threshold = 0.9\n")
    made = added(
        sandbox,
        "User prefers dark mode and keyboard shortcuts",
        category="user-preference",
    )
    assert (made["added"], made["category"], made["session"]) == (
        True,
        "user-preference",
        "main",
    )
    added(sandbox, "We fixed the login bug by validating the token")
    first = queried(sandbox, "user preferences dark mode")["results"][0]
    assert list(first) == [
        "id",
        "text",
        "score",
        "category",
        "session",
        "timestamp",
        "record",
        "entities",
        "sources",
    ]
    assert (first["id"], first["text"]) == (
        made["id"],
        "User prefers dark mode and keyboard shortcuts",
    )
    assert first["score"] > 0
    assert "login" in queried(sandbox, "login bug fix")["results"][0]["text"]


def test_e16_other_scripts_are_kept_once_and_found(sandbox: Sandbox) -> None:
    texts = [
        "Пользователь предпочитает тёмную тему редактора",
        "利用者は毎回テストの前にコードを整形することを好みます",
    ]
    rows = (record(f"r{at}", texts[at % 2]) for at in range(10))
    sandbox.write(".cuedeck/MEMORY.md", "".join(rows))
    assert extracted(sandbox) == (10, 2, 8, 0)
    assert [
        queried(sandbox, query)["results"][0]["text"]
        for query in ("тёмная тема", "コードを整形")
    ] == texts


def test_a_line_labelled_secret_is_never_shown(sandbox: Sandbox) -> None:
    sandbox.write(
        PATH, '{"id":"a","text":"The vault opens at nine","sensitivity":"secret"}\n'
    )
    assert queried(sandbox, "vault opens")["results"] == []
    assert list_experiences(memory_of(sandbox.workspace()))["experiences"] == []
    assert added(sandbox, "The vault opens at nine")["added"]


def test_a_second_query_in_one_process_sees_changes_since_the_first(
    sandbox: Sandbox,
) -> None:
    workspace = sandbox.workspace()
    memory = memory_of(workspace)
    assert query_experiences(workspace, memory, "cellar")["results"] == []
    add_experience(workspace, memory, "The cellar is wet")
    assert len(query_experiences(workspace, memory, "cellar")["results"]) == 1
    place = Path(memory.place("experiences.jsonl"))
    place.write_text(place.read_text().replace("cellar", "attic"))
    assert query_experiences(workspace, memory, "cellar")["results"] == []
