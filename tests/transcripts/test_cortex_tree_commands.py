"""The commands that show and search the cortex tree."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sandbox import Sandbox

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


def test_ls_and_tree_list_folders_and_files(day: Sandbox) -> None:
    entries = day.answer("cortex", "ls")["entries"]
    assert [each["name"] for each in entries] == ["resources", "session", "user"]
    listed = day.ok("cortex", "ls", ".cuedeck/cortex/user/default", "--abstracts").out
    assert "cortex://user/default/preferences  1 inside" in listed
    assert "I prefer Vim as my editor." in listed
    limited = day.answer("cortex", "tree", "--limit", "2")
    assert len(limited["entries"]) == 2
    assert limited["left_out"] == limited["total"] - 2
    refused = day.run("cortex", "ls", EDITOR)
    assert refused.code == 1
    assert f"cuedeck cortex read {EDITOR}" in refused.err
    printed = day.ok("cortex", "tree", "cortex://user").out
    names = ["cortex://user", "default/", "entities/", "ana.md"]
    names += ["preferences/", "editor.md"]
    assert printed.split() == names
    assert "\n    entities/\n      ana.md\n" in printed
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
    assert day.ok("cortex", "search", "zebra").out.startswith(f"{INTRO}#L3")
    for scope in ("user", "cortex://user/default/preferences", EDITOR):
        found = day.answer("cortex", "search", "editor", "--in", scope)
        assert files_of(found) == [EDITOR]
    day.ok("cortex", "add", "The editor of Ben is Emacs.", "--session", "other")
    (other,) = files_of(day.answer("cortex", "search", "editor", "--in", "other"))
    assert other.startswith("cortex://session/other/")
    refused = day.run("cortex", "search", "editor", "--in", "resources")
    assert refused.code == 1 and "cuedeck recall" in refused.err


def test_layers_are_built_by_a_commit_or_on_demand(day: Sandbox) -> None:
    day.ok("layers", "build")
    assert day.place(".cuedeck/cortex/user/default/.overview.md").is_file()
    day.ok("cortex", "add", "--session", "later", "A gnu came by.")
    status = day.answer("layers", "status")
    assert "cortex://session/later/timeline" in " ".join(status["marked"])
    assert status["stale"]
    day.ok("cortex", "commit", "later")
    overview = day.place(".cuedeck/cortex/session/later/.overview.md")
    overview.unlink()
    assert "A gnu came by." in day.ok("cortex", "overview", "session/later").out
    missing = day.answer("layers", "status")["layers"]
    assert [(row["layer"], row["status"]) for row in missing] == [("L1", "stale")]
    day.ok("layers", "build")
    assert overview.is_file()
    assert day.answer("layers", "verify")["verified"]


def test_an_edit_by_hand_is_found(day: Sandbox) -> None:
    day.ok("layers", "build")
    places = list(day.place(".cuedeck/cortex/session/default").rglob("[0-9]*_*.md"))
    for path in (*places, day.place(INTRO.replace("cortex://", ".cuedeck/cortex/"))):
        text = path.read_text().replace("login token", "narwhal")
        path.write_text(text.replace("zebra", "narwhal"))
    status = day.answer("layers", "status")
    stale = {row["address"] for row in status["layers"] if row["status"] == "stale"}
    assert {"cortex://session/default", "cortex://resources/guide"} <= stale
    abstract = day.answer("cortex", "overview", "cortex://session/default")
    assert "The narwhal expires" in abstract["text"]
    assert abstract["status"] == "stale"
    found = files_of(day.answer("cortex", "search", "narwhal"))
    assert INTRO in found and found[0].startswith("cortex://session/default")
    assert day.run("cortex", "search", "zebra").code == 1


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
    assert day.bytes().keys() == before.keys()
    edited = day.place(".cuedeck/cortex/user/default/.abstract.md")
    edited.write_text(edited.read_text() + "my own words\n")
    assert "would rebuild .cuedeck/cortex/user/.abstract.md\n" in preview
    done = day.ok("cortex", "forget", EDITOR).out
    assert "rebuilt .cuedeck/cortex/user/.abstract.md\n" in done
    kept = "kept .cuedeck/cortex/user/default/.abstract.md, which CueDeck did not"
    assert kept in done
    assert day.run("cortex", "read", EDITOR).code == 1
    assert EDITOR not in files_of(day.answer("cortex", "search", "editor"))


def test_a_forgotten_text_remains_nowhere(day: Sandbox) -> None:
    message = day.ok("cortex", "add", "I prefer okapi as my pet.").out.strip()
    day.ok("cortex", "commit")
    assert day.answer("cortex", "search", "okapi")["results"]
    assert "cortex" not in day.run("find", "okapi", "--json").out
    for address in ("cortex://user/default/preferences/pet.md", message):
        day.ok("cortex", "forget", address)
    files = [path for path in day.root.rglob("*") if path.is_file()]
    assert [path for path in files if b"okapi" in path.read_bytes()] == []


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
            ran = day.run("cortex", command, "cortex://user/default", unprivileged=True)
            assert (ran.code, ran.err) == (0, "")
            assert "Vim" in ran.out
        ran = day.run("layers", "status", unprivileged=True)
        assert (ran.code, ran.err) == (0, "")


def test_build_answers_for_a_folder_outside_the_tree(sandbox: Sandbox) -> None:
    """The error named the folders of the cortex tree."""
    sandbox.write("src/auth.py", "def login():\n    pass\n")
    for address in ("src/", "src/auth.py#login"):
        line = f"{address}: its layers are computed when they are read, by `cuedeck"
        assert sandbox.ok("layers", "build", address).out.startswith(line)
        assert sandbox.answer("layers", "build", address)["outside"] == address
    refused = sandbox.answer("layers", "build", "nope/", code=1)["error"]
    assert (refused["code"], refused["message"]) == (1001, "not found: `nope/`")
    assert sandbox.answer("layers", "build")["outside"] is None
    listed = sandbox.ok("cortex", "ls")
    assert listed.out == ""
    assert "cortex:// is empty; `cuedeck cortex add TEXT` adds a message" in listed.err
