"""Calls of other programs, the editor and the clipboard, and the place of the
workspace.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import pytest
from sandbox import Sandbox

from cuedeck.model.errors import UsageError, WorkspaceMissing
from cuedeck.store.files import clipboard
from cuedeck.store.files.clipboard import copy
from cuedeck.store.files.external_command import run_editor
from cuedeck.store.workspace_paths import find_workspace


def program(folder: Path, name: str, code: str) -> Path:
    """Make a program that runs Python code."""
    place = folder / name
    place.write_text(f"#!{sys.executable}\nimport os, sys\n{code}\n")
    place.chmod(0o755)
    return place


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)


@pytest.mark.usefixtures("terminal")
def test_the_editor_may_have_arguments(tmp_path: Path) -> None:
    """The original ran `code -w` as one program of that name."""
    place = program(
        tmp_path,
        "my editor",
        f"open({str(tmp_path / 'seen')!r}, 'w').write(repr(sys.argv[1:]))",
    )
    run_editor("a b.md", 7, {"EDITOR": f"'{place}' --wait", "VISUAL": ""})
    assert (tmp_path / "seen").read_text() == "['--wait', 'a b.md']"


@pytest.mark.usefixtures("terminal")
def test_editors_that_can_are_sent_to_the_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = program(
        tmp_path,
        "vim",
        f"open({str(tmp_path / 'seen')!r}, 'w').write(repr(sys.argv[1:]))",
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    run_editor("a.md", 7, {"EDITOR": "nano", "VISUAL": str(place)})
    assert (tmp_path / "seen").read_text() == "['+7', 'a.md']"


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("editor", "message"),
    [
        ("no-such-editor -w", "was not found"),
        ("code 'x", "cannot be read"),
        ("''", "was not found"),
    ],
)
def test_an_editor_that_cannot_run_is_explained(editor: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        run_editor("a.md", 0, {"EDITOR": editor})
    assert "set EDITOR" in caught.value.hint


def test_without_a_terminal_no_editor_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
    with pytest.raises(UsageError, match="no terminal") as caught:
        run_editor("/x/a.md", 0, {"EDITOR": "true"})
    assert caught.value.hint == "the file is /x/a.md"


def test_the_clipboard_gets_the_text_through_the_first_command_that_works(
    tmp_path: Path,
) -> None:
    save = f"open({str(tmp_path / 'seen')!r}, 'wb').write(sys.stdin.buffer.read())"
    program(tmp_path, "wl-copy", "sys.exit(1)")
    program(tmp_path, "xclip", save)
    program(tmp_path, "pbcopy", "sys.exit(1)")
    environ = {"PATH": str(tmp_path), "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-0"}
    assert copy("Zażółć\n", environ) == ""
    assert (tmp_path / "seen").read_bytes() == "Zażółć\n".encode()
    del environ["DISPLAY"]
    (tmp_path / "seen").unlink()
    program(tmp_path, "pbcopy", save)
    assert copy("two", environ) == ""
    assert (tmp_path / "seen").read_bytes() == b"two"


def test_a_terminal_gets_the_sequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    monkeypatch.setattr(
        clipboard, "_to_terminal", lambda sequence: not sent.append(sequence)
    )
    assert copy("text", {"PATH": str(tmp_path)}) == ""
    assert sent == [b"\x1b]52;c;" + base64.b64encode(b"text") + b"\x07"]
    assert copy("x" * 100_000, {"PATH": str(tmp_path)}).startswith("warning")


def test_without_a_clipboard_there_is_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clipboard, "_to_terminal", lambda sequence: False)
    assert (
        copy("text", {"PATH": str(tmp_path)})
        == "warning: no clipboard was found; use --print or --out"
    )


def test_finds_the_workspace_above(sandbox: Sandbox) -> None:
    """The original knew only the current folder, and made a stray cache in it."""
    deep = sandbox.place("src/deep")
    deep.mkdir(parents=True)
    assert find_workspace(str(deep)).root == str(sandbox.root)
    (deep / ".cuedeck").write_text("a file is no workspace")
    assert find_workspace(str(deep)).root == str(sandbox.root)


def test_without_a_workspace_init_is_proposed(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceMissing) as caught:
        find_workspace(str(tmp_path))
    assert "cuedeck init" in caught.value.hint
    assert list(tmp_path.iterdir()) == []
