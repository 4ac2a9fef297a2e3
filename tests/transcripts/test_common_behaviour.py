"""Behaviour of every command: help, exit codes, errors, streams."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys

import pytest
from sandbox import Sandbox, run_on_terminal, until

from cuedeck.shells.cli.cli_main import COMMANDS, FIRST


def test_overview_lists_every_command_with_its_purpose(sandbox: Sandbox) -> None:
    out = sandbox.ok("help", "all").out
    assert all(f"\n  {name} " in out for name in COMMANDS)
    for arguments in ([], ["--help"], ["-h"], ["help"]):
        first = re.findall(r"(?m)^  ([a-z]+)  ", sandbox.ok(*arguments).out)
        assert first == [name for names in FIRST.values() for name in names]
    assert sandbox.ok("help", "card", "new").out == sandbox.ok("card new -h").out
    assert sandbox.ok("--version").out.startswith("cuedeck ")


def test_exit_codes_follow_the_contract(sandbox: Sandbox) -> None:
    """The documents of the original contradicted each other, and its code used only 0,
    1 and 2.
    """
    sandbox.card("aaaaaa", "status: active")
    assert sandbox.run("list").code == 0
    assert sandbox.run("read", "nothing").code == 1
    assert sandbox.run("list", "--no-such-option").code == 2
    assert sandbox.run("list", "-C", "no-such-folder").code == 2
    assert sandbox.run("list", cwd=sandbox.root.parent).code == 3
    sandbox.write(".cuedeck/config.toml", "[scene]\nbudget = 1\n")
    assert sandbox.run("scene").code == 4


def test_error_has_a_cause_and_a_next_step(sandbox: Sandbox) -> None:
    sandbox.write("docs/authentication.md", "# Authentication\n")
    ran = sandbox.run("read", "docs/autentication.md")
    assert ran.out == ""
    assert ran.err.splitlines()[0] == "error: not found: `docs/autentication.md`"
    assert "did you mean `docs/authentication.md`?" in ran.err
    error = sandbox.answer("read", "docs/autentication.md", code=1)["error"]
    assert list(error) == ["code", "message", "hint", "candidates"]
    assert error["code"] == 1001
    assert error["candidates"] == ["docs/authentication.md"]


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["sceen"], "did you mean `cuedeck scene`?"),
        (["card", "ref", "ad"], "did you mean `cuedeck card ref add`?"),
        (["xyzzy"], "see `cuedeck --help`"),
        (["list", "--statsu", "done"], "see `cuedeck list --help`"),
        (["cortex", "add", "--rol", "user"], "see `cuedeck cortex add --help`"),
        (["scene", "--budget", "many"], "see `cuedeck scene --help`"),
        (["card", "new"], "see `cuedeck card new --help`"),
        (
            ["cortex", "add", "--- rule"],
            "put `--` before a text that begins with `-`: `cuedeck cortex add -- TEXT`",
        ),
        (
            ["decide", "-x y"],
            "put `--` before a text that begins with `-`: `cuedeck decide -- TEXT`",
        ),
        (["scene", "Fix", "login"], "quote it: `cuedeck scene 'Fix login'`"),
    ],
    ids=" ".join,
)
def test_invalid_command_line_names_the_correct_form(
    sandbox: Sandbox, arguments: list[str], hint: str
) -> None:
    ran = sandbox.run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert f"hint: {hint}" in ran.err
    error = sandbox.answer(*arguments, code=2)["error"]
    assert (error["code"], error["hint"]) == (1010, hint)


@pytest.mark.parametrize("command", ["scene", "graph"])
def test_dash_is_refused_as_an_output_file(sandbox: Sandbox, command: str) -> None:
    """`--out -` used to create a file of that name."""
    ran = sandbox.run(command, "--out", "-")
    assert (ran.code, ran.out) == (2, "")
    assert "--print" in ran.err
    assert not (sandbox.root / "-").exists()


def test_commands_outside_a_workspace_create_nothing(sandbox: Sandbox) -> None:
    """The original created a cache folder and an empty scene wherever it was called."""
    elsewhere = sandbox.root.parent / "elsewhere"
    elsewhere.mkdir()
    for command in ("scene", "list", "card new -- x", "watch", "doctor", "config show"):
        ran = sandbox.run(*command.split(), cwd=elsewhere)
        assert ran.code == 3
        assert "cuedeck init" in ran.err
    assert sandbox.answer("list", code=3, cwd=elsewhere)["error"]["code"] == 1011
    assert list(elsewhere.iterdir()) == []


def test_commands_work_from_a_subfolder_and_for_another_folder(
    sandbox: Sandbox,
) -> None:
    sandbox.card("aaaaaa", "status: active")
    deep = sandbox.place("src/deep")
    deep.mkdir(parents=True)
    above = {"cwd": sandbox.root.parent}
    at_root = sandbox.ok("list").out
    assert sandbox.ok("list", cwd=deep).out == at_root
    assert sandbox.ok("list", "-C", str(sandbox.root), **above).out == at_root
    assert sandbox.ok("-C work list", **above).out == at_root
    sandbox.ok("-C work/src scene --out made.md", **above)
    assert sandbox.place("src/made.md").exists()
    assert list(deep.iterdir()) == []


def test_missing_current_folder_gives_no_traceback(sandbox: Sandbox) -> None:
    gone = sandbox.place("gone")
    gone.mkdir()
    code = (
        f"import os, sys; os.rmdir({str(gone)!r})\n"
        "from cuedeck.shells.cli.cli_main import run; sys.exit(run(['list']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        cwd=gone,
        env=sandbox.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr.splitlines()[0]) == (
        2,
        "error: the current folder does not exist any more",
    )


@pytest.mark.parametrize("command", ["scene", "list"])
def test_variable_without_a_number_is_an_ordinary_error(
    sandbox: Sandbox, command: str
) -> None:
    """Some invalid numbers used to end in a traceback, because the masking rules were
    unreadable, too.
    """
    for number in ("--5", "²", "٣", "9" * 5_000):
        environ = {"CUEDECK_SCENE__BUDGET": number}
        error = sandbox.answer(command, code=4, environ=environ)["error"]
        assert error["code"] == 1012 and "must be a whole number" in error["message"]


def test_too_large_settings_are_invalid_settings(sandbox: Sandbox) -> None:
    """Python raises other errors for too large values than for invalid ones; they used
    to end in a traceback.
    """
    for settings in (
        '[secrets]\npatterns = ["x: a{99999999999999999999}"]\n',
        "[secrets]\npatterns = ['x: " + "(" * 3_000 + ")" * 3_000 + "']\n",
        "[scene]\nbudget = " + "9" * 5_000 + "\n",
        "x = " + "[" * 5_000 + "\n",
        "# ours\n[scene]\nbudget = \n",
    ):
        sandbox.write(".cuedeck/config.toml", settings)
        error = sandbox.answer("list", code=4)["error"]
        assert error["code"] == 1012
        assert not sandbox.answer("doctor", code=1)["healthy"]
    assert "line 3" in error["message"]
    sandbox.place(".cuedeck/config.toml").unlink()
    sandbox.place(".cuedeck/config.toml").mkdir()
    assert sandbox.answer("list", code=4)["error"]["code"] == 1012


def test_broken_card_is_listed_and_hides_nothing(sandbox: Sandbox) -> None:
    """In the original, one broken front matter could end a command."""
    sandbox.card("aaaaaa", "status: active", "refs: [docs/a.md]")
    sandbox.write("docs/a.md", "# A\n")
    broken = "---\ntitle: Fix\nrefs: [a\nstatus: todo\n---\n\n# Fix the rest\n"
    sandbox.write(".cuedeck/cards/broken.md", broken)
    listed = {card["id"]: card for card in sandbox.answer("list")["cards"]}
    assert listed["broken"]["broken"]
    assert not listed["aaaaaa"]["broken"]
    (problem,) = sandbox.answer("card", "show", "broken")["problems"]
    assert problem["level"] == "error" and problem["line"] > 1 and problem["hint"]
    assert sandbox.answer("scene")["written"]
    ran = sandbox.run("card", "done", "broken")
    assert ran.code == 1
    assert ".cuedeck/cards/broken.md" in ran.err
    (finding,) = sandbox.answer("card", "validate", code=1)["findings"]
    assert finding["path"] == ".cuedeck/cards/broken.md"


def test_colour_is_used_only_on_terminals(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    for environ in ({}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        assert "\x1b" not in sandbox.ok("list", environ=environ).out
    assert "\x1b[" in run_on_terminal(sandbox, "list")
    assert "\x1b[" not in run_on_terminal(sandbox, "list", NO_COLOR="1")


def test_undecodable_argument_is_a_usage_error(sandbox: Sandbox) -> None:
    for arguments in ([b"read", b"\xff"], [b"card", b"new", b"--", b"caf\xe9"]):
        ran = sandbox.run(*arguments)
        assert ran.code == 2
        assert "is not valid UTF-8" in ran.err


def test_closed_pipe_of_the_reader_is_no_error(sandbox: Sandbox) -> None:
    for size in (100, 2_000_000):
        sandbox.write("big.txt", "word\n" * (size // 5))
        process = sandbox.start_interpreter("read", "big.txt")
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(20) == 0
        process.stderr.close()


def test_unwritable_output_is_an_error_without_a_traceback(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa")
    with open("/dev/full", "wb") as full:
        ran = sandbox.start_interpreter("list", stdout=full)
        _, err = ran.communicate(timeout=20)
    assert ran.returncode == 1
    assert err.startswith(b"error: cannot write the output: No space left on device")
    assert b"Traceback" not in err


def test_closed_streams_are_no_error(sandbox: Sandbox) -> None:
    sandbox.card("aaaaaa", "status: active")
    command = ["sh", "-c", f"exec {sys.executable} -m cuedeck scene >&- 2>&-"]
    subprocess.run(command, cwd=sandbox.root, env=sandbox.environ, check=True)
    assert sandbox.scene.exists()


def interrupt_first_scene(sandbox: Sandbox) -> tuple[int, bytes]:
    """Interrupt a first scene as a terminal does, with a signal to the whole process
    group.
    """
    shutil.rmtree(sandbox.place(".cuedeck/cache"), ignore_errors=True)
    process = sandbox.start_interpreter("scene")
    until(sandbox.private("index.sqlite").exists)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    return process.returncode, err


@pytest.mark.slow
def test_interrupt_gives_exit_code_130_and_leaves_no_partial_files(
    sandbox: Sandbox,
) -> None:
    """The signal is sent while several processes build the first index."""
    sandbox.card("aaaaaa", "status: active")
    text = "# Doc\n\n" + "some [[link]] words\n" * 40
    for number in range(2_000):
        sandbox.write(f"docs/{number % 50}/{number}.md", text)
    code, err = interrupt_first_scene(sandbox)
    # Python drops an interrupt that meets a callback of its own.
    while b"Exception ignored" in err:
        code, err = interrupt_first_scene(sandbox)
    assert code == 130, err
    assert err.strip() == b""
    assert not list(sandbox.root.rglob("*.tmp"))
    sandbox.ok("scene")


def test_text_beyond_its_limit_is_1003(sandbox: Sandbox) -> None:
    for command in (
        ("session", "note", "x" * 4_001),
        ("experience", "add", "x" * 20_001),
    ):
        error = sandbox.answer(*command, code=1)["error"]
        assert error["code"] == 1003
        assert "must have at most" in error["message"]


def test_unreadable_front_matter_is_1004_and_a_dead_ref_1001(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/cards/aaaaaa.md", "---\ntitle: [\n---\n")
    sandbox.card("bbbbbb", "refs: [docs/none.md]")
    findings = sandbox.answer("doctor", code=1)["findings"]
    found = {each["code"]: each["error"] for each in findings}
    assert found["bad-yaml"] == 1004
    assert found["dead-ref"] == 1001


def test_taken_address_is_1005(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        error = sandbox.answer("mcp", "--http", "--port", port, code=1)["error"]
    assert error["code"] == 1005
    assert f"cannot listen at 127.0.0.1:{port}" in error["message"]
