"""Messages are written masked, in order, each once, and none is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.knowledge.cortex.add_message import (
    MAX_BYTES,
    MessageSource,
    NewMessage,
    add_message,
)
from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    open_cortex_session,
    set_cortex_status,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.message_file import parse_message
from cuedeck.model.errors import Invalid, NotFound, TooLong

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
SESSION = ".cuedeck/cortex/session/default"
METADATA = f"{SESSION}/.session.json"
_ADD = """
import sys
from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.engine.open_workspace import open_workspace

for number in range(150):
    workspace = open_workspace(sys.argv[1], {})
    print(add_message(workspace, NewMessage(f"{sys.argv[2]} {number}")).seq)
"""


def add(sandbox: Sandbox, text: str, session: str = "", **words: object) -> str:
    new = NewMessage(text, **words)  # type: ignore[arg-type]
    return add_message(sandbox.workspace(), new, session).address.text


def place(sandbox: Sandbox, address: str) -> Path:
    return sandbox.place(address.replace("cortex://", ".cuedeck/cortex/"))


def metadata(sandbox: Sandbox, path: str = METADATA) -> dict[str, object]:
    found: dict[str, object] = json.loads(sandbox.place(path).read_text())
    return found


def seqs(sandbox: Sandbox) -> list[int]:
    files = sandbox.place(f"{SESSION}/timeline").rglob("[0-9]*.md")
    return sorted(parse_message(file.read_text()).seq for file in files)


def test_a_message_is_a_file_of_its_day(sandbox: Sandbox) -> None:
    address = add(sandbox, "Hello\n\nworld", time="2026-11-22T09:15:00Z")
    identity = sha256(b"default\0001\000user\000Hello\n\nworld").hexdigest()[:8]
    assert address == (
        f"cortex://session/default/timeline/2026-11/22/09_15_00_{identity}.md"
    )
    message = parse_message(place(sandbox, address).read_text())
    assert (message.id, message.role, message.seq, message.time, message.content) == (
        identity,
        "user",
        1,
        "2026-11-22T09:15:00Z",
        "Hello\n\nworld",
    )
    if os.name == "posix":
        assert place(sandbox, address).stat().st_mode & 0o777 == 0o600


def test_metadata_describe_the_session(sandbox: Sandbox) -> None:
    add(sandbox, "Hello")
    add(sandbox, "Hi", role="assistant")
    add(sandbox, "Started", role="system")
    found = metadata(sandbox)
    assert (found["thread_id"], found["status"], found["message_count"]) == (
        "default",
        "active",
        3,
    )
    assert found["participants"] == ["user/default", "agent/default"]
    assert (found["user_id"], found["agent_id"]) == ("default", "default")
    assert (found["last_seq"], found["commits"]) == (3, [])


def test_control_characters_are_replaced(sandbox: Sandbox) -> None:
    address = add(sandbox, "nul\0 escape\x1b[2J bell\x07 next\x85\ttab\r\nend\n")
    assert (
        place(sandbox, address)
        .read_bytes()
        .endswith(
            "nul\ufffd escape\ufffd[2J bell\ufffd next\ufffd\ttab\r\nend\n".encode()
        )
    )
    with pytest.raises(TooLong):
        add(sandbox, "\0" * (MAX_BYTES // 2))


@pytest.mark.parametrize("identity", [AWS, f"work/{AWS}", "ghp_" + "aB3" * 12])
def test_a_session_id_with_a_secret_is_refused(sandbox: Sandbox, identity: str) -> None:
    workspace = sandbox.workspace()
    for refused in (
        lambda: add(sandbox, "Hello", identity),
        lambda: open_cortex_session(workspace, identity),
        lambda: set_cortex_status(workspace, identity, "closed"),
        lambda: commit_session(workspace, identity),
    ):
        with pytest.raises(Invalid) as caught:
            refused()
        assert "secret" in caught.value.message
        assert identity not in f"{caught.value.message} {caught.value.hint}"
    assert not sandbox.place(".cuedeck/cortex/session").exists()


def test_the_number_orders_messages_of_two_time_zones(sandbox: Sandbox) -> None:
    first = add(sandbox, "one", time="2026-11-22T23:30:00-05:00")
    second = add(sandbox, "two", time="2026-11-23T01:00:00+09:00")
    assert "/2026-11/23/04_30_00_" in first
    assert "/2026-11/22/16_00_00_" in second
    messages = [
        parse_message(place(sandbox, each).read_text()) for each in (first, second)
    ]
    assert [message.seq for message in messages] == [1, 2]
    assert messages[0].time == "2026-11-22T23:30:00-05:00"


@pytest.mark.parametrize(
    "time", ["noon", "2026-11-22T09:15:00", "2026-11-22", "2026-13-01T00:00:00Z"]
)
def test_a_time_without_a_zone_is_refused(sandbox: Sandbox, time: str) -> None:
    with pytest.raises(Invalid) as caught:
        add(sandbox, "Hello", time=time)
    assert "2026-11-22T09:15:00Z" in caught.value.hint


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_an_empty_message_is_refused(sandbox: Sandbox, text: str) -> None:
    with pytest.raises(Invalid, match="needs a text"):
        add(sandbox, text)
    assert not sandbox.place(".cuedeck/cortex").exists()


def test_an_unknown_role_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(Invalid, match="`boss` is not a role"):
        add(sandbox, "Hello", role="boss")


def test_a_message_of_50_megabytes_is_refused(sandbox: Sandbox) -> None:
    for text in ("x" * 50_000_000, "é" * (MAX_BYTES // 2 + 1)):
        with pytest.raises(TooLong, match="at most 1,000,000 bytes"):
            add(sandbox, text)
    assert not sandbox.place(".cuedeck/cortex").exists()
    add(sandbox, "x" * MAX_BYTES)


def test_text_without_control_characters_is_kept_byte_for_byte(
    sandbox: Sandbox,
) -> None:
    texts = ["---\nid: x\n---\n", "a\r\nb\r", " \t ~ ", "\ufeffx", "日本\u2028語"]
    for text in texts:
        data = place(sandbox, add(sandbox, text)).read_bytes()
        assert parse_message(data.decode()).content == text
    lone = place(sandbox, add(sandbox, "a\ud800b")).read_bytes()
    assert lone.endswith(b"a?b")


@pytest.mark.parametrize("identity", ["../../x", "a/b", "con", "x" * 300, "a\0b"])
def test_an_unsafe_session_id_is_hashed(sandbox: Sandbox, identity: str) -> None:
    address = add(sandbox, "Hello", identity)
    name = sha256(identity.encode()).hexdigest()
    assert address.startswith(f"cortex://session/{name}/timeline/")
    found = metadata(sandbox, f".cuedeck/cortex/session/{name}/.session.json")
    assert (found["thread_id"], found["original_id"]) == (name, identity)


def test_a_message_reopens_a_closed_session(sandbox: Sandbox) -> None:
    add(sandbox, "Hello")
    workspace = sandbox.workspace()
    closed = set_cortex_status(workspace, "", "closed")
    assert (closed["status"], bool(closed["closed_at"])) == ("closed", True)
    before = sandbox.bytes()
    assert set_cortex_status(workspace, "", "closed") == closed
    assert sandbox.bytes() == before
    add(sandbox, "again")
    assert (metadata(sandbox)["status"], metadata(sandbox)["closed_at"]) == (
        "active",
        None,
    )


def test_an_archived_session_takes_no_message(sandbox: Sandbox) -> None:
    add(sandbox, "Hello")
    workspace = sandbox.workspace()
    archived = set_cortex_status(workspace, "default", "archived")
    assert archived["status"] == "archived"
    assert set_cortex_status(workspace, "default", "archived") == archived
    with pytest.raises(Invalid, match="is archived") as caught:
        add(sandbox, "again")
    assert "`cuedeck cortex open default`" in caught.value.hint
    with pytest.raises(Invalid, match="is archived"):
        set_cortex_status(workspace, "", "closed")
    assert seqs(sandbox) == [1]
    assert open_cortex_session(workspace)["status"] == "active"
    add(sandbox, "again")
    assert seqs(sandbox) == [1, 2]


def test_details_are_set_and_kept(sandbox: Sandbox) -> None:
    workspace = sandbox.workspace()
    details = SessionDetails("Fix\nlogin", "of the form", ("auth", "web"), ("ana",))
    made = open_cortex_session(workspace, "s1", details)
    assert made["created"]
    again = open_cortex_session(workspace, "s1", SessionDetails(tags=("web", "new")))
    assert not again["created"]
    assert (again["title"], again["description"]) == ("Fix login", "of the form")
    assert again["tags"] == ["auth", "web", "new"]
    before = sandbox.bytes()
    assert open_cortex_session(workspace, "s1") == again
    assert sandbox.bytes() == before
    with pytest.raises(TooLong):
        open_cortex_session(workspace, "s1", SessionDetails("x" * 2_001))


def test_an_unknown_session_is_not_closed(sandbox: Sandbox) -> None:
    add(sandbox, "Hello")
    for status in ("closed", "archived"):
        with pytest.raises(NotFound, match="there is no session other") as caught:
            set_cortex_status(sandbox.workspace(), "other", status)
        assert caught.value.candidates == ("default",)
    assert not sandbox.place(".cuedeck/cortex/session/other").exists()


def test_a_repetition_of_one_source_is_one_message(sandbox: Sandbox) -> None:
    one, other = MessageSource("claude/1", "t1"), MessageSource("claude/2", "t1")
    first = add(sandbox, "go on", source=one)
    before = sandbox.bytes()
    assert add(sandbox, "go on", source=one) == first
    assert sandbox.bytes() == before
    add(sandbox, "go on", source=other)
    add(sandbox, "go on", source=MessageSource("claude/1", "t2"))
    add(sandbox, "Done.", role="assistant", source=one)
    add(sandbox, "go on", source=one)
    add(sandbox, "go on")
    add(sandbox, "go on")
    assert seqs(sandbox) == [1, 2, 3, 4, 5, 6, 7]


def test_a_repetition_of_a_deleted_message_is_written(sandbox: Sandbox) -> None:
    source = MessageSource("claude/1")
    address = add(sandbox, "go on", source=source)
    add(sandbox, "other")
    place(sandbox, address).unlink()
    assert add(sandbox, "go on", source=source) != address


def test_a_message_that_was_only_announced_is_taken_back(sandbox: Sandbox) -> None:
    source = MessageSource("claude/1")
    add(sandbox, "one")
    address = add(sandbox, "two", source=source)
    place(sandbox, address).unlink()  # as if the process had died before it
    add(sandbox, "two", source=source)
    assert seqs(sandbox) == [1, 2]
    assert metadata(sandbox)["message_count"] == 2


@pytest.mark.parametrize("content", [None, b"", b"{", b'{"status": "odd"}', b"\xff"])
def test_lost_metadata_are_computed_from_the_messages(
    sandbox: Sandbox, content: bytes | None
) -> None:
    for number in range(3):
        add(sandbox, f"{number}", time=f"2026-11-2{number}T09:00:00Z")
    kept = metadata(sandbox)
    if content is None:
        sandbox.place(METADATA).unlink()
    else:
        sandbox.place(METADATA).write_bytes(content)
    add(sandbox, "more", time="2026-11-22T10:00:00Z")
    found = metadata(sandbox)
    assert seqs(sandbox) == [1, 2, 3, 4]
    assert (found["message_count"], found["created_at"]) == (4, "2026-11-20T09:00:00Z")
    assert found["participants"] == kept["participants"]
    assert found["uncommitted_days"] == ["2026-11/20", "2026-11/21", "2026-11/22"]
    aside = sandbox.place(f"{METADATA}.corrupt")
    assert (aside.read_bytes() if aside.exists() else None) == content


@pytest.mark.slow
def test_two_processes_lose_none_of_300_messages(sandbox: Sandbox) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _ADD, str(sandbox.root), name],
            env=sandbox.environ,
            stdout=subprocess.PIPE,
        )
        for name in ("one", "other")
    ]
    outputs = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    numbers = sorted(int(number) for output in outputs for number in output)
    assert numbers == list(range(1, 301))
    assert seqs(sandbox) == numbers
    assert metadata(sandbox)["message_count"] == 300
