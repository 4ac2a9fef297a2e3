from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.parse_file import MAX_PARSED_BYTES, kind_of, parse_file

PATHS = (".cuedeck/cards/a.md", "docs/a.md", "src/a.py", "a.sh", "a.lua", "a", "a.c")
SYNTAX = st.lists(
    st.sampled_from(
        [
            b"---\n", b"refs:", b"title: ", b"- ", b"a", b" ", b"\n", b"[[", b"]]", b"# ", b"/*", b"*/", b'"""',
            b"--",
        ]
        + [
            b"cuedeck: refs ", b"@doc/", b"@ref[", b"^x", b"`", b"\r", b"\xff", b"\xc3\xbc", b"\0", b"def f(", b"):",
        ]
        + [
            b"\xff\xfe", b": ", b"'", b"{", b"}", b"\t", b"...", b"<!--", b"status: x\n", b"\xe2\x80\xa8", b"|",
        ]
    )
).map(b"".join)  # fmt: skip


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        (".cuedeck/cards/a1.md", "card"), (".cuedeck/cards/sub/a1.md", "doc"), (".cuedeck/cards/a1.txt", "source"),
        ("x/.cuedeck/cards/a1.md", "doc"), (".cuedeck/docs/a.md", "doc"), ("README.MD", "doc"), ("a.markdown", "doc"),
        ("a.mdx", "doc"), ("a.py", "source"), ("md", "source"), ("a.md.txt", "source"),
    ],
)  # fmt: skip
def test_folder_and_suffix_determine_the_kind(path: str, kind: str) -> None:
    assert kind_of(path) == kind


def codes(path: str, data: bytes) -> list[tuple[str, str]]:
    return [(each.code, each.level) for each in parse_file(path, data).diagnostics]


def test_binary_is_a_fault_only_where_text_is_expected() -> None:
    file = parse_file("a.md", b"\0")
    assert (file.kind, file.lines, file.size) == ("binary", 0, 1)
    assert (
        codes("a.md", b"\0")
        == codes(".cuedeck/cards/a.md", b"\0")
        == [("binary", "error")]
    )
    assert codes("a.png", b"\0") == []


def test_a_long_run_of_blanks_is_not_read() -> None:
    data = b"a" + b" " * 100_001
    assert codes("a.md", data) == [("blank-run", "error")]
    assert codes("a.txt", data) == [("blank-run", "warning")]
    assert parse_file("a.txt", data).kind == "binary"


def test_a_large_file_keeps_its_kind_and_lines_only() -> None:
    data = b"[[a]]\n" * (MAX_PARSED_BYTES // 6 + 1)
    for path, kind, level in (
        ("a.md", "doc", "info"),
        ("a.py", "source", "info"),
        (PATHS[0], "card", "error"),
    ):
        file = parse_file(path, data)
        assert (file.kind, file.links, file.lines) == (kind, (), len(data) // 6)
        assert codes(path, data) == [("large-file", level)]
        assert (file.card is not None) == (kind == "card")


def test_other_encodings_are_named() -> None:
    data = "# Tür\n".encode("cp1252")
    assert parse_file("a.md", data).title == "Tür"
    assert codes("a.md", data) == [("encoding", "warning")]
    assert codes("a.sh", data) == [("encoding", "info")]
    assert codes("a.md", b"\xef\xbb\xbf# T\n") == []


@pytest.mark.parametrize("path", PATHS)
@given(data=st.binary() | SYNTAX)
def test_any_bytes_give_a_file(path: str, data: bytes) -> None:
    file = parse_file(path, data)
    assert (file.path, file.size) == (path, len(data))
    assert file.kind in (kind_of(path), "binary")
    assert (file.card is not None) == (file.kind == "card")
    assert 1 <= file.body <= file.lines + 1
    for link in file.links:
        assert 1 <= link.line <= file.lines
        assert "\n" not in link.ref
    for section in file.sections:
        assert file.body <= section.start <= section.end <= file.lines
    for diagnostic in file.diagnostics:
        assert diagnostic.path == path and diagnostic.message and diagnostic.hint
        assert 0 <= diagnostic.line <= max(file.lines, 1)
    assert parse_file(path, data) == file
