"""A merge with a memory file of another program adds each new line once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.knowledge.importers.merge_text import (
    Merge,
    merge_memory_text,
    parse_foreign_text,
)
from cuedeck.ledger.records.record_file import parse_records

TITLE = "# MEMORY.md — Long-term memory"


def record(identity: str, text: str, **more: Any) -> str:
    provenance = {
        "sourceChannel": "main",
        "confidence": 0.8,
        "timestamp": "2026-11-02T01:31:39.005Z",
        "sensitivity": "operational",
    }
    value = {
        "id": identity,
        "sessionId": "main",
        "category": "note",
        "text": text,
        "provenance": provenance,
        **more,
    }
    return "- " + json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def hide(value: Any) -> Any:
    """Mask the word `hunter2`."""
    return json.loads(json.dumps(value).replace("hunter2", "<secret>"))


def merge(known: str, foreign: str, gone: tuple[str, ...] = ()) -> Merge:
    return merge_memory_text(
        known, "# Head\n\n", parse_foreign_text(foreign, TITLE, hide), gone
    )


def merge_twice(known: str, foreign: str) -> Merge:
    first = merge(known, foreign)
    second = merge(first.text, foreign)
    assert second.text == first.text
    assert (second.records, second.lines) == (0, 0)
    return first


def test_a_new_file_has_the_records_and_the_lines_in_their_order() -> None:
    source = f"{TITLE}\n\nAbout this file.\n\n---\n\n{record('a', 'one')}\nprose\n"
    merged = merge_twice("", source)
    assert merged.text == f"# Head\n\n{record('a', 'one')}\nprose\n"
    assert (merged.records, merged.lines) == (1, 1)


def test_known_records_are_left_out_and_changed_ones_refused() -> None:
    known = f"mine\n{record('a', 'one')}\n{record('b', 'two')}\n"
    source = "\n".join(
        (record("a", "one"), record("b", "other"), record("c", "three"), "- {broken")
    )
    merged = merge_twice(known, source)
    assert merged.text == f"{known}{record('c', 'three')}\n"
    assert merged.refused == (
        (2, "record b has other content here"),
        (4, "broken JSON"),
    )


def test_a_forgotten_record_is_refused() -> None:
    merged = merge("", record("a", "one"), gone=("a",))
    assert merged.text == ""
    assert merged.refused == ((1, "record a was forgotten here"),)


def test_a_record_without_id_gets_one_and_keeps_its_other_keys() -> None:
    merged = merge_twice("x\n", '- {"text":"one","tags":["a"]}\n')
    (added,) = parse_records(merged.text).records
    assert added.value["tags"] == ["a"]
    assert added.value["id"] == added.id


def test_secrets_are_masked_in_records_and_in_prose() -> None:
    merged = merge_twice("x\n", f"the word is hunter2\n{record('a', 'hunter2')}\n")
    assert "hunter2" not in merged.text
    assert merged.text.count("<secret>") == 2


def test_new_lines_follow_their_heading_and_a_new_section_is_copied() -> None:
    known = "# Log\n\n## Food\n- shrimp\n\n## Work\n- done\n"
    source = (
        "# Log\n\n## Food\n- shrimp\n- rice\n\n## Home\n- done\n\n### Cat\n- done\n"
    )
    merged = merge_twice(known, source)
    added = "\n## Food\n\n- rice\n\n## Home\n- done\n\n### Cat\n- done\n"
    assert merged.text == known + added
    assert merged.lines == 5


def test_a_fenced_block_is_one_unit() -> None:
    known = "## Setup\n```sh\n# install\nmake\n```\nafter\n"
    source = (
        "## Setup\n```sh\n# install\nmake\n```\n```sh\nmake test\n```\nafter\nlast\n"
    )
    merged = merge_twice(known, source)
    assert merged.text == f"{known}\n## Setup\n\n```sh\nmake test\n```\nlast\n"


@pytest.mark.parametrize(
    "known",
    [
        "",
        "text without a newline at its end",
        "```\nnot closed\n",
        "# T\n\n## H\nline\n",
        f"{TITLE}\n\n{record('z', 'zed')}\n",
    ],
)
@pytest.mark.parametrize(
    "source",
    [
        "plain\n\nplain\nplain again\n",
        "```\nnot closed\n- x\n",
        f"```\ncode\n{record('a', 'in a block')}\nmore\n```\nafter\n",
        "# A\ntext\n## B\ntext\n### C\ntext\n## B\nother\n# D\nlast\n",
        "before\n## H\nline\n\n\nline two\n",
        "~~~\n# not a heading\n~~~\nafter\n",
        f"{record('a', 'line' + chr(0x2028) + 'separator')}\n\n\n\n",
        "\n\n",
        "",
    ],
)
def test_a_repeated_merge_adds_nothing(known: str, source: str) -> None:
    merged = merge_twice(known, source)
    assert merged.text.startswith(known)
    for line in source.splitlines():
        if not line.startswith("- {"):
            assert line in merged.text
