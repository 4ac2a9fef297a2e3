"""A running server uses settings and files outside the workspace as they are now."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp_client import McpClient, connect_over_stdio
from sandbox import Sandbox, until

CONFIG = ".cuedeck/config.toml"
OLD = "2026-01-10T10:00:00.000Z"
NEW = "2026-11-20T10:00:00.000Z"


def record(text: str, identity: str, at: str) -> str:
    provenance = {"timestamp": at, "sensitivity": "public"}
    return f"- {json.dumps({'id': identity, 'text': text, 'provenance': provenance})}\n"


@pytest.fixture
def home(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "title: Boiler", "status: active", body="Repair it.")
    sandbox.activate("aaaaaa")
    sandbox.write(
        ".cuedeck/MEMORY.md",
        record("The boiler was repaired by Nadia", "old", OLD)
        + record("Deploys go out on Fridays", "deploys", NEW),
    )
    return sandbox


@pytest.fixture
def notes(home: Sandbox) -> Path:
    """An empty folder outside the workspace."""
    folder = home.root.parent / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def server(home: Sandbox) -> Iterator[McpClient]:
    """A server in its own process, next to a watcher in another one."""
    watcher = home.start("watch", "--json")
    assert watcher.stdout is not None
    assert watcher.stderr is not None
    try:
        while b'"ready"' not in watcher.stdout.readline():
            pass
        with connect_over_stdio(home) as client:
            yield client
    finally:
        watcher.kill()
        watcher.communicate()


@pytest.fixture
def reader(home: Sandbox, notes: Path) -> Iterator[McpClient]:
    """A server that also searches the folder outside the workspace."""
    environ = {**home.environ, "CUEDECK_FILES__EXTRA": str(notes)}
    with connect_over_stdio(home, environ=environ) as client:
        yield client


def addresses(client: McpClient, query: str, **options: Any) -> list[str]:
    found = client.recall(query=query, **options)
    return [hit["address"] for hit in found["hits"]]


def age_factor(client: McpClient) -> float:
    """Return the factor by which the age of the old record lowers its score."""
    (hit,) = client.recall(query="boiler repaired", kind="record", explain=True)["hits"]
    found = re.search(r"\bage ([\d.e-]+)", hit["why"])
    return float(found[1]) if found else 1.0


def test_the_next_search_uses_new_settings(home: Sandbox, server: McpClient) -> None:
    assert age_factor(server) == 1
    factors = []
    for days in (36_500, 30, 7):
        home.write(CONFIG, f"[recall]\nhalf_life_days = {days}\n")
        factors.append(age_factor(server))
    assert 1 > factors[0] > factors[1] > factors[2]
    home.write(CONFIG, "[recall]\nhalf_life_days = 0\n")
    assert age_factor(server) == 1

    assert addresses(server, "furnace") == []
    home.write(CONFIG, '[recall]\nsynonyms = ["furnace boiler"]\n')
    assert "record:old" in addresses(server, "furnace")
    home.write(CONFIG, '[recall]\ncitations = "off"\n')
    assert all(
        "#L" not in hit["place"] for hit in server.recall(query="boiler")["hits"]
    )
    home.place(CONFIG).unlink()
    assert addresses(server, "furnace") == []


def test_a_watcher_keeps_its_scene(home: Sandbox, server: McpClient) -> None:
    home.write(CONFIG, "[scene]\nbudget = 700\n")
    until(lambda: "limit 700" in home.scene.read_text(), "the new limit")
    before = home.scene.read_bytes()
    home.write(CONFIG, "[scene\n")
    server.fails("scene")
    assert home.scene.read_bytes() == before
    home.write(CONFIG, "[scene]\nbudget = 900\n")
    until(lambda: "limit 900" in home.scene.read_text(), "the corrected limit")


def test_folders_outside_are_followed_at_any_depth(
    notes: Path, reader: McpClient
) -> None:
    assert addresses(reader, "walrus") == []
    deep = notes / "trips/2025/north"
    deep.mkdir(parents=True)
    (deep / "sea.md").write_text("The walrus of Svalbard.\n")
    address = "extra:notes/trips/2025/north/sea.md#L1"
    assert addresses(reader, "walrus") == [address]
    assert reader.ok("read", address=address) == "The walrus of Svalbard.\n"

    (deep / "sea.md").write_text("The puffin of Iceland.\n")
    assert addresses(reader, "walrus") == []
    assert addresses(reader, "puffin") == [address]
    with (deep / "sea.md").open("a") as file:
        file.write("\nThe heron of Vigo.\n")
    assert addresses(reader, "heron") == ["extra:notes/trips/2025/north/sea.md#L3"]

    (deep.parent / "north").rename(notes / "moved")
    assert addresses(reader, "puffin") == ["extra:notes/moved/sea.md#L1"]
    (notes / "moved/sea.jsonl").write_text('{"text": "a gannet"}\n')
    assert addresses(reader, "gannet") == []
    shutil.rmtree(notes / "moved")
    assert addresses(reader, "puffin") == []


def test_a_folder_outside_may_appear_later(notes: Path, reader: McpClient) -> None:
    notes.rmdir()
    found = reader.recall(query="walrus")
    assert found["hits"] == []
    assert found["notes"] == [f"files.extra: {notes} does not exist"]
    notes.mkdir()
    (notes / "sea.md").write_text("The walrus of Svalbard.\n")
    assert addresses(reader, "walrus") == ["extra:notes/sea.md#L1"]


def test_a_search_keeps_the_last_valid_settings(
    home: Sandbox, server: McpClient
) -> None:
    home.write(CONFIG, '[recall]\nsynonyms = ["furnace boiler"]\n')
    assert "record:old" in addresses(server, "furnace")
    for broken in ("[recall\n", "[recall]\nhalf_life_days = -1\n"):
        home.write(CONFIG, broken)
        found = server.recall(query="furnace")
        assert "record:old" in [hit["address"] for hit in found["hits"]]
        (note,) = found["notes"]
        assert note.startswith("the last valid settings are used: .cuedeck/config.toml")
        digest = server.ok("memory_context", message="Who repaired the boiler?")
        assert digest["notes"] == [note]
        assert server.fails("scene")["code"] == 1012, "no scene of outdated settings"
    assert home.run("recall", "furnace").code == 4, "a command has no older settings"
    home.write(CONFIG, "")
    found = server.recall(query="furnace")
    assert (found["hits"], found["notes"]) == ([], [])
    server.ok("scene")


def test_settings_that_are_invalid_from_the_start_are_refused(home: Sandbox) -> None:
    home.write(CONFIG, "[recall\n")
    with connect_over_stdio(home) as client:
        assert client.fails("recall", query="boiler")["code"] == 1012
        home.write(CONFIG, "")
        assert "record:old" in addresses(client, "boiler")
