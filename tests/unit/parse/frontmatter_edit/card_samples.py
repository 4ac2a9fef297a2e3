"""Cards to edit, and readings of them that do not use the code under test."""

from __future__ import annotations

import yaml
from hypothesis import strategies as st

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
    """Return the removed and the added lines, without the equal lines at both ends."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        del old[0], new[0]
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
    return old, new


def newlines(data: bytes) -> set[bytes]:
    return {
        line[len(line.rstrip(b"\r\n")) :] for line in data.splitlines(keepends=True)
    } - {b""}


def body(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    close = next(
        place for place, line in enumerate(lines) if place and line.rstrip() == b"---"
    )
    return b"".join(lines[close:])


def others(data: bytes, key: str) -> list[tuple[str, object]]:
    return [item for item in head(data).items() if item[0] != key]


def listed(value: object) -> object:
    return value.replace(" ", "").split(",") if isinstance(value, str) else value


words = st.text(
    "abx09 #:,-@!&*[]{}'\"\\|>%?~=\n\té😀\u2028\x85", max_size=12
) | st.text(max_size=8)
values = words.filter(
    lambda text: not any("\ud800" <= char <= "\udfff" for char in text)
)
LISTS = [
    ("refs:\n  - a", "refs:\n  - a\n  - x"), ("refs:\n- a\n# c\nb: 1", "refs:\n- a\n- x\n# c\nb: 1"),
    ("refs:\n  -   'a' # c", "refs:\n  -   'a' # c\n  -   'x'"),
    ("refs:\n    - ref: a\n      view: full\n\nb: 1", "refs:\n    - ref: a\n      view: full\n    - x\n\nb: 1"),
    ("refs:\n  -\n    a", "refs:\n  -\n    a\n  - x"), ("refs: [a, b]", "refs: [a, b, x]"),
    ('refs: ["a",] # c', 'refs: ["a", "x",] # c'), ("refs: []", "refs: [x]"), ("refs: [ ]", "refs: [x ]"),
    ("refs: [ # c\n  ]", "refs: [x # c\n  ]"),
    ("refs: [\n  a, # c\n  b # d\n  ]", "refs: [\n  a, # c\n  b, x # d\n  ]"),
    ("refs: [\n  a,\n  b,\n]", "refs: [\n  a,\n  b, x,\n]"), ("refs: [a,\n  b]", "refs: [a,\n  b, x]"),
    ("refs: [a, # c\n  b, d]", "refs: [a, # c\n  b, d, x]"), ("refs:\nb: 1", "refs:\n  - x\nb: 1"),
    ("refs: # c\ntags:\n- t", "refs: # c\n- x\ntags:\n- t"),
]  # fmt: skip
ENTRIES = [
    "id: 123456", "notes: |\n  # not a comment\n  x: y\n", "keep: |+\n  x\n\n", "folded: >-\n  a long\n\n  text",
    'quoted: "a\n  b\\\n  c" # c', "# status: old", "base: &base {a: 1, b: [x, y]}",
    "merged:\n  <<: &m {k: v}\n  l: *m", "", "nested:\n    deep:\n    - - a\n      - b\n    - {c: d}", "emoji: 😀 # 😀",
    "? odd\n: value",
]  # fmt: skip
STATUSES = [
    "status: todo", "status:  'a: b'  # c", "status:", "status: |\n  a\n  b", "status: [a]", "status:\n- a",
]  # fmt: skip
TAGS = ["tags: a, b # c", "tags: 'a,b'"]
REFS = [
    before.split("\nb:")[0]
    for before, _ in LISTS
    if before.startswith("refs") and "tags" not in before
]
BODIES = [
    "", "\n# Title\n\n---\nstatus: x\n---\n", "text", "\u2028\n\x0c\n", "refs:\n  - a\n",
]  # fmt: skip


@st.composite
def cards(draw: st.DrawFn) -> bytes:
    entries = draw(st.lists(st.sampled_from(ENTRIES), unique=True))
    entries += draw(st.lists(st.sampled_from(STATUSES), max_size=1))
    entries += draw(st.lists(st.sampled_from(REFS), max_size=1))
    entries += draw(st.lists(st.sampled_from(TAGS), max_size=1))
    text = "\n".join(
        ["---", *draw(st.permutations(entries)), "---", draw(st.sampled_from(BODIES))]
    )
    lines = text.split("\n")
    newlines = draw(st.sampled_from([["\n"], ["\r\n"], ["\n", "\r\n"]]))
    text = (
        "".join(line + draw(st.sampled_from(newlines)) for line in lines[:-1])
        + lines[-1]
    )
    return draw(st.sampled_from(["", "\ufeff"])).encode() + text.encode()
