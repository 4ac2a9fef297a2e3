"""Recall of the cortex tree: messages, memories and resources."""

from __future__ import annotations

import os
from typing import Any

from sandbox import Sandbox

from cuedeck.context.search.read_address import read_address
from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.forget_memory import forget_memory
from cuedeck.knowledge.recall.memory_digest import memory_digest
from cuedeck.knowledge.recall.recall import recall
from cuedeck.knowledge.recall.sync_index import open_recall
from cuedeck.model.cortex_address import CortexAddress

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def say(sandbox: Sandbox, text: str, role: str = "user", second: int = 0) -> str:
    time = f"2026-11-22T09:{second // 60:02d}:{second % 60:02d}Z"
    new = NewMessage(text, role, time)
    return add_message(sandbox.workspace(), new, "s1").address.text


def hits_of(sandbox: Sandbox, query: str, **options: Any) -> list[dict[str, Any]]:
    hits: list[dict[str, Any]] = recall(sandbox.workspace(), query, **options)["hits"]
    return hits


def addresses_of(sandbox: Sandbox, query: str, **options: Any) -> list[str]:
    return [hit["address"] for hit in hits_of(sandbox, query, **options)]


def test_a_message_is_found_with_an_address_that_read_opens(sandbox: Sandbox) -> None:
    address = say(sandbox, "The zebra crossing is painted.\n\nSecond paragraph.")
    hit = hits_of(sandbox, "zebra crossing")[0]
    assert hit["kind"] == "cortex"
    assert hit["address"].startswith(f"{address}#L")
    assert hit["citation"] == hit["address"]
    assert hit["date"] == "2026-11-22"
    assert (sandbox.root / hit["path"]).is_file()
    read = read_address(sandbox.workspace(), hit["address"])
    assert read["text"] == "The zebra crossing is painted.\n"


def test_messages_are_filtered_by_kind_and_session(sandbox: Sandbox) -> None:
    say(sandbox, "The zebra is painted.")
    add_message(sandbox.workspace(), NewMessage("A zebra again."), "other")
    assert len(addresses_of(sandbox, "zebra", kinds=["cortex"])) == 2
    assert addresses_of(sandbox, "zebra", kinds=["record"]) == []
    (only,) = addresses_of(sandbox, "zebra", session="oth")
    assert only.startswith("cortex://session/other/")


def test_only_new_messages_are_read(sandbox: Sandbox) -> None:
    for second in range(20):
        say(sandbox, f"Message about topic{second} and zebra.", second=second)
    workspace = sandbox.workspace()
    recall(workspace, "zebra")
    index = open_recall(workspace).index(workspace)
    before = index.rows_written
    say(sandbox, "A last word about giraffes.", second=30)
    answer = recall(workspace, "giraffes")
    assert answer["hits"][0]["snippet"] == "A last word about giraffes."
    assert index.rows_written == before + 1
    recall(workspace, "giraffes")
    assert index.rows_written == before + 1


def test_a_message_that_sorts_before_known_ones_is_found(sandbox: Sandbox) -> None:
    say(sandbox, "Late giraffe.", second=30)
    assert len(addresses_of(sandbox, "giraffe")) == 1
    say(sandbox, "Early giraffe, says the clock.", second=10)
    assert len(addresses_of(sandbox, "giraffe")) == 2


def test_a_replaced_message_is_read_again(sandbox: Sandbox) -> None:
    address = say(sandbox, "The zebra is painted.")
    assert len(addresses_of(sandbox, "zebra")) == 1
    path = CortexAddress(tuple(address.split("/")[2:])).path
    place = sandbox.root / path
    changed = place.read_text().replace("zebra", "giraffe")
    fresh = place.with_name("new")
    fresh.write_text(changed)
    os.replace(fresh, place)
    assert addresses_of(sandbox, "zebra") == []
    assert len(addresses_of(sandbox, "giraffe")) == 1


def test_a_message_edited_in_place_is_read_again(sandbox: Sandbox) -> None:
    address = say(sandbox, "The zebra is painted.")
    place = sandbox.root / CortexAddress(tuple(address.split("/")[2:])).path
    assert len(addresses_of(sandbox, "zebra")) == 1
    place.write_text(place.read_text().replace("zebra", "okapi"))
    assert addresses_of(sandbox, "zebra") == []
    assert len(addresses_of(sandbox, "okapi")) == 1


def test_a_forgotten_message_is_not_found(sandbox: Sandbox) -> None:
    address = say(sandbox, "The zebra is painted.")
    say(sandbox, "The giraffe is not.", second=5)
    assert addresses_of(sandbox, "zebra") != []
    forget_memory(sandbox.workspace(), address)
    assert addresses_of(sandbox, "zebra", kinds=["cortex"]) == []
    assert len(addresses_of(sandbox, "giraffe")) == 1


def test_one_file_with_a_secret_masks_no_other(sandbox: Sandbox) -> None:
    for at, text in enumerate(("The zebra.", f"Zebra key {AWS} here.", "A zebra.")):
        sandbox.write(f".cuedeck/cortex/resources/guide/{at}.md", f"{text}\n")
    snippets = [hit["snippet"] for hit in hits_of(sandbox, "zebra")]
    assert sorted(snippets) == [
        "A zebra.",
        "The zebra.",
        "Zebra key <secret:aws-key> here.",
    ]


def test_memories_and_resources_are_found(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/cortex/resources/guide/animals.md", "# Zoo\n\nA zebra.\n")
    sandbox.write(".cuedeck/cortex/agent/bot/skills/paint.md", "Paint the zebra.\n")
    assert sorted(addresses_of(sandbox, "zebra")) == [
        "cortex://agent/bot/skills/paint.md#L1",
        "cortex://resources/guide/animals.md#L3",
    ]


def test_a_superseded_memory_is_not_found(sandbox: Sandbox) -> None:
    say(sandbox, "I prefer Vim for editing.")
    commit_session(sandbox.workspace(), "s1")
    assert len(addresses_of(sandbox, "vim", session="", kinds=["cortex"])) == 2
    say(sandbox, "I prefer Zed for editing.", second=59)
    commit_session(sandbox.workspace(), "s1")
    memories = [
        each
        for each in addresses_of(sandbox, "vim", kinds=["cortex"])
        if each.startswith("cortex://user/")
    ]
    assert memories == []
    found = addresses_of(sandbox, "zed", kinds=["cortex"])
    assert any(each.startswith("cortex://user/") for each in found)


def test_a_neighbour_of_a_match_is_part_of_the_conversation(sandbox: Sandbox) -> None:
    say(sandbox, "Where did you buy the zebra lamp?", "user", 1)
    say(sandbox, "In the small shop at the corner.", "assistant", 2)
    texts = [hit["snippet"] for hit in hits_of(sandbox, "where zebra lamp bought")]
    assert any("small shop" in text for text in texts)


def test_a_file_that_is_no_message_leaves_the_others_searchable(
    sandbox: Sandbox,
) -> None:
    address = say(sandbox, "The zebra is painted.")
    day = os.path.dirname(CortexAddress(tuple(address.split("/")[2:])).path)
    sandbox.write(f"{day}/09_59_00_ffffffff.md", "not a message about a zebra\n")
    assert len(addresses_of(sandbox, "zebra")) == 1


def test_a_digest_leaves_out_messages_and_has_memories(sandbox: Sandbox) -> None:
    say(sandbox, "I prefer Vim for editing configuration files.")
    commit_session(sandbox.workspace(), "s1")
    workspace = sandbox.workspace()
    workspace.refresh()
    digest = memory_digest(
        workspace, "Should I open Vim for editing configuration files?"
    )
    assert [line.kind for line in digest.lines] == ["cortex"]
    assert digest.lines[0].address.startswith("cortex://user/")


def test_edits_of_equal_size_and_time_are_found(sandbox: Sandbox) -> None:
    address = say(sandbox, "The zebra is painted.")
    path = CortexAddress(tuple(address.split("/")[2:])).path
    place = sandbox.place(path)
    before = place.stat()
    words = ("zebra", "gecko", "zorro", "dingo")
    for old, new in zip(words, words[1:], strict=False):
        assert len(addresses_of(sandbox, old)) == 1
        place.write_text(place.read_text().replace(old, new))
        os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert addresses_of(sandbox, old) == []
        assert len(addresses_of(sandbox, new)) == 1
