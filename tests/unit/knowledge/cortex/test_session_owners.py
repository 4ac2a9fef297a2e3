"""A session keeps the user and the agent with which it was created; its memories are in
their folders.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    open_cortex_session,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.cortex_sessions import SessionOwners, checked_owners
from cuedeck.knowledge.cortex.message_file import parse_message
from cuedeck.model.cortex_address import CortexAddressError
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from conftest import Timeline

ANA = SessionOwners("ana", "reviewer")
SAID = "I prefer vim as my editor. Never push to main."
TIME = "2026-11-22T09:15:00Z"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def say(
    timeline: Timeline,
    text: str,
    owners: SessionOwners,
    role: str = "user",
    session: str = "",
    **options: Any,
) -> str:
    new = NewMessage(text, role, TIME, owners=owners, **options)
    added = add_message(timeline.sandbox.workspace(), new, session)
    return added.address.text


def ids(timeline: Timeline, session: str = "default") -> tuple[object, object]:
    data = json.loads(timeline.files()[f"session/{session}/.session.json"])
    return data["user_id"], data["agent_id"]


def made(receipt: dict[str, Any]) -> list[str]:
    return [each["address"] for each in receipt["made"]]


def test_a_call_names_the_user_and_the_agent_of_a_new_session(
    timeline: Timeline,
) -> None:
    first = say(timeline, SAID, ANA)
    answer = say(timeline, "Done.", ANA, role="assistant")
    assert ids(timeline) == ("ana", "reviewer")
    texts = [timeline.text(first), timeline.text(answer)]
    names = [parse_message(text).participants for text in texts]
    assert names == [("user/ana",), ("agent/reviewer",)]
    receipt = timeline.commit()
    assert made(receipt) == [
        "cortex://agent/reviewer/instructions/never-push-to-main.md",
        "cortex://user/ana/preferences/editor.md",
    ]
    assert (receipt["user_id"], receipt["agent_id"]) == ("ana", "reviewer")


def test_a_later_call_need_not_name_them(timeline: Timeline) -> None:
    open_cortex_session(
        timeline.sandbox.workspace(), "", SessionDetails("Login", owners=ANA)
    )
    address = timeline.say(SAID).address.text
    assert parse_message(timeline.text(address)).participants == ("user/ana",)
    assert made(timeline.commit())[1] == "cortex://user/ana/preferences/editor.md"


def test_a_session_keeps_its_ids_when_the_settings_change(timeline: Timeline) -> None:
    timeline.say(SAID)
    settings = '[cortex]\nuser = "ben"\nagent = "planner"\n'
    timeline.sandbox.write(".cuedeck/config.toml", settings)
    assert made(timeline.commit())[1] == "cortex://user/default/preferences/editor.md"
    timeline.say(SAID, session="new")
    assert made(timeline.commit("new"))[1] == "cortex://user/ben/preferences/editor.md"
    assert ids(timeline, "new") == ("ben", "planner")


@pytest.mark.parametrize(
    ("owners", "message"),
    [
        (SessionOwners("ben"), "session default belongs to user ana, not to ben"),
        (SessionOwners("", "x"), "session default belongs to agent reviewer, not to x"),
    ],
)
def test_other_ids_are_refused_and_change_nothing(
    timeline: Timeline, owners: SessionOwners, message: str
) -> None:
    say(timeline, SAID, ANA)
    before = timeline.files()
    workspace = timeline.sandbox.workspace()
    with pytest.raises(Invalid, match=message):
        say(timeline, "Hello.", owners)
    with pytest.raises(Invalid, match=message):
        commit_session(workspace, "", owners)
    with pytest.raises(Invalid, match=message):
        open_cortex_session(workspace, "", SessionDetails("Title", owners=owners))
    assert timeline.files() == before


def test_a_session_without_ids_gets_those_of_the_first_call(timeline: Timeline) -> None:
    say(timeline, SAID, ANA)
    path = ".cuedeck/cortex/session/default/.session.json"
    data = json.loads(timeline.sandbox.place(path).read_text())
    data["user_id"] = data["agent_id"] = None  # as cortex-mem writes it
    timeline.sandbox.write(path, json.dumps(data))
    receipt = commit_session(
        timeline.sandbox.workspace(), "", SessionOwners("zoe", "helper")
    )
    assert made(receipt) == [
        "cortex://agent/helper/instructions/never-push-to-main.md",
        "cortex://user/zoe/preferences/editor.md",
    ]
    assert ids(timeline) == ("zoe", "helper")


@pytest.mark.parametrize("data", [None, "{"])
def test_lost_metadata_get_the_ids_of_the_messages(
    timeline: Timeline, data: str | None
) -> None:
    say(timeline, SAID, ANA)
    say(timeline, "Done.", ANA, role="assistant")
    place = timeline.sandbox.place(".cuedeck/cortex/session/default/.session.json")
    place.unlink() if data is None else place.write_text(data)
    assert made(timeline.commit())[1] == "cortex://user/ana/preferences/editor.md"
    assert ids(timeline) == ("ana", "reviewer")


def test_two_spellings_of_one_id_are_the_same(timeline: Timeline) -> None:
    workspace = timeline.sandbox.workspace()
    upper = "7F1C2D3E-0000-4000-8000-123456789ABC"
    say(timeline, SAID, checked_owners(workspace.find_secrets, "jose\u0301", upper))
    say(
        timeline,
        SAID,
        checked_owners(workspace.find_secrets, "jos\u00e9", upper.lower()),
    )
    assert ids(timeline) == ("jos\u00e9", upper.lower())


@pytest.mark.parametrize(
    "identity",
    ["../x", "..", "a/b", "a\\b", ".git", "con", "a:b", "x" * 300, "a\0b", " ", "a "],
)
def test_an_id_that_can_be_no_folder_is_refused(
    timeline: Timeline, identity: str
) -> None:
    workspace = timeline.sandbox.workspace()
    with pytest.raises(CortexAddressError, match="the id of the user is not valid"):
        checked_owners(workspace.find_secrets, user=identity)
    with pytest.raises(CortexAddressError, match="the id of the agent is not valid"):
        checked_owners(workspace.find_secrets, agent=identity)


def test_an_id_that_contains_a_secret_is_refused(timeline: Timeline) -> None:
    with pytest.raises(Invalid, match="contains a secret"):
        checked_owners(timeline.sandbox.workspace().find_secrets, AWS)


def test_an_event_of_another_agent_is_a_message_of_that_agent(
    timeline: Timeline,
) -> None:
    say(timeline, SAID, ANA)
    other = SessionOwners(agent="plugin:planner")
    address = say(timeline, "Done.", other, role="assistant", is_event=True)
    assert parse_message(timeline.text(address)).participants == (
        "agent/plugin:planner",
    )
    assert ids(timeline) == ("ana", "reviewer")
