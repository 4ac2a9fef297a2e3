from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from cuedeck.model.errors import Invalid
from cuedeck.parse.decode import decode
from cuedeck.parse.frontmatter import split_front_matter
from cuedeck.parse.splice import add_item, quote, remove_item, remove_key, render_card, set_key

CARD = b"""\xef\xbb\xbf---\r
# what this is about\r
title:   'Fix "login"'   # never mind\r
id: 123456\r
status: todo  # moved by hand\r
notes: |+  # kept\r
  first\r
  ---\r
\r
folded: >-\r
  a long\r
  text\r
base: &base {a: 1}\r
other:\r
  <<: *base\r
  b: no\r
refs:\r
-   "docs/a.md"   # why\r
# docs/old.md\r
-   ref: docs/b.md\r
    view: full\r
\r
tags: [ api , 'web' ]\r
---\r
# Title\r
\r
---\r
status: body\r
---\r
"""


def head(data: bytes) -> dict[str, object]:
    """Read the front matter with every scalar as text."""
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    source = ("\n" + text.removeprefix("---\n")).split("\n---\n")[0] + "\n"
    loaded = yaml.load(source, Loader=yaml.BaseLoader)
    return loaded or {}


def changed(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the lines that went and the lines that came, after cutting what both share at the ends."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


def test_a_status_change_replaces_one_word() -> None:
    """Pins a bug of an earlier tool: the closing `---` came to stand on the last YAML line."""
    assert set_key(CARD, "status", "done") == CARD.replace(b"status: todo", b"status: done")
    last = b"---\ntitle: x\nstatus: todo\n---\nbody"
    assert set_key(last, "status", "done") == b"---\ntitle: x\nstatus: done\n---\nbody"


def test_text_before_a_block_in_the_body_is_kept() -> None:
    """Pins a bug of an earlier tool: a `---` block in the middle was taken for the front matter."""
    data = b"# Title\n\n---\nstatus: todo\n---\nrest\n"
    assert set_key(data, "status", "done") == b"---\nstatus: done\n---\n" + data


@pytest.mark.parametrize("value", ["@x", "fix: login", "a #b", "!now", "it's", "- a", "? a", "a:", "", " a "])
def test_signs_of_yaml_are_quoted(value: str) -> None:
    """Pins a bug of an earlier tool: `--assignee @x` and a title with `: ` wrote invalid YAML."""
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
        ("status: todo", "done", "status: done"),
        ("status: 'todo'", "done", "status: 'done'"),
        ('status: "todo" # c', 'a"b', 'status: "a\\"b" # c'),
        ("status:", "done", "status: done"),
        ("status:   # c", "done", "status: done   # c"),
        ("status: |  # c\n  a\n  b\n", "done", "status: done  # c\n"),
        ("status: >\n  a\n  b", "x: y", 'status: "x: y"'),
        ("status: a\n  b\n  c # d", "done", "status: done # d"),
        ("status:\n  todo", "done", "status:\n  done"),
        ("status:\n- a\n- b\n# c", "done", "status: done\n# c"),
        ("status: [a,\n  b] # c", "done", "status: done # c"),
        ("'status' : todo", "done", "'status' : done"),
        ("? status\n: todo", "done", "? status\n: done"),
        ("status: !!str todo", "done", "status: done"),
        ("status: &s todo", "done", "status: done"),
        ("a: &s todo\nstatus: *s", "done", "a: &s todo\nstatus: done"),
        ("status: todo", "2026-01-01", "status: 2026-01-01"),
        ("title: todo", "2026-01-01", 'title: "2026-01-01"'),
        ("title: todo", "No", 'title: "No"'),
        ("title: todo", "a, [b] {c}", "title: a, [b] {c}"),
        ("title: todo", "C:\\x: y", "title: 'C:\\x: y'"),
        ("title: todo", "a\nb\tc\u2028", 'title: "a\\nb\\tc\\u2028"'),
        ("{title: x, status: todo}", "a, b", '{title: x, status: "a, b"}'),
        ("{title: x}", "done", "{title: x, status: done}"),
        ("{}", "done", "{status: done}"),
        ("  title: x", "done", "  title: x\n  status: done"),
        ("a: b\n# end\n", "done", "a: b\n# end\n\nstatus: done"),
        ("<<: &b {status: x}", "done", "<<: &b {status: x}\nstatus: done"),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_setting_a_key_changes_its_value_only(before: str, value: str, after: str, newline: str) -> None:
    key = "title" if "title: todo" in before else "status"
    old, new = (f"---\n{text}\n---\nbody\n".replace("\n", newline).encode() for text in (before, after))
    assert set_key(old, key, value) == new
    assert set_key(new, key, value) == new


def test_a_file_without_front_matter_gets_one_in_its_own_newlines() -> None:
    assert set_key(b"", "status", "done") == b"---\nstatus: done\n---\n"
    assert set_key(b"\xef\xbb\xbfa\r\nb\n", "k", "v") == b"\xef\xbb\xbf---\r\nk: v\r\n---\r\na\r\nb\n"
    assert add_item(b"x", "refs", "a") == b"---\nrefs:\n  - a\n---\nx"
    assert set_key(b"---\nk: u\n...\nx", "k", "v") == b"---\nk: v\n...\nx"
    assert set_key(b"---\n---\nx", "k", "v") == b"---\nk: v\n---\nx"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a: 1\nstatus: todo\nb: 2", "a: 1\nb: 2"),
        ("a: 1\nstatus:\n  - x\n  # c\n  - y # d\n# e\nb: 2", "a: 1\n# e\nb: 2"),
        ("a: 1\nstatus: |\n  x\n\n  y\nb: 2", "a: 1\nb: 2"),
        ("a: 1\nstatus:\nb: 2", "a: 1\nb: 2"),
        ("{a: 1, status: x, b: 2}", "{a: 1, b: 2}"),
        ("{a: 1, status: x}", "{a: 1}"),
        ("a: 1", "a: 1"),
    ],
)
def test_removing_a_key_takes_its_lines(before: str, after: str) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".encode() for text in (before, after))
    assert remove_key(old, "status") == new


LISTS = [
    ("refs:\n  - a", "refs:\n  - a\n  - x"),
    ("refs:\n- a\n# c\nb: 1", "refs:\n- a\n- x\n# c\nb: 1"),
    ("refs:\n  -   'a' # c", "refs:\n  -   'a' # c\n  -   'x'"),
    (
        "refs:\n    - ref: a\n      view: full\n\nb: 1",
        "refs:\n    - ref: a\n      view: full\n    - x\n\nb: 1",
    ),
    ("refs:\n  -\n    a", "refs:\n  -\n    a\n  - x"),
    ("refs: [a, b]", "refs: [a, b, x]"),
    ('refs: ["a",] # c', 'refs: ["a", "x",] # c'),
    ("refs: []", "refs: [x]"),
    ("refs: [ ]", "refs: [x ]"),
    ("refs: [ # c\n  ]", "refs: [x # c\n  ]"),
    ("refs: [\n  a, # c\n  b # d\n  ]", "refs: [\n  a, # c\n  b, # d\n  x\n  ]"),
    ("refs: [\n  a,\n  b,\n]", "refs: [\n  a,\n  b,\n  x,\n]"),
    ("refs: [a,\n  b]", "refs: [a,\n  b,\n  x]"),
    ("refs: [a, # c\n  b, d]", "refs: [a, # c\n  b, d, x]"),
    ("refs:\nb: 1", "refs:\n  - x\nb: 1"),
    ("refs: # c\ntags:\n- t", "refs: # c\n- x\ntags:\n- t"),
    ("tags: a, b # c", "tags: a, b, x # c"),
    ("tags: 'a,b'", "tags: 'a,b, x'"),
    ("{refs: [a], b: 1}", "{refs: [a, x], b: 1}"),
    ("b: &s [a]\nrefs: [*s]", "b: &s [a]\nrefs: [*s, x]"),
]


@pytest.mark.parametrize(("before", "after"), LISTS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_adding_an_item_keeps_the_form_and_removing_it_restores_the_bytes(
    before: str, after: str, newline: str
) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".replace("\n", newline).encode() for text in (before, after))
    key = "tags" if before.startswith("tags") else "refs"
    assert add_item(old, key, "x") == new
    assert add_item(new, key, "x") == new
    assert remove_item(new, key, "x") == old
    assert remove_item(old, key, "x") == old


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [
        ("refs: a", "x", "refs: [a, x]"),
        ("refs: 'a' # c", "x", "refs: ['a', 'x'] # c"),
        ("refs: ~", "x", "refs: [x]"),
        ("tags: a, b", "x, y", 'tags: [a, b, "x, y"]'),
        ("refs: a, b", "x", 'refs: ["a, b", x]'),
        ("refs: [a]", "[[x]]", 'refs: [a, "[[x]]"]'),
        ("refs:\n  - a", "@doc/x", 'refs:\n  - a\n  - "@doc/x"'),
        ("b: 1", "x", "b: 1\nrefs:\n  - x"),
        ("b:\n    - c", "x", "b:\n    - c\nrefs:\n    - x"),
        ("{b: 1}", "x", "{b: 1, refs: [x]}"),
        ("refs: >\n  a\n  b\nc: 1", "x", "refs: [a b, x]\nc: 1"),
    ],
)
def test_other_values_become_lists_only_as_needed(before: str, item: str, after: str) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".encode() for text in (before, after))
    key = "tags" if before.startswith("tags") else "refs"
    assert add_item(old, key, item) == new
    assert add_item(new, key, item) == new


@pytest.mark.parametrize(
    ("before", "item", "after"),
    [
        ("refs: [a, b, c]", "a", "refs: [b, c]"),
        ("refs: [a, b, c]", "b", "refs: [a, c]"),
        ("refs: [a, b, a]", "a", "refs: [b]"),
        ("refs: [a,]", "a", "refs: []"),
        ("refs: [\n  a, # c\n  b, # d\n]", "a", "refs: [\n  b, # d\n]"),
        ("refs: [\n  a, # c\n  b # d\n]", "b", "refs: [\n  a # c\n]"),
        ("refs: [a, # c\n  b]", "b", "refs: [a # c\n  ]"),
        ("refs:\n  - a # c\n  - b\nc: 1", "a", "refs:\n  - b\nc: 1"),
        ("refs:\n  - a\nc: 1", "a", "refs:\nc: 1"),
        ("refs:\n  - ref: a\n    view: full\n  - b", "a", "refs:\n  - b"),
        ("refs:\n  - [[w]]\n  - b", "[[w]]", "refs:\n  - b"),
        ('refs:\n  - "@doc/x"', "@doc/x", "refs:"),
        ("refs: a # c", "a", "refs: # c"),
        ("tags: a, b, c", "b", "tags: a, c"),
        ("tags: a, b, c", "a", "tags: b, c"),
        ('tags: "a, \\x62"', "b", "tags: [a]"),
        ("refs: a, b", "a, b", "refs:"),
        ("refs: a, b", "a", "refs: a, b"),
    ],
)
def test_removing_an_item_takes_its_comma_or_its_line(before: str, item: str, after: str) -> None:
    old, new = (f"---\n{text}\n---\nbody\n".encode() for text in (before, after))
    key = "tags" if before.startswith("tags") else "refs"
    assert remove_item(old, key, item) == new


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("---\na: 1\nstatus: todo\n", "line 1:"),
        ("---\na: 1\nb: @x\n---\n", "line 3:"),
        ("---\na: b: c\n---\n", "line 2:"),
        ("---\na: [1\n---\n", "line"),
        ("---\na: 1\nb: *x\n---\n", "line 3:"),
        ("---\na: 1\n--- b\nc: 1\n---\n", "line"),
        ("---\n- a\n---\n", "line 2:"),
        ("---\njust text\n---\n", "line 2:"),
        ("---\na: 1\nb: \x01\n---\n", "line 3:"),
        ("---\nstatus: a\nstatus: b\n---\n", "line 3:"),
        ("---\nstatus: &s a\nb: *s\n---\n", "line 2:"),
    ],
)
def test_front_matter_that_cannot_be_edited_safely_is_refused(text: str, line: str) -> None:
    with pytest.raises(Invalid, match=line) as caught:
        set_key(text.encode(), "status", "done")
    assert caught.value.hint


@pytest.mark.parametrize("value", ["refs: &r [a]\nb: *r", "b: &r [a]\nrefs: *r", "refs: {a: 1}"])
def test_a_list_that_is_shared_or_no_list_is_refused(value: str) -> None:
    data = f"---\n{value}\n---\n".encode()
    for edit in (add_item, remove_item):
        with pytest.raises(Invalid, match=r"line \d"):
            edit(data, "refs", "a")


@pytest.mark.parametrize("data", [b"---\ntitle: caf\xe9\n---\n", "---\na: b\n---\n".encode("utf-16")])
def test_other_encodings_are_refused(data: bytes) -> None:
    with pytest.raises(Invalid, match="UTF-8"):
        set_key(data, "status", "done")


def test_text_that_is_no_unicode_is_refused() -> None:
    with pytest.raises(Invalid, match="Unicode"):
        set_key(CARD, "title", "caf\udce9")


def test_deep_nesting_ends_in_an_answer() -> None:
    deep, too_deep = (b"---\na: " + b"[" * depth + b"]" * depth + b"\n---\n" for depth in (150, 90_000))
    assert set_key(deep, "b", "c").endswith(b"\nb: c\n---\n")
    with pytest.raises(Invalid, match="deep"):
        set_key(too_deep, "b", "c")


def test_a_new_card_is_written_with_safe_quotes() -> None:
    fields: list[tuple[str, str | tuple[str, ...]]] = [
        ("id", "2a9f1x"),
        ("title", "1e3"),
        ("assignee", "@x"),
        ("created", "2026-05-03T10:00:00Z"),
        ("tags", ()),
        ("refs", ("docs/a.md#Login Flow", "[[b]]", "x: y")),
    ]
    assert render_card(fields, "Body\r\n\n") == (
        '---\nid: 2a9f1x\ntitle: "1e3"\nassignee: "@x"\ncreated: 2026-05-03T10:00:00Z\ntags: []\n'
        'refs:\n  - docs/a.md#Login Flow\n  - "[[b]]"\n  - "x: y"\n---\n\nBody\r\n\n'
    )


# Laws ---------------------------------------------------------------------------------------------------

words = st.text("abx09 #:,-@!&*[]{}'\"\\|>%?~=\n\té😀\u2028\x85", max_size=12) | st.text(max_size=8)
values = words.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text))
ENTRIES = [
    "id: 123456",
    "notes: |\n  # not a comment\n  x: y\n",
    "keep: |+\n  x\n\n",
    "folded: >-\n  a long\n\n  text",
    'quoted: "a\n  b\\\n  c" # c',
    "# status: old",
    "base: &base {a: 1, b: [x, y]}",
    "merged:\n  <<: &m {k: v}\n  l: *m",
    "",
    "nested:\n    deep:\n    - - a\n      - b\n    - {c: d}",
    "emoji: 😀 # 😀",
    "? odd\n: value",
]
STATUSES = [
    "status: todo",
    "status:  'a: b'  # c",
    "status:",
    "status: |\n  a\n  b",
    "status: [a]",
    "status:\n- a",
]
TAGS = [before for before, _ in LISTS if before.startswith("tags")]
REFS = [before.split("\nb:")[0] for before, _ in LISTS if before.startswith("refs") and "tags" not in before]
BODIES = ["", "\n# Title\n\n---\nstatus: x\n---\n", "text", "\u2028\n\x0c\n", "refs:\n  - a\n"]


@st.composite
def cards(draw: st.DrawFn) -> bytes:
    entries = draw(st.lists(st.sampled_from(ENTRIES), unique=True))
    entries += draw(st.lists(st.sampled_from(STATUSES), max_size=1))
    entries += draw(st.lists(st.sampled_from(REFS), max_size=1))
    entries += draw(st.lists(st.sampled_from(TAGS), max_size=1))
    text = "\n".join(["---", *draw(st.permutations(entries)), "---", draw(st.sampled_from(BODIES))])
    lines = text.split("\n")
    newlines = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))
    text = "".join(line + draw(st.sampled_from(newlines)) for line in lines[:-1]) + lines[-1]
    return draw(st.sampled_from(["", "\ufeff"])).encode() + text.encode()


def body(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    close = next(place for place, line in enumerate(lines) if place and line.rstrip() == b"---")
    return b"".join(lines[close:])


def others(data: bytes, key: str) -> list[tuple[str, object]]:
    return [item for item in head(data).items() if item[0] != key]


def listed(value: object) -> object:
    return value.replace(" ", "").split(",") if isinstance(value, str) else value


def newlines(data: bytes) -> set[bytes]:
    return {line[len(line.rstrip(b"\r\n")) :] for line in data.splitlines(keepends=True)} - {b""}


@settings(deadline=None)
@given(cards(), st.sampled_from(["status", "title", "new"]), values)
@example(CARD, "status", "done")
@example(CARD, "title", "---")
def test_setting_reads_back_keeps_the_rest_and_is_done_once(data: bytes, key: str, value: str) -> None:
    after = set_key(data, key, value)
    assert head(after)[key] == value
    assert split_front_matter("card.md", decode(after).text).values[key] == value
    assert others(after, key) == others(data, key)
    assert body(after) == body(data)
    assert set_key(after, key, value) == after
    assert newlines(after) <= newlines(data)
    if key not in head(data):
        assert remove_key(after, key) == data
        assert changed(data, after)[0] == []


@settings(deadline=None)
@given(cards(), st.sampled_from(["refs", "tags"]), values)
@example(CARD, "refs", "docs/c.md")
def test_adding_and_removing_an_item_restores_the_bytes(data: bytes, key: str, item: str) -> None:
    before = head(data).get(key)
    after = add_item(data, key, item)
    assert others(after, key) == others(data, key)
    assert body(after) == body(data)
    assert newlines(after) <= newlines(data)
    assert add_item(after, key, item) == after
    assume(before is not None and after != data)
    back = remove_item(after, key, item)
    if isinstance(before, str) and before:
        # A text of which the item could not become a part is a list from then on.
        assert listed(head(back)[key]) == listed(before)
    else:
        assert back == data


@settings(deadline=None)
@given(values, st.booleans(), st.booleans(), st.sampled_from(["", "'", '"']))
def test_a_quoted_text_reads_as_itself(value: str, flow: bool, strict: bool, like: str) -> None:
    written = quote(value, flow=flow, strict=strict, like=like)
    assert not {"\n", "\r"} & set(written)
    text = f"k: [{written}, {written}]\n" if flow else f"k: {written}\nl:\n  - {written} # c\n"
    expected = {"k": [value, value]} if flow else {"k": value, "l": [value]}
    loaders: list[Any] = [yaml.BaseLoader, yaml.CBaseLoader, *([yaml.SafeLoader] if strict else [])]
    for loader in loaders:
        assert yaml.load(text, Loader=loader) == expected


@pytest.mark.parametrize(
    "value",
    [
        "yes",
        "NO",
        "null",
        "~",
        "true",
        "1.0",
        "1_000",
        "0x1f",
        "0o17",
        "1e3",
        ".5",
        "12:30:45",
        "=",
        "<<",
        "y",
    ],
)
def test_words_other_readers_take_for_something_else_are_quoted_in_titles(value: str) -> None:
    assert yaml.safe_load(set_key(b"", "title", value).split(b"---\n")[1]) == {"title": value}
    assert quote(value, strict=True) == f'"{value}"'
