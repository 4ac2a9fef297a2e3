from __future__ import annotations

import pytest
from card_samples import CARD, body, cards, changed, head, newlines, others, values
from hypothesis import example, given, settings
from hypothesis import strategies as st

from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.frontmatter_edit import add_item, set_key
from cuedeck.parse.text_decoding import decode
from cuedeck.parse.yaml_quoting import render_card


def test_a_status_change_replaces_one_word() -> None:
    """Pins a bug of an earlier tool: the closing `---` was appended to the last YAML
    line.
    """
    assert set_key(CARD, "status", "done") == CARD.replace(
        b"status: todo", b"status: done"
    )
    last = b"---\ntitle: x\nstatus: todo\n---\nbody"
    assert set_key(last, "status", "done") == b"---\ntitle: x\nstatus: done\n---\nbody"


def test_text_before_a_block_in_the_body_is_kept() -> None:
    """Pins a bug of an earlier tool: a `---` block in the middle was taken for the
    front matter.
    """
    data = b"# Title\n\n---\nstatus: todo\n---\nrest\n"
    assert set_key(data, "status", "done") == b"---\nstatus: done\n---\n" + data


@pytest.mark.parametrize(
    "value", ["@x", "fix: login", "a #b", "!now", "it's", "- a", "? a", "a:", "", " a "]
)
def test_signs_of_yaml_are_quoted(value: str) -> None:
    """Pins a bug of an earlier tool: `--assignee @x` and a title with `: ` wrote
    invalid YAML.
    """
    for key in ("assignee", "title"):
        assert head(set_key(CARD, key, value))[key] == value
    assert head(render_card((("title", value), ("tags", (value,))), "").encode()) == {
        "title": value,
        "tags": [value],
    }


def test_a_numeric_id_stays_as_written() -> None:
    """Pins a bug of an earlier tool: the id `123456` was lost."""
    assert b"\r\nid: 123456\r\n" in set_key(CARD, "status", "done")
    assert render_card([("id", "0123")], "") == "---\nid: 0123\n---\n"


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ("status: todo", "done", "status: done"), ("status: 'todo'", "done", "status: 'done'"),
        ('status: "todo" # c', 'a"b', 'status: "a\\"b" # c'), ("status:", "done", "status: done"),
        ("status:   # c", "done", "status: done   # c"), ("status: |\n  a\n  b\n", "done", "status: done\n"),
        ("status: >\n  a\n  b", "x: y", 'status: "x: y"'), ("status: a\n  b\n  c # d", "done", "status: done # d"),
        ("status:\n  todo", "done", "status:\n  done"), ("status:\n- a\n- b\n# c", "done", "status: done\n# c"),
        ("status: [a,\n  b] # c", "done", "status: done # c"), ("'status' : todo", "done", "'status' : done"),
        ("? status\n: todo", "done", "? status\n: done"), ("status: !!str todo", "done", "status: done"),
        ("status: &s todo", "done", "status: done"), ("status: todo", "2026-01-01", "status: 2026-01-01"),
        ("title: todo", "2026-01-01", 'title: "2026-01-01"'), ("title: todo", "No", 'title: "No"'),
        ("title: todo", "a, [b] {c}", "title: a, [b] {c}"), ("title: todo", "C:\\x: y", "title: 'C:\\x: y'"),
        ("title: todo", "a\nb\tc\u2028", 'title: "a\\nb\\tc\\u2028"'),
        ("  title: x", "done", "  title: x\n  status: done"),
        ("a: b\n# end\n", "done", "a: b\n# end\n\nstatus: done"),
        ("<<: &b {status: x}", "done", "<<: &b {status: x}\nstatus: done"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_setting_a_key_changes_its_value_only(
    before: str, value: str, after: str, newline: str
) -> None:
    key = "title" if "title: todo" in before else "status"
    old, new = (
        f"---\n{text}\n---\nbody\n".replace("\n", newline).encode()
        for text in (before, after)
    )
    assert set_key(old, key, value) == new
    assert set_key(new, key, value) == new


def test_a_file_without_front_matter_gets_one_in_its_own_newlines() -> None:
    assert set_key(b"", "status", "done") == b"---\nstatus: done\n---\n"
    assert (
        set_key(b"\xef\xbb\xbfa\r\nb\n", "k", "v")
        == b"\xef\xbb\xbf---\r\nk: v\r\n---\r\na\r\nb\n"
    )
    assert add_item(b"x", "refs", "a") == b"---\nrefs:\n  - a\n---\nx"
    assert set_key(b"---\nk: u\n...\nx", "k", "v") == b"---\nk: v\n...\nx"
    assert set_key(b"---\n---\nx", "k", "v") == b"---\nk: v\n---\nx"


@settings(deadline=None)
@given(cards(), st.sampled_from(["status", "title", "new"]), values)
@example(CARD, "status", "done")
@example(CARD, "title", "---")
def test_setting_reads_back_keeps_the_rest_and_is_done_once(
    data: bytes, key: str, value: str
) -> None:
    after = set_key(data, key, value)
    assert head(after)[key] == value
    assert split_front_matter("card.md", decode(after).text).values[key] == value
    assert others(after, key) == others(data, key)
    assert body(after) == body(data)
    assert set_key(after, key, value) == after
    assert newlines(after) <= newlines(data)
    if key not in head(data):
        assert changed(data, after)[0] == []
