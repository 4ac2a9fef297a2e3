"""The memory structure of MemClaw, feature by feature, with real commands and tools.

Each test has a copy of one workspace. `FAULTS` are faults of the original program, each
with the test that shows that CueDeck has not got it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign_memory import migrated_message, plant_cortex, put
from mcp_client import McpClient, connect_in_process
from sandbox import SOURCE, Sandbox, child_environ, session_folder
from workspace_copy import WorkspaceCopy

FEATURES = {
    "four dimensions and cortex:// addresses": "test_addresses",
    "user: preferences, entities, events, … goals": "test_seven_kinds_of_a_user",
    "agent: cases, skills, instructions": "test_three_kinds_of_an_agent",
    "timeline YYYY-MM/DD/HH_MM_SS_id.md": "test_a_message_is_a_file_of_a_day",
    ".session.json": "test_the_metadata_of_a_session",
    "L0 and L1 of about 100 and 2,000 tokens": "test_limits_of_layers",
    "layers in the folder of the file": "test_each_file_has_its_own_layers",
    "L2 at once, L0 and L1 later": "test_layers_are_built_by_a_commit_or_on_demand",
    "cortex_commit_session": "test_a_commit_is_a_checkpoint",
    "default session and session per call": "test_ids_of_sessions",
    "L0, then L1, then L2, by the same tools": "test_the_tools_go_from_l0_to_l2",
    "import": "test_an_import_takes_over_a_tree",
}
"""The test of each feature."""
KNOWLEDGE = "tests/unit/knowledge"
HERE = "tests/transcripts/test_memclaw_memory.py"
FAULTS = {
    "addresses read and wrote any file": (
        "tests/unit/model/test_cortex_address.py",
        "test_no_accepted_spelling_leaves_the_tree",
    ),
    "links were followed": (
        "tests/unit/store/cortex/test_cortex_tree.py",
        "test_a_link_in_any_component_is_refused",
    ),
    "all files of a folder shared one layer": (
        HERE,
        "test_each_file_has_its_own_layers",
    ),
    "edits after 10,000 characters left layers unchanged": (
        f"{KNOWLEDGE}/layers/test_build_layers.py",
        "test_an_edit_at_the_last_byte_of_a_large_file_is_seen",
    ),
    "a lost L1 was not written again": (
        HERE,
        "test_layers_are_built_by_a_commit_or_on_demand",
    ),
    "a refreshed layer was not found": (HERE, "test_an_edit_by_hand_is_found"),
    "an edited file kept its old entry in the index": (
        HERE,
        "test_an_edit_by_hand_is_found",
    ),
    "a failed extraction blocked all later ones": (
        "tests/transcripts/test_cortex_crash_recovery.py",
        "test_a_commit_repeated_after_a_crash_writes_the_same_bytes",
    ),
    "a commit without memories, or with a case, failed": (
        HERE,
        "test_a_commit_is_a_checkpoint",
    ),
    "searches of users added nothing to those of sessions": (
        HERE,
        "test_a_search_covers_all_dimensions",
    ),
    "each search was several calls of a model": (
        HERE,
        "test_a_search_covers_all_dimensions",
    ),
    "archived hits used up the limit": (HERE, "test_a_limit_counts_what_is_shown"),
    "memories were deleted with age, and came back": (
        HERE,
        "test_old_memories_stay_until_they_are_forgotten",
    ),
    "tags and importance were dropped": (
        HERE,
        "test_the_metadata_of_a_message_are_kept",
    ),
    "one client moved another to its tenant": (HERE, "test_two_trees_are_separate"),
    "concurrent writers lost messages": (
        f"{KNOWLEDGE}/cortex/test_add_message.py",
        "test_two_processes_lose_none_of_300_messages",
    ),
    "a list needed three services": (HERE, "test_addresses"),
    "names and layers differed in each run": (
        "tests/property/test_layer_laws.py",
        "test_the_order_of_creation_does_not_matter",
    ),
    "documents named tools that do not exist": (
        "tests/unit/test_docs.py",
        "test_generated_tables_are_up_to_date",
    ),
    "text of AGENTS.md was deleted": (
        "tests/property/test_setup_laws.py",
        "test_markdown_is_restored_and_keeps_additions",
    ),
    "a restart lost messages": (
        "tests/transcripts/test_cortex_crash_recovery.py",
        "test_a_message_is_written_whole_or_not_at_all",
    ),
}
"""File and test for each fault."""
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


def test_each_feature_has_a_test() -> None:
    assert set(FEATURES.values()) <= globals().keys()


def test_each_fault_has_a_test() -> None:
    for path, name in FAULTS.values():
        assert f"def {name}(" in (SOURCE / path).read_text(), name


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


def test_a_message_is_a_file_of_a_day(home: Sandbox) -> None:
    names = sorted(
        path.name
        for path in home.place(DAY.replace("cortex://", ".cuedeck/cortex/")).glob(
            "[0-9]*"
        )
    )
    assert len(names) == 2
    text = "I prefer Vim as my editor."
    digest = hashlib.sha256("\0".join(("default", "1", "user", text)).encode())
    assert names[0] == f"08_15_00_{digest.hexdigest()[:8]}.md"
    read = home.ok("cortex", "read", f"{DAY}/{names[0]}").out
    assert "seq: 1\ntime: 2026-11-22T09:15:00+01:00\n" in read
    assert read.endswith(f"---\n\n{text}\n")


def test_the_metadata_of_a_session(home: Sandbox) -> None:
    changed = ("--title", "Zoo", "--description", "About zebras", "--tag", "zoo")
    home.ok("cortex", "open", "default", *changed, "--participant", "user/ben")
    path = ".cuedeck/cortex/session/default/.session.json"
    metadata = json.loads(home.place(path).read_text())
    assert metadata["schema_version"] == 1
    assert metadata["thread_id"] == metadata["user_id"] == metadata["agent_id"]
    assert (metadata["status"], metadata["closed_at"]) == ("active", None)
    assert metadata["message_count"] == metadata["last_seq"] == 2
    assert (metadata["title"], metadata["description"]) == ("Zoo", "About zebras")
    assert metadata["tags"] == ["zoo"]
    assert metadata["participants"] == ["user/default", "user/ben"]
    assert [each["seq"] for each in metadata["commits"]] == [2]
    assert {"created_at", "updated_at"} <= set(metadata)


def test_limits_of_layers(home: Sandbox) -> None:
    for level, limit in (("abstract", 100), ("overview", 2_000)):
        answer = home.answer("cortex", level, GUIDE)
        assert limit / 10 < answer["tokens"] <= limit + 1
        assert "zebra" in answer["text"].lower()
    assert home.answer("cortex", "read", GUIDE)["tokens"] > 2_000


def test_each_file_has_its_own_layers(home: Sandbox) -> None:
    short = "cortex://resources/guide/short.md"
    texts = [
        home.ok("cortex", "abstract", address).out
        for address in (GUIDE, short, "cortex://resources/guide")
    ]
    assert "stripes" in texts[0] and "lion" not in texts[0].lower()
    assert "One lion." in texts[1] and "zebra" not in texts[1].lower()
    assert "long.md" in texts[2] and "short.md" in texts[2]
    home.ok("layers", "build")
    guide = home.place(".cuedeck/cortex/resources/guide")
    assert (guide / ".abstract.md").is_file() and (guide / ".overview.md").is_file()
    layers = sorted(path.name for path in (guide / ".layers").iterdir())
    assert layers == ["long.md.l0.md", "long.md.l1.md"]


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


def test_a_commit_is_a_checkpoint(home: Sandbox) -> None:
    home.ok("cortex", "add", "--session", "point", "Nothing to keep here.")
    empty = home.answer("cortex", "commit", "point")
    assert (empty["messages"], empty["made"], empty["status"]) == (1, [], "active")
    case = "Problem: the queue is stuck\nSolution: restart the worker"
    home.ok("cortex", "add", "--session", "point", "--", case)
    receipt = home.answer("cortex", "commit", "point")
    assert [each["kind"] for each in receipt["made"]] == ["case"]
    assert receipt["layers"]["made"]
    before = home.bytes()
    again = home.answer("cortex", "commit", "point")
    assert (again["messages"], again["made"], again["seq"]) == (0, [], 2)
    assert home.bytes() == before
    home.ok("cortex", "forget", receipt["made"][0]["address"])


def test_ids_of_sessions(home: Sandbox) -> None:
    added = home.answer("cortex", "add", "Once more.")
    assert added["session"] == "default"
    unsafe = home.answer("cortex", "add", "--session", "../x y", "Hello.")
    assert unsafe["session"] == hashlib.sha256(b"../x y").hexdigest()
    opened = home.answer("cortex", "open", "../x y")
    assert (opened["session"], opened["original_id"]) == (unsafe["session"], "../x y")
    home.ok("cortex", "forget", opened["address"])


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


def test_the_metadata_of_a_message_are_kept(home: Sandbox, client: McpClient) -> None:
    tags = {"tags": ["infra"], "importance": "high"}
    said = client.ok(
        "cortex_add_memory", content="A tagged okapi.", session_id="tags", metadata=tags
    )
    header = home.ok("cortex", "read", said["message_uri"]).out
    assert 'metadata: {"tags": ["infra"], "importance": "high"}\n' in header
    written = '{"importance": "low"}'
    added = home.ok(
        "cortex", "add", "--session", "tags", "--metadata", written, "An okapi."
    )
    header = home.ok("cortex", "read", added.out.strip()).out
    assert f"metadata: {written}\n" in header
    refused = home.run("cortex", "add", "--metadata", "[1]", "Hello.")
    assert "must be a JSON object" in refused.err


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
