"""Division of memory files and Markdown into units."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.knowledge.recall.memory_units import MOST_LINES, divide, utc_text


def record(text: str, **fields: object) -> str:
    return f"- {json.dumps({'id': text, 'text': text, **fields})}"


def rows(text: str, **options: object) -> list[tuple[str, int, int, str, str]]:
    units = divide(text, "log", has_records=True, **options).units  # type: ignore[arg-type]
    return [(each.kind, each.start, each.end, each.title, each.text) for each in units]


def test_records_paragraphs_items_fences_and_bare_headings_are_units() -> None:
    text = "\n".join(
        [
            "# 2026-11-19",
            "",
            "A paragraph",
            "of two lines.",
            "- an item",
            "  that hangs",
            "* another",
            "1. a third",
            record("a record"),
            "## Empty",
            "(code)=",
            "## Code",
            "```sh",
            "make",
            "",
            "# no heading",
            "```",
            "---",
            "tail",
        ]
    )
    day = "2026-11-19"
    assert rows(text) == [
        ("log", 3, 4, day, "A paragraph\nof two lines."),
        ("log", 5, 6, day, "an item\n  that hangs"),
        ("log", 7, 7, day, "another"),
        ("log", 8, 8, day, "a third"),
        ("record", 9, 9, "", "a record"),
        ("log", 10, 10, day, "Empty"),
        ("log", 13, 17, f"{day} > Code", "```sh\nmake\n\n# no heading\n```"),
        ("log", 18, 19, f"{day} > Code", "---\ntail"),
    ]


def test_front_matter_gives_the_subject_of_a_file() -> None:
    text = "---\ntitle: Fix login\nstatus: active\ntags: [auth]\n---\nBody.\n"
    units = divide(text, "card").units
    assert [(each.start, each.end, each.text) for each in units] == [
        (2, 4, "title: Fix login\ntags: [auth]"),
        (6, 6, "Body."),
    ]


def test_front_matter_of_a_log_is_not_part_of_its_text() -> None:
    front = "---\ntitle: Monday\nmood: great\ntags:\n  - deploy\n---\n"
    assert rows(f"{front}\nWe deployed.\n") == [
        ("log", 2, 5, "", "title: Monday"),
        ("log", 8, 8, "", "We deployed."),
    ]
    assert rows(f"{front}{record('a')}\n")[-1] == ("record", 7, 7, "", "a")


@pytest.mark.parametrize("inside", ["We deployed.", record("a")])
def test_a_rule_at_the_start_of_a_log_is_no_front_matter(inside: str) -> None:
    text = inside if inside[0] != "-" else "a"
    assert [row[-1] for row in rows(f"---\n{inside}\n---\nAn end\n")][:1] != []
    found = " ".join(row[-1] for row in rows(f"---\n\n{inside}\n\n---\n"))
    assert text in found


def test_the_template_of_a_user_has_no_units() -> None:
    text = (
        "# User\n\n<!-- Fill in\n\nwhat fits. -->\n\n- Name:\n- City: Oslo\n\n## Work\n"
    )
    assert [each.text for each in divide(text, "user").units] == ["City: Oslo"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("<!-- to do\none\n\ntwo", ["one", "two"]),
        ("<!-- whole -->\none\n\nan arrow --> two", ["one", "an arrow --> two"]),
        ("<!-- closed\n\nhidden\n-->\none", ["one"]),
    ],
)
def test_a_comment_without_an_end_is_its_first_line(
    text: str, found: list[str]
) -> None:
    assert [each.text for each in divide(text, "log").units] == found


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Maria: hello", "Maria"),
        ("- [D1:3] Caroline: hello", "Caroline"),
        ("- **Bob Smith**: hi", "Bob Smith"),
        ("Ángel: hola", "Ángel"),
        ("http://example.org", ""),
        ("at 10:30 we met", ""),
        ("lower: case", ""),
    ],
)
def test_the_speaker_is_the_name_before_a_colon(text: str, speaker: str) -> None:
    (unit,) = divide(text, "log").units
    assert unit.speaker == speaker


def test_dates_come_from_the_record_the_heading_and_the_file() -> None:
    text = "\n".join(
        [
            "Prose of the day.",
            "## Summary (2026-10-01 to 2026-10-09)",
            "- a fact",
            record("one", provenance={"timestamp": "2026-11-01T12:00:00+02:00"}),
            record("two", provenance={"timestamp": "soon"}),
        ]
    )
    units = divide(text, "log", day="2026-11-19", has_records=True).units
    assert [each.date for each in units] == [
        "2026-11-19",
        "2026-10-09",
        "2026-11-01T10:00:00.000Z",
        "2026-11-19",
    ]


@pytest.mark.parametrize(
    ("written", "utc"),
    [
        ("2026-11-23T10:00:00.000Z", "2026-11-23T10:00:00.000Z"),
        ("2026-02-29T10:00:00.000Z", ""),
        ("2024-02-29T10:00:00.000Z", "2024-02-29T10:00:00.000Z"),
        ("2026-11-23T00:30:00-06:00", "2026-11-23T06:30:00.000Z"),
        ("2026-11-23", "2026-11-23T00:00:00.000Z"),
        ("", ""),
        ("yesterday", ""),
    ],
)
def test_times_are_in_utc(written: str, utc: str) -> None:
    assert utc_text(written) == utc


def test_secret_and_broken_records_have_no_unit() -> None:
    lines = [
        record("hidden", provenance={"sensitivity": "secret"}),
        '- {"id": "cut", "text": "ha',
        record("shown", supersedes=["hidden"]),
    ]
    divided = divide("\n".join(lines), "log", has_records=True)
    assert [each.text for each in divided.units] == ["shown"]
    assert [each.id for each in divided.records] == ["hidden", "shown"]


def test_a_long_block_is_divided() -> None:
    text = "\n".join(f"line {at}" for at in range(MOST_LINES * 2 + 1))
    spans = [(each.start, each.end) for each in divide(text, "doc").units]
    assert spans == [(1, MOST_LINES), (MOST_LINES + 1, MOST_LINES * 2), (81, 81)]


LINES = st.sampled_from(
    [
        "",
        "words of prose",
        "  hanging words",
        "- an item",
        "# One",
        "## Two",
        "### Three",
        "```",
        "~~~",
        "---",
        "<!-- a comment",
        "<!-- a whole comment -->",
        "that ends -->",
        "- Name:",
        record("a record"),
        record("hidden", provenance={"sensitivity": "secret"}),
        '- {"broken": ',
        *(f"row {at}" for at in range(3)),
    ]
)
TEXTS = st.lists(LINES | st.just("\n".join(["many"] * (MOST_LINES + 3))), max_size=14)


@given(TEXTS)
def test_units_are_in_line_order_and_apart(lines: list[str]) -> None:
    text = "\n".join(lines)
    last = 0
    for unit in divide(text, "log", has_records=True).units:
        assert last < unit.start <= unit.end <= text.count("\n") + 1
        last = unit.end
