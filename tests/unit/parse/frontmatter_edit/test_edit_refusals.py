from __future__ import annotations

import pytest
from card_samples import CARD

from cuedeck.model.errors import Invalid
from cuedeck.parse.frontmatter_edit import set_key


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\nstatus: todo\n", "line 1:"), ("---\na: 1\nb: @x\n---\n", "line 3:"),
        ("---\na: b: c\n---\n", "line 2:"), ("---\na: [1\n---\n", "line"), ("---\na: 1\nb: *x\n---\n", "line 3:"),
        ("---\na: 1\n--- b\nc: 1\n---\n", "line"), ("---\n- a\n---\n", "line 2:"),
        ("---\njust text\n---\n", "line 2:"), ("---\n{title: x}\n---\n", "line 2:"),
        ("---\na: 1\nb: \x01\n---\n", "line 3:"), ("---\nstatus: a\nstatus: b\n---\n", "line 3:"),
        ("---\nstatus: &s a\nb: *s\n---\n", "line 2:"), ("---\na: &s todo\nstatus: *s\n---\n", "line 3:"),
    ],
)  # fmt: skip
def test_front_matter_that_cannot_be_edited_safely_is_refused(
    text: str, line: str
) -> None:
    with pytest.raises(Invalid, match=line) as caught:
        set_key(text.encode(), "status", "done")
    error = caught.value
    assert error.hint
    assert error.message == f"line {error.line}: {error.problem}"


@pytest.mark.parametrize(
    "data", [b"---\ntitle: caf\xe9\n---\n", "---\na: b\n---\n".encode("utf-16")]
)
def test_other_encodings_are_refused(data: bytes) -> None:
    with pytest.raises(Invalid, match="UTF-8"):
        set_key(data, "status", "done")


def test_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(Invalid, match="Unicode"):
        set_key(CARD, "title", "caf\udce9")


def test_deep_nesting_ends_in_an_answer() -> None:
    deep, too_deep = (
        b"---\na: " + b"[" * depth + b"]" * depth + b"\n---\n"
        for depth in (150, 90_000)
    )
    assert set_key(deep, "b", "c").endswith(b"\nb: c\n---\n")
    with pytest.raises(Invalid, match="deep"):
        set_key(too_deep, "b", "c")
