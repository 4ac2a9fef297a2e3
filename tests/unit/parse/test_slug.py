from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.sections import Slugger, slugify


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Error Handling", "error-handling"),
        ("  What's new? (2.0) ", "whats-new-20"),
        ("a  b", "a--b"),
        ("snake_case & kebab-case", "snake_case--kebab-case"),
        ("Übung für Ärzte", "übung-für-ärzte"),
        ("日本語 テスト", "日本語-テスト"),
        ("हिन्दी", "हिन्दी"),
        ("Łódź – 1½", "łódź--1"),
        ("🚀 Start", "-start"),
        ("!!!", ""),
    ],
)
def test_slugs_are_those_of_github(title: str, slug: str) -> None:
    assert slugify(title) == slug


def test_repeats_are_numbered() -> None:
    """The first Markdown scanner gave every repeat the same slug."""
    slugger = Slugger()
    assert [slugger.slug("A") for _ in range(3)] == ["a", "a-1", "a-2"]


def test_a_number_that_is_taken_gets_its_own_number() -> None:
    slugger = Slugger()
    assert [slugger.slug(title) for title in ("A", "A", "A-1", "A")] == [
        "a",
        "a-1",
        "a-1-1",
        "a-2",
    ]


@given(st.lists(st.text("aA-1 é!", max_size=4), max_size=30))
def test_slugs_of_one_document_are_unique(titles: list[str]) -> None:
    slugger = Slugger()
    slugs = [slugger.slug(title) for title in titles]
    assert len(set(slugs)) == len(slugs)
