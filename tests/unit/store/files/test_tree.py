"""The tree and its index, in cases that random edits do not reach."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest
from sandbox import Sandbox

from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import StorageError
from cuedeck.model.file import File
from cuedeck.model.settings_schema import SecretSettings
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.secrets import SecretSearch
from cuedeck.store.files.fingerprint import FileStamp
from cuedeck.store.files.scanner import Scan
from cuedeck.store.files.tree import Tree
from cuedeck.store.index import read_file as reading
from cuedeck.store.index.read_file import (
    LARGEST_TEXT,
    Find,
    Reading,
    decode,
    encode,
    names_of,
    read_file,
)

search = SecretSearch(SecretSettings()).search


def indexed(sandbox: Sandbox) -> Tree:
    tree = sandbox.workspace().tree
    tree.refresh()
    return tree


def known(sandbox: Sandbox) -> list[str]:
    return list(indexed(sandbox).index.paths())


def problems(sandbox: Sandbox) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in indexed(sandbox).index.troubled()]


def file(sandbox: Sandbox, path: str) -> File:
    found = indexed(sandbox).index.file(path)
    assert found is not None
    return found


def messages(sandbox: Sandbox) -> str:
    return "\n".join(each.message for each in indexed(sandbox).index.troubled())


# --- odd content


@pytest.mark.parametrize(
    ("content", "title", "code"),
    [
        (b"# One\r\n\r\ntext\r\n", "One", None),
        (b"\xef\xbb\xbf# One\n", "One", None),
        ("# Één\n".encode("utf-16"), "Één", "encoding"),
        ("# Één\n".encode("latin-1"), "Één", "encoding"),
        (b"", "", None),
        (b"\n\n\n", "", None),
        (b"# One\0", "", "binary"),
        (b"---\ntitle: [\n---\n# One\n", "One", "bad-yaml"),
    ],
    ids=["crlf", "bom", "utf-16", "latin-1", "empty", "blank", "binary", "broken yaml"],
)
def test_any_content_is_read_or_reported(
    sandbox: Sandbox, content: bytes, title: str, code: str | None
) -> None:
    sandbox.write("docs/odd.md", content)
    sandbox.write("docs/good.md", "# Good\n")
    assert file(sandbox, "docs/odd.md").title == title
    assert [each.code for each in file(sandbox, "docs/odd.md").diagnostics] == (
        [code] if code else []
    )
    assert file(sandbox, "docs/good.md").title == "Good"


def test_a_large_file_is_hashed_without_being_held(sandbox: Sandbox) -> None:
    with sandbox.write("disk.img").open("r+b") as image:
        image.truncate(50_000_000)
    assert file(sandbox, "disk.img").kind == "binary"
    with sandbox.place("disk.img").open("r+b") as image:
        image.truncate(LARGEST_TEXT + 1)
    found = file(sandbox, "disk.img")
    assert (found.kind, [each.code for each in found.diagnostics]) == (
        "binary",
        ["large-file"],
    )


def test_a_large_file_is_known_by_its_size_and_three_parts(sandbox: Sandbox) -> None:
    """A sparse file of terabytes was once hashed to its end."""
    image = sandbox.write("disk.img")
    seen = set()
    for size in (1 << 42, (1 << 42) + 1):
        for start in (0, 1 << 41, size - 10):
            with image.open("wb") as file:
                file.truncate(size)
                file.seek(start)
                file.write(b"x")
            found = read_file(str(sandbox.root), "disk.img", "", search)
            assert found is not None
            seen.add(found.print.hash)
    assert len(seen) == 6


def test_half_a_character_reaches_no_table() -> None:
    """A lone surrogate is a string in Python and nothing a database takes."""
    odd = parse_file("docs/a.md", b"# A\n")
    odd = replace(odd, title="\ud83d x", aliases=("\udc00",))
    assert names_of(odd) == ("?", "?-x", "a", "a.md")
    assert decode("docs/a.md", "doc", encode(odd)).title == "? x"


# --- odd files


def test_links_are_read_only_when_they_lead_to_a_file_that_is_read(
    sandbox: Sandbox,
) -> None:
    """The original followed every link, also out of the workspace."""
    sandbox.write("../outside.md", "# Secret\n")
    sandbox.write("docs/a.md", "# A\n")
    sandbox.write("hidden/b.md", "# B\n")
    sandbox.write(".gitignore", "hidden/\n")
    targets = {
        "good.md": "docs/a.md",
        "again.md": "good.md",
        "out.md": "../outside.md",
        "absolute.md": str(sandbox.root.parent / "outside.md"),
        "hidden.md": "hidden/b.md",
        "settings.md": ".cuedeck/config.toml",
        "broken.md": "nowhere.md",
        "loop.md": "loop.md",
        "folder.md": "docs",
        "self": ".",
    }
    sandbox.write(".cuedeck/config.toml")
    for name, target in targets.items():
        sandbox.place(name).symlink_to(target)
    assert known(sandbox) == [".gitignore", "again.md", "docs/a.md", "good.md"]
    reported = [path for path, code in problems(sandbox) if code == "link"]
    assert reported == sorted(targets.keys() - {"good.md", "again.md"})
    for reason in (
        "leads nowhere",
        "leaves the workspace",
        "leads to a folder",
        "leads to a file that is not read",
    ):
        assert reason in messages(sandbox)
    assert [
        each.message
        for each in indexed(sandbox).index.troubled()
        if each.path == "self"
    ] == ["the symbolic link leads to a folder; it is not read"]


def test_a_change_seen_through_a_link_to_its_folder_is_a_change_of_the_folder(
    sandbox: Sandbox,
) -> None:
    """The system may name the same file by either way."""
    sandbox.write("docs/a.md", "# A\n")
    sandbox.place("latest").symlink_to("docs")
    tree = indexed(sandbox)
    sandbox.write("docs/a.md", "# Changed\n")
    assert tree.refresh_paths(["latest/a.md"]).written == ("docs/a.md",)


def test_pipes_and_sockets_are_passed_by(sandbox: Sandbox) -> None:
    os.mkfifo(sandbox.place("pipe.md"))
    os.mkfifo(sandbox.place(".ignore"))
    here = os.getcwd()
    os.chdir(sandbox.root)  # the name of a socket must be short
    try:
        with socket.socket(socket.AF_UNIX) as ear:
            ear.bind("ear.md")
    finally:
        os.chdir(here)
    sandbox.write("docs/a.md", "# A\n")
    assert known(sandbox) == ["docs/a.md"]
    assert problems(sandbox) == []


def test_a_name_that_is_no_text_is_one_finding_and_hides_no_neighbour(
    sandbox: Sandbox,
) -> None:
    folder = os.fsencode(sandbox.place("docs"))
    os.makedirs(folder + b"/caf\xe9")
    for name in (b"/n\xff.md", b"/caf\xe9/inside.md", b"/x\xff.log"):
        with open(folder + name, "wb"):
            pass
    sandbox.write("docs/good.md", "# Good\n")
    sandbox.write(".gitignore", "*.log\n")
    assert known(sandbox) == [".gitignore", "docs/good.md"]
    assert problems(sandbox) == [
        ("docs/caf\\xe9", "bad-name"),
        ("docs/n\\xff.md", "bad-name"),
    ]


UNREADABLE = """
import hashlib, os, sys
from cuedeck.store.index import Index
from cuedeck.store.files.tree import Tree
from cuedeck.store.files.ignore_state import OwnRules
from cuedeck.store.workspace_paths import WorkspacePaths
from cuedeck.model.settings_schema import SecretSettings
from cuedeck.parse.secrets import SecretSearch
# Everything is imported before the rights to read it are given up.
import cuedeck.store.index.read_file, cuedeck.store.index.read_file, cuedeck.model.address, cuedeck.parse.parse_file
import cuedeck.parse.gitignore, cuedeck.store.files.ignore_rules, cuedeck.parse.source_file, cuedeck.model.file
import encodings.idna
search = SecretSearch(SecretSettings())
search.find("")
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
own = OwnRules(lambda: b"", lambda: ())
tree = Tree(WorkspacePaths("."), Index(""), own, lambda: search)
tree.refresh()
print(*tree.index.paths())
for each in tree.index.troubled():
    print(each.path, each.code, each.message)
"""


def test_an_unreadable_folder_is_one_finding_and_hides_no_neighbour(
    sandbox: Sandbox,
) -> None:
    sandbox.write("docs/good.md", "# Good\n")
    sandbox.write("docs/shut.md", "# Shut\n").chmod(0)
    sandbox.write("locked/inside.md").parent.chmod(0)
    sandbox.write("listed/inside.md").parent.chmod(0o444)
    for path in (
        sandbox.root,
        sandbox.place("docs"),
        sandbox.place("docs/good.md"),
        sandbox.place(".cuedeck"),
    ):
        path.chmod(0o755)
    ran = subprocess.run(
        [sys.executable, "-c", UNREADABLE],
        cwd=sandbox.root,
        env=sandbox.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    sandbox.place("locked").chmod(0o755)
    sandbox.place("listed").chmod(0o755)
    assert ran.stdout.splitlines() == [
        "docs/good.md docs/shut.md",
        "docs/shut.md unreadable cannot be read: Permission denied",
        "listed unreadable cannot list the folder: Permission denied",
        "locked unreadable cannot list the folder: Permission denied",
    ], ran.stderr


def test_a_root_that_does_not_exist_is_an_error_and_not_an_empty_workspace(
    sandbox: Sandbox,
) -> None:
    tree = indexed(sandbox)
    sandbox.root.rename(sandbox.root.with_name("elsewhere"))
    with pytest.raises(StorageError, match="does not exist"):
        tree.refresh()
    sandbox.root.with_name("elsewhere").rename(sandbox.root)


# --- time


def test_a_file_as_young_as_its_hash_is_not_trusted() -> None:
    now = time.time_ns()
    young = FileStamp(1, now, now, 1, now + 1_000_000, "x")
    settled = young._replace(checked_ns=now + 1_000_000_000)
    state = os.stat_result(
        (0, 1, 0, 0, 0, 0, 1, 0, 0, 0), {"st_mtime_ns": now, "st_ctime_ns": now}
    )
    assert not young.trusts(state)
    assert settled.trusts(state)
    assert not settled._replace(inode=2).trusts(state)


def test_a_clock_of_whole_seconds_is_not_trusted_for_two() -> None:
    second = 1_000_000_000
    state = os.stat_result(
        (0, 1, 0, 0, 0, 0, 1, 0, 0, 0),
        {"st_mtime_ns": 5 * second, "st_ctime_ns": 5 * second},
    )
    assert not FileStamp(1, 5 * second, 5 * second, 1, 6 * second, "x").trusts(state)
    assert FileStamp(1, 5 * second, 5 * second, 1, 8 * second, "x").trusts(state)


def test_a_touch_reads_the_file_once_and_changes_nothing(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The original parsed a file again after a `touch`."""
    place = sandbox.write("docs/a.md", "# A\n")
    tree = indexed(sandbox)
    generation = tree.index.meta("generation")
    os.utime(place, (1, 1))
    monkeypatch.setattr(reading, "_parse", None)
    assert not tree.refresh()
    assert tree.index.meta("generation") == generation
    assert tree.modified("docs/a.md").timestamp() == 1  # type: ignore[union-attr]


# --- files that change while they are looked at


def test_a_file_that_vanishes_during_the_scan_takes_no_neighbour_along(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is deleted between listing and reading must not make its folder look
    unreadable.
    """
    for name in "abc":
        sandbox.write(f"docs/{name}.md", "# A\n")
    tree = indexed(sandbox)
    trusts = FileStamp.trusts

    def unlink_next(self: FileStamp, now: os.stat_result) -> bool:
        sandbox.place("docs/a.md").unlink(missing_ok=True)
        sandbox.place("docs/b.md").unlink(missing_ok=True)
        return trusts(self, now)

    monkeypatch.setattr(FileStamp, "trusts", unlink_next)
    tree.refresh()
    monkeypatch.undo()
    tree.refresh()
    assert list(tree.index.paths()) == ["docs/c.md"]
    assert list(tree.index.troubled()) == []


def test_a_save_of_a_known_file_evaluates_no_ignore_rule(sandbox: Sandbox) -> None:
    place = sandbox.write("docs/a.md", "# Old\n")
    sandbox.write(".gitignore", "*.log\n")
    indexed(sandbox)
    tree = sandbox.workspace().tree
    place.write_text("# New text\n")
    assert tree.refresh_paths(["docs/a.md"]).written == ("docs/a.md",)
    assert tree._ignore_state._read is None
    sandbox.write("docs/b.md", "# B\n")
    sandbox.write("docs/b.log", "log\n")
    assert tree.refresh_paths(["docs/b.md", "docs/b.log"]).written == ("docs/b.md",)


def test_a_file_that_vanishes_before_it_is_read_is_gone(sandbox: Sandbox) -> None:
    assert read_file(str(sandbox.root), "docs/none.md", "", search) is None
    sandbox.place("docs").mkdir()
    assert read_file(str(sandbox.root), "docs", "", search) is None


def test_content_that_goes_and_comes_back_between_two_processes(
    sandbox: Sandbox,
) -> None:
    """One process knows the old hash, another stored the new one, and then the old
    content is back.
    """
    place = sandbox.write("docs/a.md", "# Old\n")
    first = indexed(sandbox)
    place.write_text("# New\n")
    second = sandbox.workspace().tree
    look = Scan.look

    def meanwhile(self: Scan) -> None:
        look(self)
        second.refresh()
        place.write_text("# Old\n")

    place.touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            Scan,
            "look",
            lambda self: (
                look(self) if self._known is second._prints else meanwhile(self)
            ),
        )
        first.refresh()
    found = sandbox.workspace()
    found.refresh()
    assert found.index.file("docs/a.md").title == "Old"  # type: ignore[union-attr]


def test_files_indexed_by_another_process_are_changes(sandbox: Sandbox) -> None:
    """Otherwise a watcher would not build a scene if `cuedeck list` runs first."""
    watching = indexed(sandbox)
    sandbox.write("docs/a.md", "# A\n")
    indexed(sandbox)
    assert watching.refresh_paths(["docs/a.md"]).written == ("docs/a.md",)
    assert not watching.refresh_paths(["docs/a.md"])


# --- many files


def test_files_indexed_before_an_interruption_are_kept(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cuedeck.store.index.index_update._PORTION", 4)
    for number in range(10):
        sandbox.write(f"docs/{number}.md", f"# Doc {number}\n")
    read: list[str] = []
    whole = read_file

    def break_off(
        root: str, path: str, known: str = "", find: Find | None = None
    ) -> Reading | None:
        read.append(path)
        if len(read) == 7:
            raise KeyboardInterrupt
        return whole(root, path, known, find)

    monkeypatch.setattr("cuedeck.store.index.read_file.read_file", break_off)
    with pytest.raises(KeyboardInterrupt):
        indexed(sandbox)
    assert list(sandbox.workspace().index.paths()) == [
        f"docs/{number}.md" for number in range(4)
    ]
    assert known(sandbox) == [f"docs/{number}.md" for number in range(10)]


def test_sections_and_links_come_back_as_they_were_read(sandbox: Sandbox) -> None:
    sandbox.write("docs/a.md", "# A\n\n## B\n\n[[c]] ^id\n")
    first = file(sandbox, "docs/a.md")
    assert first == file(sandbox, "docs/a.md")
    assert isinstance(first.links, tuple)
    assert all(isinstance(each, Diagnostic) for each in first.diagnostics)
