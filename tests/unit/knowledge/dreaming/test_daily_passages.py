"""Passages of a daily log: whatever a search finds as one text is found again."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.dreaming.daily_passages import DailyPassages
from cuedeck.knowledge.recall.memory_units import divide
from cuedeck.ledger.records.recall_hit_line import text_key

SENTENCES = [f"line {number} says the tower opens at nine" for number in range(50)]
FENCE = ["```", "port = 5433", "", "host = staging", "```"]
RECORD = '- {"id":"a","text":"Ana waters the plants"}'


@pytest.mark.parametrize(
    "lines",
    [
        SENTENCES[:13],
        SENTENCES,
        ["# Day", "", *FENCE, "", "- an item", "  of two lines"],
        ["One paragraph.", RECORD, *FENCE, RECORD, "", "The last line"],
    ],
)
def test_every_unit_of_a_log_is_a_passage(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    passages = DailyPassages(text, text)
    units = [
        unit for unit in divide(text, "log", has_records=True).units if not unit.id
    ]
    assert units
    for unit in units:
        whole = "\n".join(lines[unit.start - 1 : unit.end])
        found = passages.find(text_key(whole))
        assert found is not None
        assert found.first == unit.start
        assert whole.startswith(found.text)


def test_lines_above_and_below_a_passage_do_not_change_it() -> None:
    key = text_key("The tower opens at nine")
    text = "New.\n\nAbove.\n- The tower\n  opens at nine\nBelow.\n"
    passage = DailyPassages(text, text).find(key)
    assert passage is not None
    assert passage.lines == "L4-L5"


def test_a_record_is_no_part_of_a_passage() -> None:
    text = f"The tower\n{RECORD}\nopens at nine\n"
    passages = DailyPassages(text, text)
    assert passages.find(text_key("Ana waters the plants")) is None
    assert passages.find(text_key(f"The tower {RECORD} opens at nine")) is None
    assert passages.find(text_key("opens at nine")) == (3, 3, "opens at nine", False)


def test_a_passage_with_a_part_of_a_secret_of_the_log_has_a_secret() -> None:
    passages = DailyPassages(
        "begin k1\nk2\nk3 end\nfree\n", "begin <secret>\n\n end\nfree\n"
    )
    texts = ("begin k1", "k2", "k3 end", "k3 end\nfree", "free")
    found = [passages.find(text_key(text)) for text in texts]
    assert [each is not None and each.has_secret for each in found] == [True] * 4 + [
        False
    ]
