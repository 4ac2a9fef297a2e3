from __future__ import annotations

import pytest
from card_samples import (
    CARD,
    LISTS,
    body,
    cards,
    head,
    listed,
    newlines,
    others,
    values,
)
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cuedeck.model.errors import Invalid
from cuedeck.parse.frontmatter_edit import add_item, remove_item


@pytest.mark.parametrize(("before", "after"), LISTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_adding_an_item_keeps_the_form_and_removing_it_restores_the_bytes(
    before: str, after: str, newline: str
) -> None:
    old, new = (
        f"---\n{text}\n---\nbody\n".replace("\n", newline).encode()
        for text in (before, after)
    )
    assert add_item(old, "refs", "x") == new
    assert add_item(new, "refs", "x") == new
    assert remove_item(new, "refs", "x") == old
    assert remove_item(old, "refs", "x") == old


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [
        ("refs: a", "x", "refs: [a, x]"), ("refs: 'a' # c", "x", "refs: ['a', 'x'] # c"),
        ("refs: ~", "x", "refs: [x]"), ("tags: a, b # c", "x", "tags: [a, b, x] # c"),
        ("tags: a, b", "x, y", 'tags: [a, b, "x, y"]'),
        ("refs: a, b", "x", 'refs: ["a, b", x]'), ("refs: [a]", "[[x]]", 'refs: [a, "[[x]]"]'),
        ("refs:\n  - a", "@doc/x", 'refs:\n  - a\n  - "@doc/x"'), ("b: 1", "x", "b: 1\nrefs:\n  - x"),
        ("b:\n    - c", "x", "b:\n    - c\nrefs:\n    - x"), ("refs: >\n  a\n  b\nc: 1", "x", "refs: [a b, x]\nc: 1"),
    ],
)  # fmt: skip
def test_other_values_become_lists_only_as_needed(
    before: str, item: str, after: str
) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".encode() for text in (before, after))
    key = "tags" if before.startswith("tags") else "refs"
    assert add_item(old, key, item) == new
    assert add_item(new, key, item) == new


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [
        ("refs: [a, b, c]", "a", "refs: [b, c]"), ("refs: [a, b, c]", "b", "refs: [a, c]"),
        ("refs: [a, b, a]", "a", "refs: [b]"), ("refs: [a,]", "a", "refs: []"),
        ("refs: [\n  a,\n  b,\n]", "a", "refs: [\n  b,\n]"),
        ("refs:\n  - a # c\n  - b\nc: 1", "a", "refs:\n  - b\nc: 1"), ("refs:\n  - a\nc: 1", "a", "refs:\nc: 1"),
        ("refs:\n  - ref: a\n    view: full\n  - b", "a", "refs:\n  - b"),
        ("refs:\n  - [[w]]\n  - b", "[[w]]", "refs:\n  - b"), ('refs:\n  - "@doc/x"', "@doc/x", "refs:"),
        ("refs: a # c", "a", "refs: # c"), ("tags: a, b, c", "b", "tags: [a, c]"),
        ("tags: a, b, c", "a", "tags: [b, c]"),
        ('tags: "a, \\x62"', "b", "tags: [a]"), ("refs: a, b", "a, b", "refs:"), ("refs: a, b", "a", "refs: a, b"),
    ],
)  # fmt: skip
def test_removing_an_item_takes_its_comma_or_its_line(
    before: str, item: str, after: str
) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".encode() for text in (before, after))
    key = "tags" if before.startswith("tags") else "refs"
    assert remove_item(old, key, item) == new


@pytest.mark.parametrize(
    "value",
    [
        "refs: &r [a]\nb: *r", "b: &r [a]\nrefs: *r", "b: &s x\nrefs: [a, *s]", "refs: {a: 1}", "refs: {a: 1} # c",
    ],
)  # fmt: skip
def test_a_list_with_an_alias_or_no_list_is_refused(value: str) -> None:
    data = f"---\n{value}\n---\n".encode()
    for edit in (add_item, remove_item):
        with pytest.raises(Invalid, match=r"line \d"):
            edit(data, "refs", "a")


@settings(deadline=None)
@given(cards(), st.sampled_from(["refs", "tags"]), values)
@example(CARD, "refs", "docs/c.md")
def test_adding_and_removing_an_item_restores_the_bytes(
    data: bytes, key: str, item: str
) -> None:
    before = head(data).get(key)
    after = add_item(data, key, item)
    assert others(after, key) == others(data, key)
    assert body(after) == body(data)
    assert newlines(after) <= newlines(data)
    assert add_item(after, key, item) == after
    assume(before is not None and after != data)
    back = remove_item(after, key, item)
    if isinstance(before, str) and before:
        # A text value that cannot become an item by itself is a list after the edit.
        assert listed(head(back)[key]) == listed(before)
    else:
        assert back == data
