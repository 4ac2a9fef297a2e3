"""`assumptions.toml`: parsing, findings, and additions that keep the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.assumptions_toml import (
    add_assumption,
    format_assumption,
    parse_assumptions,
)
from cuedeck.model.assumption import Assumption, Check
from cuedeck.model.errors import Invalid
from cuedeck.model.paths import ASSUMPTIONS

TWO = b"""\
[[assumption]]
id = "uses-react"
text = "The project uses React"
impact = "the views"
affects = ["src/app.tsx", "docs/ui.md#Views"]
check = {dependency = {name = "react"}}

[[assumption]]
id = "team-is-small"
text = "Three people work on it"
"""


def faults(text: str) -> list[tuple[int, str, str, str]]:
    found = parse_assumptions(text.encode()).faults
    assert {each.path for each in found} <= {ASSUMPTIONS}
    return [(each.line, each.code, each.message, each.hint) for each in found]


def test_assumptions_are_read_in_the_order_of_the_file() -> None:
    items, message = parse_assumptions(TWO)
    assert message == ()
    assert items == (
        Assumption(
            "uses-react",
            "The project uses React",
            "the views",
            ("src/app.tsx", "docs/ui.md#Views"),
            Check("dependency", {"name": "react"}),
            1,
        ),
        Assumption("team-is-small", "Three people work on it", "", (), None, 8),
    )


@pytest.mark.parametrize("data", [b"", b"\n# nothing yet\n", b"\xef\xbb\xbf"])
def test_a_file_without_assumptions_has_none(data: bytes) -> None:
    assert parse_assumptions(data) == ((), ())


def test_broken_toml_names_its_line() -> None:
    ((line, code, message, _),) = faults('[[assumption]]\nid = "a"\ntext = oops\n')
    assert (line, code) == (3, "bad-toml")
    assert message == "not valid TOML: Invalid value"


def test_invalid_utf_8_is_reported() -> None:
    (fault,) = parse_assumptions(b"# x\n\xff\xfe").faults
    assert (fault.line, fault.code) == (2, "bad-encoding")


GOOD = '[[assumption]]\nid = "good"\ntext = "It is"\n'


@pytest.mark.parametrize(
    ("entry", "line", "code", "expected"),
    [
        ('[[assumption]]\ntext = "x"\n', 1, "missing-id", "an assumption needs an id"),
        (
            '[[assumption]]\nid = 3\ntext = "x"\n',
            2,
            "missing-id",
            "an assumption needs an id",
        ),
        ('[[assumption]]\nid = "b"\n', 1, "missing-text", "`b` has no text"),
        (
            '[[assumption]]\nid = "b"\ntext = "x"\nimpact = 3\n',
            4,
            "bad-value",
            "`impact` must be a string",
        ),
        (
            '[[assumption]]\nid = "b"\ntext = "x"\naffects = [3]\n',
            4,
            "bad-value",
            "`affects` must be a list of strings",
        ),
        (
            '[[assumption]]\nid = "b"\ntext = "x"\ncheck = "y"\n',
            4,
            "bad-check",
            "a check must be a table",
        ),
        (
            '[[assumption]]\nid = "b"\ntext = "x"\n[assumption.check]\nnope = 1\n',
            4,
            "bad-check",
            "unknown check `nope`",
        ),
        (
            '[[assumption]]\nid = "b"\ntext = "x"\nimpct = "y"\n',
            4,
            "unknown-key",
            "unknown key `impct`",
        ),
    ],
)
def test_a_fault_has_its_line_and_hides_no_other_entry(
    entry: str, line: int, code: str, expected: str
) -> None:
    items, found = parse_assumptions((entry + GOOD).encode())
    assert items[-1].id == "good"
    ((at, found_code, message, hint),) = [
        (each.line, each.code, each.message, each.hint) for each in found
    ]
    assert (at, found_code) == (line, code)
    assert expected in message
    assert hint


def test_a_repeated_id_keeps_the_first() -> None:
    items, found = parse_assumptions(
        (GOOD + GOOD.replace("It is", "It is not")).encode()
    )
    assert [each.text for each in items] == ["It is"]
    assert [(each.line, each.code, each.hint) for each in found] == [
        (5, "repeated-id", "line 1 already has it; use another id here")
    ]


def test_unknown_keys_are_reported() -> None:
    assert [each[1] for each in faults("[other]\nx = 1\n")] == ["unknown-key"]
    assert [each[1] for each in faults('[assumption]\nid = "a"\n')] == ["bad-value"]
    assert [each[1] for each in faults("assumption = [3]\n")] == ["bad-value"]


def test_a_single_address_needs_no_list() -> None:
    items, message = parse_assumptions(GOOD.encode() + b'affects = "src/a.py"\n')
    assert (items[0].affects, message) == (("src/a.py",), ())


WANTED = Assumption(
    "new",
    'A "new" one',
    "the \\ views",
    ("a.py",),
    Check("file_exists", {"path": "a.py"}),
    0,
)


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"# mine",
        TWO,
        TWO.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + TWO,
        TWO.rstrip(),
    ],
)
def test_adding_leaves_every_byte(before: bytes) -> None:
    after = add_assumption(before, WANTED)
    assert after.startswith(before)
    added = parse_assumptions(after).items[-1]
    assert (added.id, added.text, added.impact, added.affects, added.check) == (
        WANTED.id, WANTED.text, WANTED.impact, WANTED.affects, WANTED.check,
    )  # fmt: skip
    assert (b"\r\n" in after) == (b"\r\n" in before)


TOO_DEEP = b"x = " + b"[" * 5_000


@pytest.mark.parametrize(
    "before",
    [b"x = oops\n", b"\xff", TOO_DEEP, b"assumption = []\n", b"[assumption]\n"],
)
def test_nothing_is_added_to_a_file_that_would_break(before: bytes) -> None:
    """Line 0 used to be reported if no line is known."""
    with pytest.raises(Invalid) as raised:
        add_assumption(before, WANTED)
    assert "line 0" not in raised.value.message


def test_an_id_that_is_taken_in_a_list_on_one_line_names_no_line() -> None:
    """The message used to be `line 0 has it already`."""
    ((_, code, _, hint),) = faults(
        'assumption = [{id = "a", text = "b"}, {id = "a", text = "c"}]\n'
    )
    assert (code, hint) == (
        "repeated-id",
        "another already has it; use another id here",
    )


WORDS = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(
    lambda text: " ".join(text.split())
)
PLAIN = WORDS.map(lambda text: " ".join(text.split()))
CHECKS = st.one_of(
    st.none(),
    PLAIN.filter(str.isprintable).map(
        lambda path: Check("file_absent", {"path": path})
    ),
    st.tuples(PLAIN.filter(str.isprintable), WORDS).map(
        lambda pair: Check("contains", {"path": pair[0], "text": pair[1]})
    ),
    st.tuples(
        PLAIN.filter(str.isprintable), st.booleans() | st.integers(-9, 9) | WORDS
    ).map(
        lambda pair: Check("config", {"path": pair[0], "key": "k", "equals": pair[1]})
    ),
)


@given(PLAIN, PLAIN, st.lists(PLAIN, max_size=3).map(tuple), CHECKS)
def test_written_values_are_read_back(
    text: str, impact: str, affects: tuple[str, ...], check: Check | None
) -> None:
    wanted = Assumption("a", text, impact, affects, check, 1)
    assert parse_assumptions(format_assumption(wanted).encode()) == ((wanted,), ())


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
def test_every_sequence_of_bytes_has_an_answer(data: bytes) -> None:
    parse_assumptions(data)
    parse_assumptions(b"[[assumption]]\n" + data)
