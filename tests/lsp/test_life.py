"""Life of the language server: saves, writers, folders, clients, crashes, bad input."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from subprocess import DEVNULL
from typing import Any

import pytest
from editor import Editor, editing
from lsprotocol import types
from pygls.uris import from_fs_path
from sandbox import Sandbox, until

pytestmark = pytest.mark.asyncio(loop_scope="session")

CARD = ".cuedeck/cards/one.md"


async def scene_with(sandbox: Sandbox, words: str) -> None:
    def has_words() -> bool:
        return sandbox.scene.exists() and words in sandbox.scene.read_text("utf-8")

    await asyncio.to_thread(until, has_words, words)


async def test_a_save_rebuilds_the_scene(editor: Editor, filled: Sandbox) -> None:
    there = editor.in_folder(filled.root)
    text = there.open(CARD)
    there.save(CARD, f"{text}\nexpired tokens\n")
    await scene_with(filled, "expired tokens")
    ok = filled.run("scene", "--verify")
    assert ok.code == 0, ok


async def test_a_running_watcher_keeps_the_role_of_the_writer(
    editor: Editor, filled: Sandbox
) -> None:
    watcher = filled.start("watch", stdout=DEVNULL, stderr=DEVNULL)
    await scene_with(filled, "verify 🙂 tokens")
    there = editor.in_folder(filled.root)
    text = there.open(CARD)
    await there.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, CARD)
    watcher.send_signal(signal.SIGSTOP)
    try:
        there.save(CARD, f"{text}\nsecond thoughts\n")
        await there.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, CARD)
        assert "second thoughts" not in filled.scene.read_text("utf-8")
    finally:
        watcher.send_signal(signal.SIGCONT)
    await scene_with(filled, "second thoughts")
    watcher.kill()
    watcher.wait(20)


async def test_pushed_diagnostics_follow_the_text_and_other_files(
    filled: Sandbox,
) -> None:
    """A client of Neovim 0.7 pulls no diagnostics; after kill -9 a new server has the
    same answers.
    """
    for _ in range(2):
        async with editing(filled.root, filled.environ, "neovim@v0.7") as editor:
            text = editor.open(CARD)
            editor.change(CARD, text.replace("#Login flow\n", "#Logn flow\n"))
            (dead,) = await editor.pushed(CARD, bool)
            assert (dead.code, dead.range.start.line) == ("dead-anchor", 6)
            editor.change(CARD, text)
            await editor.pushed(CARD, lambda found: not found)
            auth = filled.place("docs/auth.md")
            before = auth.read_text()
            auth.write_text(before.replace("Login flow", "Sign in"))
            found = await editor.pushed(CARD, bool)
            assert {each.code for each in found} == {"dead-anchor"}
            auth.write_text(before)
            server: Any = editor.client._server
            editor.client._stop_event.set()
            server.kill()
            await server.wait()


async def test_two_folders(editor: Editor, filled: Sandbox, tmp_path: Path) -> None:
    """Documents of each folder see their own workspace, through a link as well."""
    other = tmp_path / "other"
    (other / ".cuedeck/cards").mkdir(parents=True)
    (other / "docs").mkdir()
    (other / "docs/auth.md").write_text("[[far]]\n")
    (other / "docs/far.md").write_text("# Far\n")
    linked = tmp_path / "a link"
    linked.symlink_to(other)
    added = types.WorkspaceFolder(from_fs_path(str(linked)) or "", "link")
    event = types.WorkspaceFoldersChangeEvent(added=[added], removed=[])
    editor.client.workspace_did_change_workspace_folders(
        types.DidChangeWorkspaceFoldersParams(event)
    )
    for root, needle, target in (
        (linked, "far", "docs/far.md"),
        (filled.root, "limits", "docs/limits.md"),
    ):
        there = editor.in_folder(root)
        text = there.open("docs/auth.md")
        found = await there.at(
            types.TEXT_DOCUMENT_DEFINITION, "docs/auth.md", text, f"[{needle}"
        )
        assert found.uri == there.uri(target)


async def test_a_deleted_file_and_a_file_outside(
    editor: Editor, filled: Sandbox, tmp_path: Path
) -> None:
    there = editor.in_folder(filled.root)
    text = there.open("docs/limits.md")
    filled.place("docs/limits.md").unlink()
    found = await there.at(
        types.TEXT_DOCUMENT_DEFINITION, "docs/limits.md", text, "auth#"
    )
    assert there.path_of(found.uri) == "docs/auth.md"
    (tmp_path / "outside.md").write_text("[[auth]]\n")
    outside = editor.in_folder(tmp_path)
    text = outside.open("outside.md")
    nothing = await outside.at(types.TEXT_DOCUMENT_HOVER, "outside.md", text, "[auth")
    assert nothing is None


@pytest.mark.parametrize("uri", ["untitled:One", "file:///c%3A/work/a.md", "git:/a.md"])
async def test_documents_without_a_place_on_this_machine(
    editor: Editor, uri: str
) -> None:
    item = types.TextDocumentItem(uri, "markdown", 1, "[[auth]]")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    params = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 3))
    assert await editor.send(types.TEXT_DOCUMENT_HOVER, params) is None


async def test_broken_settings_stop_nothing(editor: Editor, filled: Sandbox) -> None:
    there = editor.in_folder(filled.root)
    text = there.open(CARD)
    await there.ask(types.TEXT_DOCUMENT_DIAGNOSTIC, CARD)
    filled.write(".cuedeck/config.toml", "[scene\n")
    found = await there.at(types.TEXT_DOCUMENT_DEFINITION, CARD, text, "src/auth.py")
    assert there.path_of(found.uri) == "src/auth.py"


async def test_secrets_are_masked(editor: Editor, filled: Sandbox) -> None:
    key = "AKIA" + "Q4TZ7WPL2MXRB5CD"
    filled.write("docs/keys.md", f"# Keys\n\nThe key is {key}.\n")
    there = editor.in_folder(filled.root)
    text = there.open("docs/new.md", "[[keys]]\n")
    found = await there.at(types.TEXT_DOCUMENT_HOVER, "docs/new.md", text, "keys")
    assert "The key is <secret:" in found.contents.value
    assert key not in found.contents.value


async def test_commands_change_the_status(editor: Editor, filled: Sandbox) -> None:
    there = editor.in_folder(filled.root)
    for command, path, status in (
        ("cuedeck.activate", ".cuedeck/cards/two.md", "active"),
        ("cuedeck.done", CARD, "done"),
    ):
        params = types.ExecuteCommandParams(command, [there.uri(path)])
        await there.send(types.WORKSPACE_EXECUTE_COMMAND, params)
        assert f"status: {status}\n" in filled.place(path).read_text()
    assert filled.place(".cuedeck/active").read_text() == "two\n"


async def test_a_client_gets_only_what_it_announced(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """A client without capabilities has no features, and is offered `init` in a folder
    without a workspace.
    """
    async with editing(tmp_path, sandbox.environ, types.ClientCapabilities()) as editor:
        capabilities = editor.initialised.capabilities
        assert capabilities.completion_provider is None
        assert capabilities.inlay_hint_provider is None
        while not editor.client.messages:
            await editor.client.wait_for_notification(types.WINDOW_SHOW_MESSAGE)
        (message,) = editor.client.messages
        assert "`cuedeck init` creates one" in message.message
        editor.open("a.md", "# A\n")
    assert not (tmp_path / ".cuedeck").exists()


async def test_a_workspace_is_created_on_request(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """The editor asks the person, who agrees."""
    root = tmp_path / "project"
    root.mkdir()
    announced = types.ClientCapabilities(
        window=types.WindowClientCapabilities(
            show_message=types.ShowMessageRequestClientCapabilities()
        )
    )
    agreed = {types.WINDOW_SHOW_MESSAGE_REQUEST: types.MessageActionItem("Create it")}
    async with editing(root, sandbox.environ, announced, answers=agreed):
        config = root / ".cuedeck/config.toml"
        await asyncio.to_thread(until, config.exists, "a workspace")


async def test_the_first_index_has_progress(editor: Editor) -> None:
    def has_ended() -> bool:
        reports = editor.client.progress_reports.values()
        return any(rows and rows[-1].kind == "end" for rows in reports)

    while not has_ended():
        await asyncio.wait_for(editor.client.wait_for_notification("$/progress"), 20)


async def test_cancelled_requests_stop_nothing(editor: Editor, filled: Sandbox) -> None:
    there = editor.in_folder(filled.root)
    text = there.open(CARD)
    protocol = editor.client.protocol
    identity = types.TextDocumentIdentifier(there.uri(CARD))
    params = types.DocumentSymbolParams(identity)
    waiting = []
    for number in range(20):
        asked = protocol.send_request_async(
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, params, msg_id=f"cancelled-{number}"
        )
        waiting.append(asked)
        protocol.notify(types.CANCEL_REQUEST, types.CancelParams(f"cancelled-{number}"))
    ended = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 20)
    assert len(ended) == 20
    found = await there.at(types.TEXT_DOCUMENT_DEFINITION, CARD, text, "src/auth.py")
    assert there.path_of(found.uri) == "src/auth.py"


async def test_init_creates_a_workspace(editor: Editor, tmp_path: Path) -> None:
    folder = tmp_path / "new project"
    folder.mkdir()
    (folder / "b.md").write_text("# B\n")
    uri = from_fs_path(str(folder)) or ""
    params = types.ExecuteCommandParams("cuedeck.init", [uri])
    await editor.send(types.WORKSPACE_EXECUTE_COMMAND, params)
    there = editor.in_folder(folder)
    (found,) = await there.complete("a.md", "[[▮")
    assert (folder / ".cuedeck/config.toml").exists()
    assert found.label == "b"
