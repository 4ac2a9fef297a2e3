"""The memory structure of MemClaw, feature by feature, with real commands and tools.

Each test has a copy of one workspace.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign_memory import migrated_message, plant_cortex, put
from mcp_client import McpClient, connect_in_process
from sandbox import Sandbox, child_environ, session_folder
from workspace_copy import WorkspaceCopy

DAY = "cortex://session/default/timeline/2026-11/22"
GUIDE = "cortex://resources/guide/long.md"
STATEMENTS = {
    "user/default/preferences": "I prefer Vim as my editor.",
    "user/default/entities": "Ana is our designer.",
    "user/default/events": "We decided to use SQLite.",
    "user/default/personal_info": "My name is Iago.",
    "user/default/work_history": "I worked at Initech as a tester.",
    "user/default/relationships": "Ben is my brother.",
    "user/default/goals": "My goal is to ship in May.",
    "agent/default/cases": "Problem: the page is blank\nSolution: clear the cookie",
    "agent/default/skills": "Lesson learned: run the linter before a commit.",
    "agent/default/instructions": "Always answer in English.",
}
"""A statement of each kind of memory, by its folder."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkspaceCopy]:
    """A copy of a workspace with a session of two messages with ten statements, a
    commit, and a long resource.
    """
    environ = child_environ(session_folder(tmp_path_factory))
    with pytest.MonkeyPatch.context() as patch:
        for name in ("HOME", "XDG_CACHE_HOME"):
            patch.setenv(name, environ[name])
        folder = tmp_path_factory.mktemp("memclaw").resolve()
        made = Sandbox(folder / "template", environ)
        made.write(".cuedeck/cards/.keep")
        first, *others = STATEMENTS.values()
        for second, text in enumerate((first, "\n".join(others))):
            time = f"2026-11-22T09:15:{second:02d}+01:00"
            made.ok("cortex", "add", "--time", time, "--", text)
        made.ok("cortex", "commit")
        sections = "".join(
            f"## Part {number}\n\nThe zebra number {number} sleeps.\n\n"
            for number in range(400)
        )
        made.write(
            ".cuedeck/cortex/resources/guide/long.md",
            f"# Zebras\n\nAll zebras have stripes.\n\n{sections}",
        )
        made.write(".cuedeck/cortex/resources/guide/short.md", "# Lions\n\nOne lion.\n")
        yield WorkspaceCopy(made.root, folder / "work")


@pytest.fixture
def home(
    prepared: WorkspaceCopy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Sandbox]:
    """The workspace as it was prepared."""
    made = Sandbox(prepared.restore(), child_environ(session_folder(tmp_path_factory)))
    yield made
    made.close()


@pytest.fixture
def client(home: Sandbox) -> Iterator[McpClient]:
    with connect_in_process(home.root, compat=True) as connected:
        yield connected


def files_of(answer: Any) -> list[str]:
    return [each["file"] for each in answer["results"]]


def memory_in(home: Sandbox, folder: str) -> Path:
    """Return the path of the only memory in a folder."""
    (memory,) = home.place(f".cuedeck/cortex/{folder}").glob("[!.]*.md")
    return memory


def test_addresses(home: Sandbox) -> None:
    listed = home.answer("cortex", "ls")["entries"]
    assert [each["name"] for each in listed] == [
        "agent",
        "resources",
        "session",
        "user",
    ]
    read = home.ok("cortex", "read", "cortex://resources/guide/sh%6Frt.md").out
    assert "One lion." in read
    for address, word in (
        ("cortex://users/x", "begins with one of"),
        ("cortex://user/default/moods", "allowed below cortex://resources/ only"),
        ("cortex://user/../../etc/passwd", "`..`"),
        ("cortex://resources/guide/no.md", "does not exist"),
    ):
        refused = home.run("cortex", "read", address)
        assert refused.code in (1, 2)
        assert word in refused.err


def test_seven_kinds_of_a_user(home: Sandbox) -> None:
    check_kinds(home, "user", 7)


def test_three_kinds_of_an_agent(home: Sandbox) -> None:
    check_kinds(home, "agent", 3)


def check_kinds(home: Sandbox, dimension: str, number: int) -> None:
    """Check that each folder of a dimension has the memory of its statement."""
    folders = [each for each in STATEMENTS if each.startswith(f"{dimension}/")]
    listed = home.answer("cortex", "ls", f"cortex://{dimension}/default")["entries"]
    assert sorted(each["address"] for each in listed) == sorted(
        f"cortex://{folder}" for folder in folders
    )
    assert len(folders) == number
    for folder in folders:
        text = memory_in(home, folder).read_text()
        for line in STATEMENTS[folder].split("\n"):
            assert line.rstrip(".") in text
        assert f"{DAY}/08_15_" in text


def test_layers_are_built_by_a_commit_or_on_demand(home: Sandbox) -> None:
    home.ok("layers", "build")
    assert home.place(".cuedeck/cortex/user/default/.overview.md").is_file()
    added = home.answer("cortex", "add", "--session", "later", "A gnu came by.")
    assert home.ok("cortex", "read", added["address"]).out.endswith("A gnu came by.\n")
    status = home.answer("layers", "status")
    assert "cortex://session/later/timeline" in " ".join(status["marked"])
    assert status["stale"]
    home.ok("cortex", "commit", "later")
    overview = home.place(".cuedeck/cortex/session/later/.overview.md")
    overview.unlink()
    assert "A gnu came by." in home.ok("cortex", "overview", "session/later").out
    missing = home.answer("layers", "status")["layers"]
    assert [(row["layer"], row["status"]) for row in missing] == [("L1", "stale")]
    home.ok("layers", "build")
    assert overview.is_file()
    assert home.answer("layers", "verify")["verified"]


def test_the_tools_go_from_l0_to_l2(home: Sandbox, client: McpClient) -> None:
    home.ok("layers", "build")
    found = client.ok("cortex_search", query="stripes", return_layers=["L0", "L1"])
    hit = found["results"][0]
    assert (hit["uri"], hit["layers"]) == (GUIDE, ["L0", "L1"])
    assert hit["tokens"]["L0"] <= 101 < hit["tokens"]["L1"] <= 2_001
    assert hit["status"] == {"L0": "fresh", "L1": "fresh"}
    texts = {}
    for tool, key, layer in (
        ("cortex_get_abstract", "abstract", "L0"),
        ("cortex_get_overview", "overview", "L1"),
        ("cortex_get_content", "full_content", "L2"),
    ):
        answer = client.ok(tool, uri=GUIDE)
        assert (answer["uri"], answer["layer"]) == (GUIDE, layer)
        assert answer["status"] == "fresh"
        assert answer["token_count"] > 0
        texts[layer] = answer[key]
    assert len(texts["L0"]) < len(texts["L1"]) < len(texts["L2"])
    recalled = client.ok("cortex_recall", query="stripes")["results"][0]
    assert recalled["tokens"].keys() == recalled["status"].keys() == {"L0", "L2"}
    walked = client.ok(
        "cortex_explore", query="stripes", start_uri="cortex://resources"
    )
    assert [each["uri"] for each in walked["exploration_path"]] == [
        "cortex://resources",
        "cortex://resources/guide",
    ]
    native = client.ok("cortex", action="search", query="stripes", layer="L0")
    assert native["results"][0]["status"] == {"L0": "fresh"}


def test_an_edit_by_hand_is_found(home: Sandbox) -> None:
    home.ok("cortex", "add", "--session", "edits", "The walrus is calm.")
    home.ok("cortex", "commit", "edits")
    home.ok("layers", "build")
    assert files_of(home.answer("cortex", "search", "walrus"))
    (place,) = home.place(".cuedeck/cortex/session/edits").rglob("[0-9]*_*.md")
    for path, old, new in (
        (place, "walrus", "narwhal"),
        (home.place(".cuedeck/cortex/resources/guide/short.md"), "lion", "narwhal"),
    ):
        path.write_text(path.read_text().replace(old, new))
    status = home.answer("layers", "status")
    stale = {row["address"] for row in status["layers"] if row["status"] == "stale"}
    assert {"cortex://session/edits", "cortex://resources/guide"} <= stale
    abstract = home.answer("cortex", "abstract", "cortex://session/edits")
    assert "The narwhal is calm." in abstract["text"]
    assert abstract["status"] == "stale"
    found = files_of(home.answer("cortex", "search", "narwhal"))
    assert len(found) == 2
    assert home.run("cortex", "search", "walrus").code == 1


def test_a_search_covers_all_dimensions(home: Sandbox) -> None:
    before = {path: data for path, data in home.bytes().items() if "/cortex/" in path}
    files = files_of(home.answer("cortex", "search", "vim editor"))
    assert {each.split("/")[2] for each in files} == {"user", "session"}
    after = {path: data for path, data in home.bytes().items() if "/cortex/" in path}
    assert after == before


def test_a_limit_counts_what_is_shown(home: Sandbox) -> None:
    for minute, pet in enumerate(("a tapir", "a quokka", "a lemur")):
        time = f"2026-11-23T09:0{minute}:00Z"
        text = f"I prefer {pet} as my pet."
        home.ok("cortex", "add", "--session", "pets", "--time", time, text)
    home.ok("cortex", "commit", "pets")
    memory = "cortex://user/default/preferences/pet.md"
    assert "a tapir" in home.ok("cortex", "read", memory).out
    limited = home.answer("cortex", "search", "tapir", "--in", "user", code=1)
    assert limited["results"] == []
    three = home.answer("cortex", "search", "pet", "--limit", "3")["results"]
    assert len(three) == 3


def test_old_memories_stay_until_they_are_forgotten(home: Sandbox) -> None:
    old = ("--session", "old", "--time", "2019-01-01T09:00:00Z")
    home.ok("cortex", "add", *old, "I prefer axolotl stickers as my decoration.")
    made = home.answer("cortex", "commit", "old")["made"][0]["address"]
    assert made in files_of(home.answer("cortex", "search", "axolotl"))
    for address in (made, "cortex://session/old"):
        home.ok("cortex", "forget", address)
    assert home.run("cortex", "search", "axolotl").code == 1


def test_two_trees_are_separate(home: Sandbox) -> None:
    other = home.root.parent / "other"
    (other / ".cuedeck/cards").mkdir(parents=True)
    home.ok("cortex", "add", "The marmot is here.", cwd=other)
    assert home.run("cortex", "search", "marmot").code == 1
    assert files_of(home.answer("cortex", "search", "marmot", cwd=other))


def test_an_import_takes_over_a_tree(
    home: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> None:
    source = plant_cortex(tmp_path_factory.mktemp("foreign"))
    put(source, *migrated_message("2026-04-03", 1, "The ibex ate lunch."))
    home.ok("cortex", "import", str(source))
    messages = home.answer("cortex", "tree", "cortex://session/s1")["entries"]
    assert sum(each["kind"] == "file" for each in messages) == 3
    migrated = "cortex://session/migrated-oc-2026-04-03"
    days = [
        each["address"] for each in home.answer("cortex", "tree", migrated)["entries"]
    ]
    assert f"{migrated}/timeline/2026-04/03" in days
    assert files_of(home.answer("cortex", "search", "ibex"))[0].startswith(migrated)
    read = home.ok("cortex", "read", "cortex://user/ana/preferences/editor.md").out
    assert "Ana prefers vim." in read and "**Confidence**" not in read
    assert re.search("^confidence: ", read, re.MULTILINE)
    read = home.ok("cortex", "read", "cortex://user/ana/entities/ben.md").out
    assert "Ben is the designer." in read and "source-hash" not in read
