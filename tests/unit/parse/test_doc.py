from __future__ import annotations

import pytest

from cuedeck.model.file import File
from cuedeck.parse.parse_file import parse_file


def read(text: str) -> File:
    return parse_file("docs/x.md", text.encode())


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: T\n---\n# H\n", "T"), ("text\n\n### H\n# G\n", "G"), ("text\n\n## H\n", ""), ("text\n", ""),
        ("---\ntitle: [x]\n---\n# H\n", "H"),
    ],
)  # fmt: skip
def test_the_title_is_given_or_the_first_heading(text: str, title: str) -> None:
    assert read(text).title == title


def test_names_and_tags_come_from_the_front_matter() -> None:
    file = read("---\naliases: [A, B b]\ntags: x, y\nrefs: a.md\n---\n[[b]]\n")
    assert (file.aliases, file.tags) == (("A", "B b"), ("x", "y"))
    assert [(link.ref, link.form) for link in file.links] == [
        ("a.md", "refs"),
        ("b", "wiki"),
    ]


def test_lines_are_those_of_the_file_whatever_its_newlines() -> None:
    text = "\ufeff---\r\ntitle: T\r\n---\r\n\r\n# H\r\n[[b]]\r\n"
    file = read(text)
    assert (file.body, file.lines, file.sections[0].start, file.links[0].line) == (
        4,
        6,
        5,
        6,
    )
    assert file.size == len(text.encode())
    assert file.diagnostics == ()


def test_a_dead_front_matter_is_a_warning_and_the_text_is_still_read() -> None:
    file = read("---\nrefs: @x\n---\n# H\n[[b]]\n")
    assert [(each.code, each.level, each.line) for each in file.diagnostics] == [
        ("bad-yaml", "warning", 2)
    ]
    assert [link.ref for link in file.links] == ["b"]
    assert file.body == 4
