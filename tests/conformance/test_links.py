"""The cases of links.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from cuedeck.model.file import Link
from cuedeck.parse.parse_file import parse_file

CASES = Path(__file__).with_name("links.md")
CASE = re.compile(
    r"^`{6}example (\S+)\n(.*?)^\.\n(.*?)^`{6}$", re.MULTILINE | re.DOTALL
)


def cases() -> list[ParameterSet]:
    text = CASES.read_text(encoding="utf-8")
    return [
        pytest.param(
            *match.groups(), id=f"line {text.count(chr(10), 0, match.start()) + 1}"
        )
        for match in CASE.finditer(text)
    ]


def show(link: Link) -> str:
    marks = f"{' ' + link.view if link.view else ''}{' pin' if link.pin else ''}"
    return f"{link.line} {link.form} {link.ref}{marks}\n"


@pytest.mark.parametrize(("path", "text", "expected"), cases())
def test_links_are_those_of_the_case(path: str, text: str, expected: str) -> None:
    assert "".join(map(show, parse_file(path, text.encode()).links)) == expected


def test_every_case_is_read() -> None:
    assert len(cases()) == CASES.read_text(encoding="utf-8").count("``````example ")
