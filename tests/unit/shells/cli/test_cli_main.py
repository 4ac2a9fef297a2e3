"""Error messages of the command line."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from cuedeck.ledger.session_files import SessionFiles
from cuedeck.model.errors import StorageError
from cuedeck.shells.call import Call
from cuedeck.shells.cli.cli_main import COMMANDS, run
from cuedeck.shells.operation import OPERATIONS, Operation
from cuedeck.store.workspace_paths import WorkspacePaths


def refuse(call: Call) -> None:
    """Fail as an operation fails that cannot remove a file."""
    os.unlink(os.path.join(call.start, "gone\x1b[2J"))


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_refused_file_is_not_reported_as_the_output(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    options: tuple[str, ...],
) -> None:
    """Every stray OSError was `cannot write the output`, and plain text where JSON was
    asked for.
    """
    refused = Operation("refused", refuse, None, "", None, takes_folder=False)
    monkeypatch.setitem(OPERATIONS, "refused", refused)
    monkeypatch.setitem(COMMANDS, "refused", "")
    assert run(["refused", "-C", str(tmp_path), *options]) == 1
    answer = capsys.readouterr()
    message = json.loads(answer.out)["error"]["message"] if options else answer.err
    assert "gone" in message
    assert "No such file" in message
    assert "output" not in message
    assert "\x1b" not in answer.out + answer.err


def test_the_pointer_to_the_open_session_that_cannot_be_removed_is_a_storage_error(
    tmp_path: Path,
) -> None:
    """The failure was a raw OSError, which the command line reported as an output
    error.
    """
    (tmp_path / ".cuedeck/sessions/open").mkdir(parents=True)
    with pytest.raises(StorageError, match=r"cannot remove \.cuedeck/sessions/open"):
        SessionFiles(WorkspacePaths(str(tmp_path))).point_at("")


@pytest.mark.parametrize(
    "arguments",
    [["remember", "-"], ["card", "new", "--body", "-", "--", "T"]],
    ids=" ".join,
)
def test_a_closed_stdin_is_a_usage_error(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: list[str],
) -> None:
    """`remember - <&-` ended with an AttributeError."""
    (tmp_path / ".cuedeck").mkdir()
    monkeypatch.setattr(sys, "stdin", None)
    assert run(["-C", str(tmp_path), *arguments]) == 2
    assert "but stdin is closed" in capsys.readouterr().err


def test_stdin_is_read_with_plain_newlines_and_without_a_byte_order_mark(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`card new --body -` kept the CR of every line, and the byte order mark in the
    middle of the card.
    """
    (tmp_path / ".cuedeck").mkdir()
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xef\xbb\xbfa\r\nb\r\n"))
    )
    assert run(["-C", str(tmp_path), "card", "new", "--body", "-", "--", "T"]) == 0
    card = tmp_path / capsys.readouterr().out.strip()
    assert card.read_bytes().decode().endswith("# T\n\na\nb\n")


@pytest.mark.parametrize(
    "command", [["card", "new", "--body", "-", "--", "T"], ["memory", "add", "-"]]
)
def test_stdin_that_is_not_utf8_is_a_usage_error(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    command: list[str],
) -> None:
    """The command stored U+FFFD in place of the invalid bytes."""
    (tmp_path / ".cuedeck").mkdir()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"good\nbad \xff\n")))
    assert run(["-C", str(tmp_path), *command]) == 2
    assert "line 2 of stdin is not valid UTF-8" in capsys.readouterr().err
    assert not [path for path in tmp_path.rglob("*.md") if b"good" in path.read_bytes()]


def test_the_output_of_a_program_may_hold_any_bytes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".cuedeck").mkdir()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bad \xff\n")))
    attempt = [
        "attempt",
        "add",
        "--on",
        ".",
        "--tried",
        "a",
        "--failed",
        "b",
        "--error",
        "-",
    ]
    assert run(["-C", str(tmp_path), *attempt]) == 0
    assert "bad \ufffd" in (tmp_path / ".cuedeck/attempts.jsonl").read_text()


def test_none_is_cut_out_of_no_id(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """`--supersedes nonesuch` looked for `such`."""
    (tmp_path / ".cuedeck").mkdir()
    run(["-C", str(tmp_path), "remember", "A fact"])
    identity = capsys.readouterr().out.strip()
    run(
        [
            "-C",
            str(tmp_path),
            "memory",
            "edit",
            identity,
            "--supersedes",
            "abcnonedef",
            "--json",
        ]
    )
    run(["-C", str(tmp_path), "memory", "show", identity, "--json"])
    assert "abcnonedef" in capsys.readouterr().out


def test_set_up_shows_no_control_characters_of_the_files_of_a_host(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The name of a command in `.mcp.json` could set the title of the terminal and
    clear its screen.
    """
    (tmp_path / ".cuedeck").mkdir()
    command = "\x1b]0;pwn\x07\x1b[2J"
    (tmp_path / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"cuedeck": {"command": command}}})
    )
    for options in (["--dry-run"], []):
        run(["-C", str(tmp_path), "setup", "copilot", "--local", *options])
        out = capsys.readouterr().out
        assert "pwn" in out
        assert not set(out) & {"\x1b", "\x07"}
