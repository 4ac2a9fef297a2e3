"""Adding, trimming and listing records."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sandbox import Sandbox

from cuedeck.engine.workspace import Workspace
from cuedeck.knowledge.experiences.extract_experiences import extract
from cuedeck.knowledge.memory import add_record
from cuedeck.knowledge.memory.add_record import NewRecord, add_records
from cuedeck.knowledge.memory.list_records import Wanted, list_records, show_record
from cuedeck.knowledge.memory.session_context import (
    Kind,
    memory_context,
    session_context,
)
from cuedeck.ledger.records.memory_files import MemoryFiles, memory_of
from cuedeck.model.errors import ConfigurationError, Invalid

KINDS: tuple[Kind, ...] = ("main", "heartbeat", "shared")


def open_memory(
    sandbox: Sandbox, config: str = "", profile: str = ""
) -> tuple[Workspace, MemoryFiles]:
    sandbox.write(".cuedeck/config.toml", config)
    workspace = sandbox.workspace()
    return workspace, memory_of(workspace, profile)


def add(
    workspace: Workspace, memory: MemoryFiles, *texts: str, **fields: object
) -> list[str]:
    return [
        add_records(workspace, memory, [NewRecord(text, **fields)])[0] for text in texts
    ]  # type: ignore[arg-type]


def texts(memory: MemoryFiles) -> list[str]:
    return [record.text for record in memory.primary.records]


def test_case_01_nothing_is_trimmed_without_a_window(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox)
    add(workspace, memory, *"abcde")
    assert texts(memory) == list("abcde")


def test_case_02_the_oldest_records_are_dropped_above_the_record_limit(
    sandbox: Sandbox,
) -> None:
    workspace, memory = open_memory(sandbox, "[memory]\nmax_records = 3")
    add(workspace, memory, *(f"record {number}" for number in range(5)))
    assert texts(memory) == ["record 2", "record 3", "record 4"]


def test_case_03_the_oldest_records_are_dropped_above_the_length_limit_except_the_newest(
    sandbox: Sandbox,
) -> None:
    workspace, memory = open_memory(sandbox, "[memory]\nmax_chars = 600")
    add(workspace, memory, "short", "x" * 100, "y" * 100)
    assert texts(memory) == ["y" * 100]
    assert len(sandbox.place(".cuedeck/MEMORY.md").read_text()) <= 650


def test_case_04_dropped_records_move_to_the_archive(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(
        sandbox, '[memory]\nmax_records = 2\narchive = "memory/MEMORY-archive.md"'
    )
    add(workspace, memory, "first", "second", "third")
    assert texts(memory) == ["second", "third"]
    archive = sandbox.place(".cuedeck/memory/MEMORY-archive.md").read_text()
    assert "first" in archive
    assert "third" not in archive


def test_case_07_the_header_stays(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox, "[memory]\nmax_records = 1")
    add(workspace, memory, "one", "two")
    assert (
        sandbox.place(".cuedeck/MEMORY.md")
        .read_text()
        .startswith("# MEMORY.md — Long-term memory")
    )
    assert texts(memory) == ["two"]


def test_dropped_records_move_to_the_daily_log_without_an_archive(
    sandbox: Sandbox,
) -> None:
    workspace, memory = open_memory(sandbox, '[memory]\nmax_records = 1\narchive = ""')
    add(workspace, memory, "one", "two")
    (log,) = sandbox.place(".cuedeck/memory").iterdir()
    assert [json.loads(line[2:])["text"] for line in log.read_text().splitlines()] == [
        "one",
        "two",
    ]


def test_cases_33_to_36_files_with_any_content_are_read(sandbox: Sandbox) -> None:
    _, memory = open_memory(sandbox)
    assert memory.text("USER.md") is None
    sandbox.write(".cuedeck/USER.md", b"ab\xff\xfec")
    assert (memory.text("USER.md") or "").startswith("ab")
    assert memory.text("USER.md").endswith("c")  # type: ignore[union-attr]


def test_case_37_records_are_retrieved_by_session_without_secrets(
    sandbox: Sandbox,
) -> None:
    workspace, memory = open_memory(sandbox)
    add(workspace, memory, "user likes tea", category="profile", session="s1")
    add(workspace, memory, "api key is ABC", sensitivity="secret", session="s1")
    add(workspace, memory, "public", sensitivity="public", session="s2")
    found = list_records(memory, Wanted(session="s1"))["records"]
    assert [(each["session"], each["text"]) for each in found] == [
        ("s1", "user likes tea")
    ]
    assert (
        len(list_records(memory, Wanted(session="s1", allow_secret=True))["records"])
        == 2
    )


def test_case_38_secrets_reach_no_session(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox)
    add(workspace, memory, "public preference tea", sensitivity="public")
    add(workspace, memory, "secret-api-key-value", sensitivity="secret")
    block = memory_context(workspace, memory).text
    assert "public preference tea" in block
    assert "secret-api-key-value" not in block
    assert memory_context(workspace, memory, kind="shared").text == ""
    assert memory_context(workspace, memory, kind="heartbeat").text == ""


@pytest.mark.parametrize("hours", [-11, -8, 0, 9, 14])
def test_e18_a_new_record_is_shown_in_every_time_zone(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    workspace, memory = open_memory(sandbox)
    now = datetime(2026, 2, 15, 23, 30, tzinfo=timezone(timedelta(hours=hours)))
    monkeypatch.setattr(add_record, "local_now", lambda: now)
    add(workspace, memory, "said just now")
    assert memory.days() == ("2026-02-15",)
    sandbox.place(".cuedeck/MEMORY.md").unlink()
    assert "said just now" in memory_context(workspace, memory, now=now).text
    # A log that the original named by the day in UTC.
    day = now.astimezone(UTC).date().isoformat()
    sandbox.write(f".cuedeck/memory/{day}.md", '- {"id":"u","text":"said in UTC"}\n')
    assert "said in UTC" in memory_context(workspace, memory, now=now).text


def test_e20_every_record_has_a_sensitivity(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox)
    add(workspace, memory, "x")
    assert (
        '"sensitivity":"private-user"'
        in sandbox.place(".cuedeck/MEMORY.md").read_text()
    )


def test_e24_a_profile_writes_to_its_own_memory(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(
        sandbox, '[[profile]]\nid = "me"\nroot = "profiles/me"', "me"
    )
    add(workspace, memory, "mine")
    assert sandbox.place("profiles/me/MEMORY.md").exists()
    assert not sandbox.place(".cuedeck/MEMORY.md").exists()
    workspace.refresh()
    assert [
        path for path in workspace.index.paths() if path.startswith("profiles")
    ] == []


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ('[[profile]]\nid = "me"\nroot = "../out"', "must be inside the workspace"),
        ('[[profile]]\nid = "me"\nroot = "/etc"', "must be inside the workspace"),
        ('[[profile]]\nid = "Me"\nroot = "x"', "small letters"),
        ('[[profile]]\nid = "default"\nroot = "x"', "is reserved"),
        (
            '[[profile]]\nid = "a"\nroot = "x"\n[[profile]]\nid = "a"\nroot = "y"',
            "twice",
        ),
        ('[profile]\nid = "a"', r"\[\[profile\]\]"),
        ('[memory]\narchive = "../a.md"', "memory.archive"),
        ('[memory]\nlong_memory = "MEMORY.md"', "memory.long_memory"),
        ("[memory]\ncap = 1", "between 100 and"),
        ("[compaction]\nthreshold_records = 0", "compaction.threshold_records"),
    ],
)
def test_setting_out_of_range_is_reported_with_its_key(
    sandbox: Sandbox, config: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        _ = open_memory(sandbox, config, "me")[0].settings


def test_profile_in_a_linked_folder_outside_the_workspace_is_refused(
    sandbox: Sandbox,
) -> None:
    outside = sandbox.root.parent / "outside"
    outside.mkdir()
    sandbox.place("profiles").symlink_to(outside)
    with pytest.raises(ConfigurationError, match="outside the workspace"):
        open_memory(sandbox, '[[profile]]\nid = "me"\nroot = "profiles/me"', "me")


@pytest.mark.parametrize(
    "record", [NewRecord("  "), NewRecord("x" * 100_001), NewRecord("x", confidence=2)]
)
def test_invalid_record_is_refused_without_a_write(
    sandbox: Sandbox, record: NewRecord
) -> None:
    workspace, memory = open_memory(sandbox)
    with pytest.raises(Invalid):
        add_records(workspace, memory, [NewRecord("good"), record])
    assert not sandbox.place(".cuedeck/MEMORY.md").exists()


def test_records_are_filtered_by_text_and_file(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox, "[memory]\nmax_records = 2")
    add(workspace, memory, "old news", "Deploy on Tuesday", "lunch")
    add(workspace, memory, "deploy key", sensitivity="secret")
    assert [
        row["text"]
        for row in list_records(memory, Wanted(contains="DEPLOY"))["records"]
    ] == []
    everything = list_records(memory, Wanted(where="all"))
    assert [row["text"] for row in everything["records"]] == [
        "old news",
        "Deploy on Tuesday",
        "lunch",
    ]
    assert everything["secret"] == 1
    assert [
        row["text"] for row in list_records(memory, Wanted(where="archive"))["records"]
    ] == ["old news", "Deploy on Tuesday"]


def test_secret_record_is_shown_only_on_request(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox)
    (identity,) = add(workspace, memory, "pin", sensitivity="secret")
    with pytest.raises(Invalid, match="secret"):
        show_record(memory, identity[:6])
    assert show_record(memory, identity[:6], allow_secret=True)["text"] == "pin"


def test_block_never_exceeds_its_room(sandbox: Sandbox) -> None:
    workspace, memory = open_memory(sandbox, "[memory]\ncap = 900\nuser_cap = 300")
    sandbox.write(".cuedeck/USER.md", "Ann. " * 200)
    add(workspace, memory, *(f"fact {number} {'x' * 60}" for number in range(40)))
    for room, user_room, most, human in (
        (None, None, 900, 60),
        (500, 100, 500, 20),
        (5_000, 5_000, 900, 60),
    ):
        text = memory_context(workspace, memory, room=room, user_room=user_room).text
        assert len(text) <= most and human - 3 <= text.count("Ann.") <= human
    assert "Ann." not in memory_context(workspace, memory, user_room=0).text
    assert memory_context(workspace, memory, room=0).text == ""


def test_matching_experiences_are_shown_to_the_main_session_and_heartbeats(
    sandbox: Sandbox,
) -> None:
    workspace, memory = open_memory(
        sandbox, "[memory]\ncap = 400\n[experiences]\nenabled = true"
    )
    add(
        workspace,
        memory,
        "The login breaks when a token has no expiry",
        *(f"turn {n} {'x' * 40}" for n in range(20)),
    )
    extract(workspace, memory)
    answer = {
        kind: session_context(workspace, memory, kind=kind, query="login token").text
        for kind in KINDS
    }
    assert answer["shared"] == ""
    assert answer["heartbeat"].startswith(
        "Relevant past experiences:\n\n- [note] The login breaks"
    )
    assert answer["main"].endswith(answer["heartbeat"])
    assert answer["main"].startswith("Long-term memory")
    assert len(answer["main"]) <= 400
    workspace, memory = open_memory(sandbox, "[memory]\ncap = 400")
    assert session_context(workspace, memory, query="login token") == memory_context(
        workspace, memory
    )
