"""Odd names of files, and lines that look like the headers in the output of git."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repo import Repo

from cuedeck.model.commit import Touched
from cuedeck.parse.text_decoding import line_sum
from cuedeck.store.git.commit_log import History
from cuedeck.store.git.read_commits import parse_outline, parse_patch

Make = Callable[[], History]

NAMES = [
    "with space.txt",
    " leading",
    "trailing ",
    "tab\there.txt",
    "new\nline.txt",
    'quote".txt',
    "back\\slash.txt",
    "bell\a.txt",
    "\x7f.txt",
    "größe 日本.txt",
    "a b/c.txt",
    "x b/x b/x.txt",
    "a/b/a/b.txt",
    "dev/null",
    "-- a",
    "=",
    '"quoted"',
    "\n",
    "M",
    "rename to x",
]


@pytest.mark.skipif(os.name == "nt", reason="needs names that Windows has not")
@pytest.mark.parametrize("lines", [1, 0])
def test_odd_names_are_read_as_they_are(repo: Repo, history: Make, lines: int) -> None:
    repo.commit(
        "add", {name: f"a line of {at}\n" * 9 * lines for at, name in enumerate(NAMES)}
    )
    repo.commit("delete", dict.fromkeys(NAMES))
    deleted, added = history().commits()
    assert sorted(file[:2] for file in added.files) == sorted(
        (name, "") for name in NAMES
    )
    assert sorted(file[:2] for file in deleted.files) == sorted(
        (name, "") for name in NAMES
    )


@pytest.mark.skipif(os.name == "nt", reason="needs names that Windows has not")
def test_odd_names_are_renamed(repo: Repo, history: Make) -> None:
    repo.commit("add", {name: f"a line of {at}\n" * 9 for at, name in enumerate(NAMES)})
    (repo.root / "to").mkdir()
    for name in NAMES:
        (repo.root / "to" / name).parent.mkdir(parents=True, exist_ok=True)
        os.rename(repo.root / name, repo.root / "to" / name)
    repo.commit("move")
    moved = history().commits()[0]
    assert sorted(file[:2] for file in moved.files) == sorted(
        (f"to/{name}", name) for name in NAMES
    )


@pytest.mark.skipif(os.name == "nt", reason="needs names that Windows has not")
def test_a_name_that_is_no_text_is_replaced(repo: Repo, history: Make) -> None:
    with open(os.fsencode(repo.root) + b"/odd\xff.txt", "wb") as file:
        file.write(b"a line of it\n")
    repo.commit("add")
    assert history().commits()[0].files[0].path == "odd\ufffd.txt"


HEADERS = [
    "--- a/x.txt",
    "+++ b/x.txt",
    "-- a/x.txt",
    "++ b/x.txt",
    "diff --git a/x.txt b/x.txt",
    "@@ -1 +1 @@ of it",
    "rename to x.txt",
    "\\ No newline at end of file",
    "\0nul in a line that is far enough down",
    "=0123456789",
    "commit 0123456789",
]


def test_lines_that_look_like_headers_are_lines(repo: Repo, history: Make) -> None:
    repo.commit(
        "add",
        {
            "a.txt": "some line\n" * 1_000 + "\n".join(HEADERS) + "\n",
            "b.txt": "the other file\n",
        },
    )
    repo.commit("turn", {"a.txt": "some line\n" * 1_000 + "\n".join(HEADERS[::-1])})
    repo.commit("delete", {"a.txt": "some line\n" * 1_000})
    deleted, turned, added = history().commits()
    assert [file.path for file in added.files] == ["a.txt", "b.txt"]
    assert list(added.files[0].added)[1_000:] == [line_sum(line) for line in HEADERS]
    assert set(turned.files[0].added) <= {line_sum(line) for line in HEADERS}
    assert len(turned.files) == 1 and len(turned.files[0].added) == len(HEADERS) - 1
    assert (
        deleted.files == (Touched("a.txt", "", deleted.files[0].added),)
        and not deleted.files[0].added
    )


def test_lines_are_summed_as_the_workspace_reads_them(
    repo: Repo, history: Make
) -> None:
    repo.commit(
        "add",
        {
            "crlf.txt": b"  one line\r\n\r\nshort\r\n",
            "latin.txt": "größer als fünf\n".encode("latin-1"),
            "utf8.txt": "größer als fünf\näöüßé\n日本語日本語\n",
        },
    )
    crlf, latin, utf8 = history().commits()[0].files
    assert list(crlf.added) == [line_sum("one line")]
    assert list(latin.added) == [line_sum("größer als fünf")]
    assert list(utf8.added) == [line_sum("größer als fünf"), line_sum("日本語日本語")]


@given(st.binary())
def test_whatever_git_prints_is_no_error(answer: bytes) -> None:
    parse_patch(b"diff --git " + answer)
    parse_outline("0" * 40, b"\0007\0" + answer)
