"""The commands that show and search the cortex tree."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from drop_capabilities import drop_capabilities
from sandbox import Sandbox, sandbox

__all__ = ["sandbox"]

EDITOR = "cortex://user/default/preferences/editor.md"
INTRO = "cortex://resources/guide/intro.md"


@pytest.fixture
def day(sandbox: Sandbox) -> Sandbox:
    """A session with three messages and a commit, and a resource."""
    sandbox.write(
        ".cuedeck/cortex/resources/guide/intro.md",
        "# Guide\n\nThe zebra guide.\n\n## Stripes\n\nStripes are black.\n",
    )
    for second, (role, text) in enumerate(
        (
            ("user", "I prefer Vim as my editor."),
            ("assistant", "Noted. The login token expires after ten minutes."),
            ("user", "Ana is our designer."),
        )
    ):
        time = f"2026-11-22T09:15:0{second}Z"
        sandbox.ok("cortex", "add", text, "--role", role, "--time", time)
    sandbox.ok("cortex", "commit")
    return sandbox


def files_of(answer: Any) -> list[str]:
    return [each["file"] for each in answer["results"]]


def test_ls_lists_folders_and_files(day: Sandbox) -> None:
    answer = day.answer("cortex", "ls")
    assert [each["address"] for each in answer["entries"]] == [
        "cortex://resources",
        "cortex://session",
        "cortex://user",
    ]
    listed = day.ok("cortex", "ls", ".cuedeck/cortex/user/default", "--abstracts").out
    assert "cortex://user/default/preferences  1 inside" in listed
    assert "I prefer Vim as my editor." in listed
    limited = day.answer("cortex", "tree", "--limit", "2")
    assert len(limited["entries"]) == 2
    assert limited["left_out"] == limited["total"] - 2


def test_ls_of_a_file_is_refused_with_a_hint(day: Sandbox) -> None:
    refused = day.run("cortex", "ls", EDITOR)
    assert refused.code == 1
    assert f"cuedeck cortex read {EDITOR}" in refused.err


def test_tree_prints_names_below_each_other(day: Sandbox) -> None:
    printed = day.ok("cortex", "tree", "cortex://user").out
    assert printed == (
        "cortex://user\n"
        "  default/\n"
        "    entities/\n"
        "      ana.md\n"
        "    preferences/\n"
        "      editor.md\n"
    )
    assert "ana.md" not in day.ok("cortex", "tree", "--depth", "2").out


def test_read_abstract_and_overview(day: Sandbox) -> None:
    assert day.ok("cortex", "read", f"{INTRO}#Stripes").out == (
        "## Stripes\n\nStripes are black.\n"
    )
    assert day.ok("cortex", "read", f"{INTRO}#L3", "--numbers").out == (
        "3│The zebra guide.\n"
    )
    abstract = day.answer("cortex", "abstract", INTRO)
    assert (abstract["layer"], abstract["generated_by"]) == ("L0", "extractive")
    assert abstract["tokens"] <= 101
    overview = day.answer("cortex", "overview", "cortex://session/default")
    assert overview["layer"] == "L1"
    assert "designer" in overview["text"]
    assert day.ok("read", INTRO).out == day.ok("cortex", "read", INTRO).out
    assert day.ok("read", f"{INTRO}?layer=L0").out == abstract["text"]


@pytest.mark.parametrize(
    ("address", "hint"),
    [
        ("cortex://resources/guide/intr.md", f"did you mean `{INTRO}`?"),
        (f"{INTRO}#Strips", f"did you mean `{INTRO}#Stripes`?"),
        (f"{INTRO}#L99", "its lines are #L1-L7"),
        ("cortex://user/../../etc", "write the full address"),
        ("cortex://user/default/moods", "cortex://resources/"),
        ("Cortex://user", "write an address such as"),
    ],
)
def test_a_wrong_address_is_refused_with_a_hint(
    day: Sandbox, address: str, hint: str
) -> None:
    for command in (("read",), ("cortex", "read")):
        refused = day.run(*command, address)
        assert refused.code in (1, 2)
        assert hint in refused.err


def test_search_finds_files_with_the_addresses_of_their_lines(day: Sandbox) -> None:
    answer = day.answer("cortex", "search", "editor", "--layer", "L0")
    assert files_of(answer)[0].startswith("cortex://session/default/timeline/2026-11/")
    assert EDITOR in files_of(answer)
    for each in answer["results"]:
        assert each["L0"]
        assert day.ok("read", each["address"]).out
    printed = day.ok("cortex", "search", "zebra").out
    assert printed.startswith(f"{INTRO}#L3")


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("user", [EDITOR]),
        ("cortex://user/default/preferences", [EDITOR]),
        (EDITOR, [EDITOR]),
        ("resources", []),
    ],
)
def test_search_below_an_address(day: Sandbox, scope: str, expected: list[str]) -> None:
    code = 0 if expected else 1
    answer = day.answer("cortex", "search", "editor", "--in", scope, code=code)
    assert files_of(answer) == expected


def test_search_of_one_session(day: Sandbox) -> None:
    day.ok("cortex", "add", "The editor of Ben is Emacs.", "--session", "other")
    files = files_of(day.answer("cortex", "search", "editor", "--in", "other"))
    assert len(files) == 1
    assert files[0].startswith("cortex://session/other/")


def test_search_without_a_match_is_an_error_with_a_hint(day: Sandbox) -> None:
    refused = day.run("cortex", "search", "xylophone")
    assert refused.code == 1
    assert "cuedeck recall" in refused.err


def test_explore_lists_the_folders_that_lead_to_the_matches(day: Sandbox) -> None:
    answer = day.answer("cortex", "explore", "editor", "cortex://user")
    assert [each["address"] for each in answer["path"]] == [
        "cortex://user",
        "cortex://user/default",
        "cortex://user/default/preferences",
    ]
    assert all(each["abstract"] for each in answer["path"])
    assert [each["file"] for each in answer["matches"]] == [EDITOR]


def test_forget_deletes_a_memory_and_names_its_sources(day: Sandbox) -> None:
    before = day.bytes()
    preview = day.ok("cortex", "forget", EDITOR, "--dry-run").out
    assert "would delete .cuedeck/cortex/user/default/preferences/editor.md" in preview
    assert "which it quotes" in preview
    assert {path for path in before if "/cortex/" in path} == {
        path for path in day.bytes() if "/cortex/" in path
    }
    edited = day.place(".cuedeck/cortex/user/default/.abstract.md")
    edited.write_text(edited.read_text() + "my own words\n")
    assert "would rebuild .cuedeck/cortex/user/.abstract.md\n" in preview
    done = day.ok("cortex", "forget", EDITOR).out
    assert "rebuilt .cuedeck/cortex/user/.abstract.md\n" in done
    assert "deleted .cuedeck/cortex/user/.abstract.md" not in done
    assert (
        "kept .cuedeck/cortex/user/default/.abstract.md, which CueDeck did not" in done
    )
    assert day.run("cortex", "read", EDITOR).code == 1
    assert EDITOR not in files_of(day.answer("cortex", "search", "editor"))


def test_a_forgotten_text_remains_nowhere(day: Sandbox) -> None:
    message = day.ok("cortex", "add", "I prefer okapi as my pet.").out.strip()
    day.ok("cortex", "add", "Something else.")
    day.ok("cortex", "commit")
    pet = "cortex://user/default/preferences/pet.md"
    assert day.answer("cortex", "search", "okapi")["results"]
    day.ok("cortex", "forget", pet)
    day.ok("cortex", "forget", message)
    assert _files_with(day, b"okapi") == []
    assert files_of(day.answer("cortex", "search", "something else"))


def _files_with(sandbox: Sandbox, word: bytes) -> list[Path]:
    files = (path for path in sandbox.root.rglob("*") if path.is_file())
    return [path for path in files if word in path.read_bytes()]


def test_find_does_not_list_the_tree(day: Sandbox) -> None:
    found = day.run("find", "zebra", "--json")
    assert not [
        each for each in json.loads(found.out)["hits"] if "cortex" in each["path"]
    ]


def test_files_with_nuls_are_read_searched_and_committed(sandbox: Sandbox) -> None:
    guide = ".cuedeck/cortex/resources/guide/zeros.md"
    sandbox.place(guide).parent.mkdir(parents=True)
    sandbox.place(guide).write_bytes(b"# Guide\n\nThe giraffe\0 guide.\n")
    binary = ".cuedeck/cortex/resources/guide/logo.png"
    sandbox.place(binary).write_bytes(b"\x89PNG\0\0giraffe\xff\n")
    sandbox.ok("cortex", "add", "I prefer vim as my editor.", "--session", "nx")
    (message,) = sandbox.place(".cuedeck/cortex/session/nx").rglob("[0-9]*.md")
    message.write_bytes(message.read_bytes().replace(b"vim", b"zebra\0vim"))
    assert "zebra\ufffdvim" in sandbox.ok("cortex", "read", _address(message)).out
    sandbox.ok("cortex", "commit", "nx")
    read = sandbox.ok("cortex", "read", EDITOR).out
    assert "I prefer zebra\ufffdvim as my editor." in read
    card = sandbox.place(EDITOR.replace("cortex://", ".cuedeck/cortex/"))
    assert b"\0" not in card.read_bytes()
    found = files_of(sandbox.answer("cortex", "search", "zebra"))
    assert set(found) == {_address(message), EDITOR}
    assert files_of(sandbox.answer("cortex", "search", "giraffe")) == [
        "cortex://resources/guide/zeros.md"
    ]
    card.write_bytes(card.read_bytes().replace(b"prefer", b"okapi\0 prefer"))
    assert files_of(sandbox.answer("cortex", "search", "okapi")) == [EDITOR]
    abstract = sandbox.ok("cortex", "abstract", "cortex://resources/guide/zeros.md")
    assert "giraffe\ufffd guide" in abstract.out


def _address(path: Path) -> str:
    return "cortex://" + path.as_posix().partition("/cortex/")[2]


def test_layers_of_a_missing_address_are_refused(day: Sandbox) -> None:
    refused = day.run("layers", "build", "cortex://resources/guid")
    assert refused.code == 1
    assert "cortex://resources/guid does not exist" in refused.err
    assert "did you mean `cortex://resources/guide`?" in refused.err


def test_the_status_of_a_foreign_layer_suggests_to_delete_it(day: Sandbox) -> None:
    day.ok("layers", "build")
    day.write(".cuedeck/cortex/resources/.overview.md", "By hand.\n")
    printed = day.ok("layers", "status").out
    assert "delete a kept layer to have it built again" in printed
    assert "`cuedeck layers build` builds" not in printed


@contextmanager
def read_only(sandbox: Sandbox) -> Iterator[None]:
    """Remove the permission to write from all folders and files of a workspace."""
    places = [
        os.path.join(folder, name)
        for folder, _, names in os.walk(sandbox.root)
        for name in (".", *names)
    ]
    modes = {place: os.stat(place).st_mode for place in places}
    for place in places:
        os.chmod(place, modes[place] & ~0o222)
    try:
        yield
    finally:
        for place in places:
            os.chmod(place, modes[place])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_layers_are_read_in_a_read_only_workspace(day: Sandbox) -> None:
    with read_only(day):
        for command in ("abstract", "overview", "read"):
            ran = day.run(
                "cortex",
                command,
                "cortex://user/default",
                preexec_fn=drop_capabilities,
            )
            assert (ran.code, ran.err) == (0, "")
            assert "Vim" in ran.out
        ran = day.run("layers", "status", preexec_fn=drop_capabilities)
        assert (ran.code, ran.err) == (0, "")


def test_an_empty_tree_is_explained(sandbox: Sandbox) -> None:
    listed = sandbox.ok("cortex", "ls")
    assert listed.out == ""
    assert "cortex:// is empty; `cuedeck cortex add TEXT` adds a message" in listed.err


def test_build_answers_for_a_folder_outside_the_tree(sandbox: Sandbox) -> None:
    """The error named the folders of the cortex tree."""
    sandbox.write("src/auth.py", "def login():\n    pass\n")
    sandbox.write("session/notes.md", "# Notes\n")
    for address in ("src/", "src/auth.py#login", "session/notes.md"):
        line = (
            f"{address}: its layers are computed when they are read, by `cuedeck read "
        )
        assert sandbox.ok("layers", "build", address).out.startswith(line)
        assert sandbox.answer("layers", "build", address)["outside"] == address
    refused = sandbox.answer("layers", "build", "nope/", code=1)["error"]
    assert (refused["code"], refused["message"]) == (1001, "not found: `nope/`")
    assert sandbox.answer("layers", "build")["outside"] is None
