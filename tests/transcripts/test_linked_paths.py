"""A committed link harms no file: each path that a command writes is replaced by a
link, as a file and as a folder. The paths are traced, not listed: a new file that a
command writes is covered by the next run of these tests.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from crash_runner import CrashRunner
from sandbox import Sandbox, child_environ, session_folder
from shared_process import SharedSandbox
from workspace_copy import WorkspaceCopy

pytestmark = pytest.mark.slow

PRECIOUS = "precious-7731 = kept\n"
_OF_PROCESS = re.compile(
    r"\.\d+\.tmp$|/(mark|probe)\.\d+|\.git/|\.tmp$|-journal$|\.backup\.json|/\d+-[0-9a-f]{8}\."
)
"""Names with a process id or a time, which a repository cannot predict."""
_OF_SESSION = re.compile(r"(?<=/card-aaaaaa-)[0-9a-z]{6}")
"""The random part of a session id. Only files of the last session are attacked: no
command in a copy of the workspace opens an earlier one.
"""
CONFIG = """
[memory]
rolling_window = true
[memory.compaction]
enabled = true
threshold_records = 1
min_age_days = 0
"""


class InputCommand(NamedTuple):
    """A command and its standard input."""

    arguments: tuple[str, ...]
    text: str = ""


def _hook_command(event: str, **fields: object) -> InputCommand:
    request = {"session_id": "host-1", "hook_event_name": event, "cwd": "", **fields}
    return InputCommand(("hook", event, "--host", "claude"), json.dumps(request))


def _command(line: str, text: str = "") -> InputCommand:
    return InputCommand(tuple(line.split(" ")), text)


COMMANDS = (
    _command("card activate bbbbbb"),
    _command("card activate aaaaaa"),
    _command("card new --ref src/a.py -- Another"),
    _command("card ref add aaaaaa docs/b.md"),
    _command("card done bbbbbb"),
    _command("scene"),
    _command("scene --out made.md"),
    _command("graph --format svg --out made.svg"),
    _command("session start"),
    _command("session note noted"),
    _command("session checkpoint point"),
    _command("session touch src/a.py"),
    _command("session step"),
    _command("progress doing this"),
    _command("decide choice --because reason --affects src/a.py"),
    _command("attempt add --on src/a.py --tried one --failed other"),
    _command("assumption add words --check file_exists=src/a.py"),
    _command("assumption check"),
    _command("decision export"),
    _command("remember the-user-prefers-tabs"),
    _command("memory add -", "one thing\nanother thing\n"),
    _command("memory compact"),
    _command("memory tick"),
    _command("memory integrity"),
    _command("memory context"),
    _command("experience add retry-twice-when-the-registry-is-slow"),
    _command("experience extract"),
    _command("experience query registry"),
    _hook_command("session-start", source="startup"),
    _hook_command("prompt", prompt="what does the function in src/a.py do?"),
    _hook_command("post-tool", tool_name="Edit", tool_input={"file_path": "src/a.py"}),
    _hook_command("pre-compact", trigger="auto"),
    _hook_command(
        "stop", last_assistant_message="I changed src/a.py so that it is faster."
    ),
    _hook_command("prompt", prompt="and now?"),
    _hook_command("session-end", reason="other"),
    _command("session start"),
    _command("resume"),
    _command("session close"),
    _command("session clean"),
    _command("setup claude"),
    _command("setup codex"),
    _command("setup claude --remove"),
    _command("doctor"),
    _command("doctor --repair"),
    _command("memory forget known1"),
    _command("clean"),
    _command("list"),
    _command("session list"),
    _command("init --force"),
    _command("decision list"),
)


class TracedWorkspace(NamedTuple):
    """A workspace after a run of every command, and the writers of each path."""

    seed: Path
    environ: Mapping[str, str]
    writers: Mapping[str, tuple[InputCommand, ...]]
    """By path below the workspace, in the order of `COMMANDS`."""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> TracedWorkspace:
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("linked")))
    environ = {
        **child_environ(session_folder(tmp_path_factory)),
        "CUEDECK_NO_BACKGROUND": "1",
    }
    seed = folder / "seed" / "work"
    sandbox = Sandbox(seed, environ)
    for name in ("cards", "docs"):
        (seed / ".cuedeck" / name).mkdir(parents=True)
    sandbox.ok("init")
    place = seed / ".cuedeck/config.toml"
    place.write_text(CONFIG)
    sandbox.write("src/a.py", "def first():\n    return 1\n")
    sandbox.write("docs/b.md", "# B\n\nabout src/a.py\n")
    sandbox.write("CLAUDE.md", "# Rules\n")
    sandbox.card("aaaaaa", "status: todo", "refs: [src/a.py]", body="- [ ] one")
    sandbox.card("bbbbbb", "status: todo")
    sandbox.write(
        ".cuedeck/MEMORY.md",
        '- {"id":"known1","timestamp":"2026-01-02T03:04:05Z","text":"an old fact"}\n',
    )
    sandbox.git("init", "-q")
    sandbox.git("add", "-A")
    sandbox.git("commit", "-qm", "first")
    writers: dict[str, list[InputCommand]] = {}
    for _ in range(2):
        for each in COMMANDS:
            for path in sorted(_traced_paths(sandbox, each, folder / "log")):
                found = writers.setdefault(path, [])
                if each not in found:
                    found.append(each)
    last = {_OF_SESSION.sub("", path): path for path in writers}
    return TracedWorkspace(
        seed, environ, {path: tuple(writers[path]) for path in sorted(last.values())}
    )


def _traced_paths(sandbox: Sandbox, command: InputCommand, log: Path) -> set[str]:
    log.write_bytes(b"")
    ran = sandbox.run(*command.arguments, text=command.text, writes=str(log))
    assert "Traceback" not in ran.err, ran
    root = f"{sandbox.root}{os.sep}"
    paths = {
        line.removeprefix(root)
        for line in log.read_text().splitlines()
        if line.startswith(root)
    }
    return {path for path in paths if not _OF_PROCESS.search(path)}


def _snapshot(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        found[str(path.relative_to(folder))] = (
            about.st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
    return found


def _find_harm(
    sandbox: Sandbox, commands: Sequence[InputCommand], victim: Path
) -> list[str]:
    """Run commands; return their changes of the victim and their forbidden output."""
    before = _snapshot(victim)
    found: list[str] = []
    for each in commands:
        ran = sandbox.run(*each.arguments, text=each.text)
        words = " ".join(each.arguments)
        if _snapshot(victim) != before:
            found.append(f"{words}: the victim changed")
            break
        if (
            "Traceback" in ran.err
            or "internal error" in ran.err
            or ran.code not in (0, 1, 2, 4)
        ):
            found.append(f"{words}: {ran.code} {ran.err}")
        if "precious-7731" in ran.out + ran.err:
            found.append(f"{words}: shows the victim: {ran.out} {ran.err}")
    return found


def test_every_path_below_cuedeck_is_traced(traced: TracedWorkspace) -> None:
    wanted = {
        ".cuedeck/active", ".cuedeck/SCENE.md", ".cuedeck/MEMORY.md", ".cuedeck/decisions.jsonl",
        ".cuedeck/attempts.jsonl", ".cuedeck/assumptions.toml", ".cuedeck/experiences.jsonl", ".cuedeck/config.toml",
        ".cuedeck/cache/hooks.lock", ".cuedeck/cache/sessions.lock",
        ".cuedeck/cache/files.lock", ".cuedeck/cache/log.jsonl",
        ".cuedeck/sessions/open", ".cuedeck/cards/aaaaaa.md", "CLAUDE.md", "docs/adr",
    }  # fmt: skip
    assert wanted <= traced.writers.keys()
    assert any(path.endswith("/index.sqlite") for path in traced.writers)
    assert any(path.endswith("/setup.json") for path in traced.writers)
    assert any(
        path.startswith(".cuedeck/cache/") and "/hooks/" in path
        for path in traced.writers
    )


def test_linked_file_is_never_written_through(
    traced: TracedWorkspace, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    harmed: dict[str, list[str]] = {}
    workspace = WorkspaceCopy(traced.seed, tmp_path / "work")
    sandbox = SharedSandbox(workspace.root, traced.environ, shared_runner)
    for path, commands in traced.writers.items():
        for kind in ("file", "nothing"):
            workspace.restore()
            victim = tmp_path / "victim"
            shutil.rmtree(victim, ignore_errors=True)
            victim.mkdir()
            if kind == "file":
                (victim / "file").write_text(PRECIOUS)
            place = sandbox.place(path)
            if place.is_dir() and not place.is_symlink():
                continue
            place.parent.mkdir(parents=True, exist_ok=True)
            place.unlink(missing_ok=True)
            place.symlink_to(victim / "file")
            found = _find_harm(sandbox, commands[:4], victim)
            if found:
                harmed[f"{path} ({kind})"] = found
    assert harmed == {}


@pytest.mark.parametrize("kind", ["moved", "empty"])
def test_linked_folder_is_never_written_through(
    traced: TracedWorkspace, shared_runner: CrashRunner, kind: str, tmp_path: Path
) -> None:
    folders = {
        str(above) for path in traced.writers for above in Path(path).parents
    } - {"."}
    harmed: dict[str, list[str]] = {}
    workspace = WorkspaceCopy(traced.seed, tmp_path / "work")
    sandbox = SharedSandbox(workspace.root, traced.environ, shared_runner)
    for folder in sorted(folders):
        workspace.restore()
        victim = tmp_path / "victim"
        shutil.rmtree(victim, ignore_errors=True)
        place = sandbox.place(folder)
        if place.is_dir() and kind == "moved":
            place.rename(victim)
        shutil.rmtree(place, ignore_errors=True)
        victim.mkdir(exist_ok=True)
        (victim / "file").write_text(PRECIOUS)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(victim)
        inside = {
            each
            for path, found in traced.writers.items()
            if path.startswith(f"{folder}/")
            for each in found
        }
        found = _find_harm(
            sandbox, [each for each in COMMANDS if each in inside], victim
        )
        if found:
            harmed[folder] = found
    assert harmed == {}
