"""Forgetting deletes a text and the layers that may contain it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from cuedeck.knowledge.cortex.forget_memory import forget_memory
from cuedeck.model.cortex_address import CortexAddressError
from cuedeck.model.errors import Invalid, NotFound

if TYPE_CHECKING:
    from conftest import Timeline

EDITOR = "cortex://user/default/preferences/editor.md"
WORD = b"zebra"


def test_a_memory_is_deleted_with_its_layers(timeline: Timeline) -> None:
    message = timeline.say("I prefer zebra as my editor. Ana is our designer.")
    timeline.say("I prefer zebra as my editor. " + "So it is. " * 400)
    timeline.commit()
    before = timeline.files()
    layers = [name for name, data in before.items() if ".layers/" in name]
    assert layers
    workspace = timeline.sandbox.workspace()
    plan = forget_memory(workspace, EDITOR, dry_run=True)
    assert timeline.files() == before
    done = forget_memory(workspace, EDITOR)
    assert {**done, "dry_run": True} == plan
    assert plan["files"] == [".cuedeck/cortex/user/default/preferences/editor.md"]
    assert plan["layers"] and not plan["kept"]
    assert f"{message.address.text}#L9" in plan["sources"]
    above = [path for path in plan["layers"] if "/.layers/" not in path]
    assert plan["rebuilt"] == above
    assert all(timeline.sandbox.place(path).is_file() for path in above)
    left = [name for name, data in timeline.files().items() if WORD in data]
    assert left and all(name.startswith("session/") for name in left)
    assert timeline.commit()["made"] == []


def test_an_edited_layer_is_kept_and_listed(timeline: Timeline) -> None:
    timeline.say("I prefer zebra as my editor. Ana is our designer.")
    timeline.commit()
    path = ".cuedeck/cortex/user/default/.abstract.md"
    edited = timeline.sandbox.place(path).read_text() + "my own words\n"
    timeline.sandbox.write(path, edited)
    done = forget_memory(timeline.sandbox.workspace(), EDITOR)
    assert done["kept"] == [path]
    assert timeline.sandbox.place(path).read_text() == edited


def test_a_message_is_deleted_and_not_counted(timeline: Timeline) -> None:
    first = timeline.say("I prefer zebra as my editor.")
    timeline.say("Hello")
    timeline.commit()
    done = forget_memory(timeline.sandbox.workspace(), first.address.text)
    assert done["quoted_by"] == [EDITOR]
    forget_memory(timeline.sandbox.workspace(), EDITOR)
    files = timeline.files()
    assert not [name for name, data in files.items() if WORD in data]
    metadata = json.loads(files["session/default/.session.json"])
    assert (metadata["message_count"], metadata["last_seq"]) == (1, 2)
    assert timeline.say("more").seq == 3


def test_the_last_message_is_deleted(timeline: Timeline) -> None:
    timeline.say("Hello")
    last = timeline.say("zebra")
    forget_memory(timeline.sandbox.workspace(), last.address.path)
    assert timeline.say("more").seq == 3
    metadata = json.loads(timeline.files()["session/default/.session.json"])
    assert metadata["message_count"] == 2


def test_a_session_is_deleted(timeline: Timeline) -> None:
    timeline.say("Hello", session="one")
    timeline.say("Hello", session="other")
    forget_memory(timeline.sandbox.workspace(), "cortex://session/one")
    owners = {name.split("/")[1] for name in timeline.files() if "/" in name}
    assert owners - {".abstract.md", ".overview.md"} == {"other"}


@pytest.mark.parametrize(
    ("address", "error"),
    [
        ("cortex://user", Invalid),
        ("cortex://user/default/preferences/none.md", NotFound),
        ("cortex://user/../../cards", CortexAddressError),
        ("docs/readme.md", CortexAddressError),
    ],
)
def test_other_addresses_are_refused(
    timeline: Timeline, address: str, error: type[Exception]
) -> None:
    timeline.say("Hello")
    before = timeline.files()
    with pytest.raises(error):
        forget_memory(timeline.sandbox.workspace(), address)
    assert timeline.files() == before
