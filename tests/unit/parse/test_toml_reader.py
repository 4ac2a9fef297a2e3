"""TOML that takes too long is refused before it is parsed; every reader of TOML refuses
it.
"""

from __future__ import annotations

import tomllib

import pytest

from cuedeck.ledger.assumptions_toml import parse_assumptions
from cuedeck.model.errors import Invalid
from cuedeck.parse import toml_reader
from cuedeck.parse.config_values import find_value
from cuedeck.parse.import_roots import read_roots
from cuedeck.parse.manifests import find_dependency
from cuedeck.parse.toml_reader import MOST_PARTS, read_toml

LONG = ".".join("a" * 20_000)
QUOTED = " . ".join(["'a.b'", '"c.\\".d"'] * 10_000)


@pytest.mark.parametrize(
    "text",
    [
        f"x = 1\n{LONG} = 1", f"x = 1\n[{LONG}]", f"x = 1\n[[{LONG}]]", f"x = 1\n{QUOTED} = 1",
        f"x = 1\ny = {{{LONG} = 1}}",
    ],
)  # fmt: skip
def test_a_key_of_too_many_parts_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(
        Invalid, match=rf"line 2: a key must have at most {MOST_PARTS} parts"
    ):
        read_toml(text)


def test_the_longest_key_is_read() -> None:
    key = ".".join("a" * MOST_PARTS)
    assert read_toml(f"{key} = 1") == tomllib.loads(f"{key} = 1")
    with pytest.raises(Invalid):
        read_toml(f"a.{key} = 1")


@pytest.mark.parametrize(
    "text",
    [
        f'x = "{"a." * 99}"', f"x = '{'a.' * 99}'", f'x = """\n{"a." * 99}\n\\""" "" {"a." * 99}"""',
        f"x = '''\n{'a.' * 99}\n'' {'a.' * 99}'''", f"x = 1 # {'a.' * 99}", f"x = [{'1.5, ' * 99}]",
        f'"{"a." * 99}" = 1',
    ],
)  # fmt: skip
def test_dots_in_strings_comments_and_numbers_do_not_count(text: str) -> None:
    assert read_toml(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "end", ['"""', "'''", '"', "'", "\\", '"""\\', "x = [", "\n=", '"' * 99]
)
def test_an_unclosed_value_is_invalid(end: str) -> None:
    with pytest.raises(Invalid, match="not valid TOML"):
        read_toml(f'x = "{"a." * 99}"\ny = {end}')


def test_a_text_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_reader, "MOST_CHARACTERS", 10)
    assert read_toml("a = 123456") == {"a": 123_456}
    with pytest.raises(Invalid, match="at most 10 characters, got 11"):
        read_toml("a = 1234567")


def test_every_reader_refuses_it() -> None:
    text = f"{LONG} = 1"
    assert read_roots("pyproject.toml", text) == read_roots("Cargo.toml", text) == ()
    assert parse_assumptions(text.encode()).faults[0].code == "bad-toml"
    for path in ("pyproject.toml", "Cargo.toml"):
        with pytest.raises(Invalid, match="cannot be read"):
            find_dependency(path, text, "x")
    with pytest.raises(Invalid, match="is not valid TOML: line 1: a key must have"):
        find_value("a.toml", text, "x")
    with pytest.raises(Invalid, match="at most 100 parts, got 20,000"):
        find_value("a.toml", "", LONG)


def test_conflict_markers_are_named_with_their_line() -> None:
    text = "a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> theirs\n"
    (fault,) = parse_assumptions(text.encode()).faults
    assert (fault.line, fault.code) == (2, "bad-toml")
    assert fault.message.startswith("git conflict markers")
    assert "keep the lines of one side" in fault.hint
