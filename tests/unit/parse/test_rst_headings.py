"""Sections of documents that are not Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.sections import read_sections

RST = """\
.. _top:

=====
Guide
=====

Words.

Keys and :ref:`Doors <doors>`
-----------------------------

Some ``code``::

    Not a title
    -----------

Of `keys`_
^^^^^^^^^^

======  =====
a       b
======  =====

Doors
-----

-----

end
"""
ADOC = "= Guide\n\nWords.\n\n== Keys\n\n----\n== no title\n----\n\n=== Of doors\n\n==== \n== Doors\n"


def sections(path: str, text: str) -> list[tuple[str, int, int, int, int]]:
    return [
        (each.title, each.level, each.start, each.end, each.parent)
        for each in read_sections(path, text)
    ]


def test_titles_of_restructured_text() -> None:
    assert sections("docs/a.rst", RST) == [
        ("Guide", 1, 3, 29, -1),
        ("Keys and Doors", 2, 9, 23, 0),
        ("Of keys", 3, 17, 23, 1),
        ("Doors", 2, 24, 29, 0),
    ]


def test_titles_of_asciidoc() -> None:
    assert sections("a.adoc", ADOC) == [
        ("Guide", 1, 1, 14, -1),
        ("Keys", 2, 5, 13, 0),
        ("Of doors", 3, 11, 13, 1),
        ("Doors", 2, 14, 14, 0),
    ]


def test_a_title_of_a_document_names_it_and_its_sections_are_anchors() -> None:
    file = parse_file("docs/a.rst", RST.encode())
    assert (file.kind, file.title, len(file.sections)) == ("source", "Guide", 4)


@pytest.mark.parametrize("path", ["a.py", "a.txt", "rst", "a.md"])
def test_other_files_have_none(path: str) -> None:
    assert read_sections(path, RST) == ()


@given(
    st.text(alphabet="ab =-~\n`:<>*", max_size=80), st.sampled_from(["a.rst", "a.adoc"])
)
def test_sections_lie_inside_the_text_and_one_another(text: str, path: str) -> None:
    found = read_sections(path, text)
    lines = max(1, text.count("\n") + 1)
    for each in found:
        assert 1 <= each.start <= each.end <= lines
        if each.parent >= 0:
            above = found[each.parent]
            assert (
                above.level < each.level
                and above.start <= each.start
                and each.end <= above.end
            )
