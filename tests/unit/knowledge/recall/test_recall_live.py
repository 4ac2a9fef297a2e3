"""A server that follows file events walks the cortex tree once; no edit is missed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox import Sandbox, until

from cuedeck.engine.server.live_workspace import LiveWorkspace
from cuedeck.engine.workspace_at import open_ledgers
from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.recall.cortex_sources import CortexSources
from cuedeck.knowledge.recall.recall import recall
from cuedeck.store.workspace_paths import WorkspacePaths

GUIDE = ".cuedeck/cortex/resources/guide/"
FILES = 30


class Server:
    """A workspace that follows file events."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        paths = WorkspacePaths(str(sandbox.root))
        self.workspace = LiveWorkspace(paths, {}, open_ledgers, lambda: None)
        assert self.workspace.follow()

    def search(self, word: str) -> list[str]:
        """Return the files with a word."""
        self.workspace.begin_call()
        hits = recall(self.workspace, word, kinds=("cortex",), limit=50)["hits"]
        paths = dict.fromkeys(hit["path"] for hit in hits)
        return [path.removeprefix(".cuedeck/cortex/") for path in paths]

    @property
    def walks(self) -> int:
        return self.workspace.cached(CortexSources).walks

    def settle(self) -> int:
        """Search until the tree is not walked again; return the number of walks."""

        def is_settled() -> bool:
            self.search("note")
            before = self.walks
            self.search("note")
            return self.walks == before

        until(is_settled)
        return self.walks


@pytest.fixture
def server(sandbox: Sandbox) -> Iterator[Server]:
    for number in range(FILES):
        text = f"# Note {number}\n\nThe zebra has stripes.\n"
        sandbox.write(f"{GUIDE}note-{number:02}.md", text)
    server = Server(sandbox)
    yield server
    server.workspace.close()


def edit(place: Path, old: str, new: str) -> None:
    """Change a file in place; its size and its time of modification stay the same."""
    before = place.stat()
    text = place.read_text()
    assert len(old) == len(new)
    assert old in text
    place.write_text(text.replace(old, new))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_the_tree_is_walked_once(server: Server) -> None:
    walks = server.settle()
    for number in range(FILES):
        assert len(server.search(f"zebra {number}")) == FILES
    assert server.walks == walks


def test_an_edit_of_equal_size_and_time_is_found(server: Server) -> None:
    walks = server.settle()
    place = server.sandbox.place(f"{GUIDE}note-07.md")
    for old, new in (("zebra", "gecko"), ("gecko", "zorro"), ("zorro", "gecko")):
        edit(place, old, new)
        assert server.search(new) == ["resources/guide/note-07.md"]
    assert len(server.search("zebra")) == FILES - 1
    assert server.walks == walks


def test_new_deleted_and_renamed_files_are_followed(server: Server) -> None:
    server.settle()
    server.sandbox.write(f"{GUIDE}new.md", "A walrus.\n")
    assert server.search("walrus") == ["resources/guide/new.md"]
    place = server.sandbox.place(f"{GUIDE}new.md")
    place.rename(place.with_name("other.md"))
    assert server.search("walrus") == ["resources/guide/other.md"]
    place.with_name("other.md").unlink()
    assert server.search("walrus") == []
    folder = server.sandbox.place(GUIDE)
    folder.rename(folder.with_name("manual"))
    assert server.search("zebra")[0].startswith("resources/manual/note-")
    edit(folder.with_name("manual") / "note-03.md", "zebra", "gecko")
    assert server.search("gecko") == ["resources/manual/note-03.md"]
    shutil.rmtree(server.sandbox.place(".cuedeck/cortex"))
    assert server.search("zebra") == []
    server.sandbox.write(f"{GUIDE}note-01.md", "The zebra is back.\n")
    assert server.search("zebra") == ["resources/guide/note-01.md"]


def test_a_file_that_becomes_a_link_is_not_read(server: Server) -> None:
    server.settle()
    place = server.sandbox.place(f"{GUIDE}note-07.md")
    outside = server.sandbox.write("outside.txt", "A walrus.\n")
    place.unlink()
    place.symlink_to(outside)
    assert server.search("walrus") == []
    assert len(server.search("zebra")) == FILES - 1


def test_messages_are_followed(server: Server) -> None:
    def say(text: str, second: int) -> str:
        time = f"2026-11-22T09:15:{second:02}Z"
        workspace = server.sandbox.workspace()
        added = add_message(workspace, NewMessage(text, time=time), "s1")
        return added.address.path.removeprefix(".cuedeck/cortex/")

    first = say("A walrus.", 0)
    assert server.search("walrus") == [first]
    walks = server.settle()
    second = say("The walrus again.", 1)
    assert sorted(server.search("walrus")) == [first, second]
    edit(server.sandbox.place(f".cuedeck/cortex/{first}"), "walrus", "tarsus")
    assert server.search("tarsus")[0] == first
    assert server.search("walrus")[0] == second
    assert server.walks == walks
    server.sandbox.place(f".cuedeck/cortex/{second}").unlink()
    assert second not in server.search("walrus")


def test_an_index_that_another_process_wrote_is_not_trusted(server: Server) -> None:
    server.settle()
    edit(server.sandbox.place(f"{GUIDE}note-07.md"), "zebra", "gecko")
    other = recall(server.sandbox.workspace(), "gecko", kinds=("cortex",))
    assert len(other["hits"]) == 1
    assert server.search("gecko") == ["resources/guide/note-07.md"]
    place = server.workspace.paths.recall_index
    Path(place).unlink()
    assert server.search("gecko") == ["resources/guide/note-07.md"]
    assert len(server.search("zebra")) == FILES - 1


def test_a_change_that_no_call_has_read_is_not_lost(server: Server) -> None:
    server.settle()
    workspace = server.workspace
    edit(server.sandbox.place(f"{GUIDE}note-07.md"), "zebra", "gecko")
    workspace.begin_call()
    assert workspace.take_cortex_changes() is None
    workspace.refresh()
    assert server.search("gecko") == ["resources/guide/note-07.md"]


def test_a_workspace_without_events_walks_each_time(sandbox: Sandbox) -> None:
    sandbox.write(f"{GUIDE}note.md", "The zebra has stripes.\n")
    workspace = sandbox.workspace()
    for text in ("zebra", "gecko", "zebra"):
        sandbox.write(f"{GUIDE}note.md", f"The {text} has stripes.\n")
        assert len(recall(workspace, text, kinds=("cortex",))["hits"]) == 1
    assert workspace.cached(CortexSources).walks == 3
