"""A committed link harms no file: each path that a command writes is replaced by a
link, as a file and as a folder.

The paths are traced, not listed: a new file that a command writes is attacked by the
next run of these tests.
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
from sandbox import Sandbox, child_environ, session_folder

PRECIOUS = "precious-7731 = kept\n"
_OF_PROCESS = re.compile(
    r"\.\d+\.tmp$|/(mark|probe)\.\d+|\.git/|\.tmp$|-journal$|\.backup\.json|/\d+-[0-9a-f]{8}\."
)
"""Names that hold the number of a process or a moment, which a repository cannot
foresee.
"""
CONFIG = """
[memory]
rolling_window = true
[memory.compaction]
enabled = true
threshold_records = 1
min_age_days = 0
"""


class Said(NamedTuple):
    """A command, and what is piped into it."""

    arguments: tuple[str, ...]
    text: str = ""


def _hook(event: str, **said: object) -> Said:
    told = {"session_id": "host-1", "hook_event_name": event, "cwd": "", **said}
    return Said(("hook", event, "--host", "claude"), json.dumps(told))


def _of(line: str, text: str = "") -> Said:
    return Said(tuple(line.split(" ")), text)


COMMANDS = (
    _of("card activate bbbbbb"),
    _of("card activate aaaaaa"),
    _of("card new --ref src/a.py -- Another"),
    _of("card ref add aaaaaa docs/b.md"),
    _of("card done bbbbbb"),
    _of("scene"),
    _of("scene --out made.md"),
    _of("graph --format svg --out made.svg"),
    _of("session start"),
    _of("session note noted"),
    _of("session checkpoint point"),
    _of("session touch src/a.py"),
    _of("session step"),
    _of("progress doing this"),
    _of("decide choice --because reason --affects src/a.py"),
    _of("attempt add --on src/a.py --tried one --failed other"),
    _of("assumption add words --check file_exists=src/a.py"),
    _of("assumption check"),
    _of("decision export"),
    _of("remember the-user-prefers-tabs"),
    _of("memory add -", "one thing\nanother thing\n"),
    _of("memory compact"),
    _of("memory tick"),
    _of("memory integrity"),
    _of("memory context"),
    _of("experience add retry-twice-when-the-registry-is-slow"),
    _of("experience extract"),
    _of("experience query registry"),
    _hook("session-start", source="startup"),
    _hook("prompt", prompt="what does the function in src/a.py do?"),
    _hook("post-tool", tool_name="Edit", tool_input={"file_path": "src/a.py"}),
    _hook("pre-compact", trigger="auto"),
    _hook("stop", last_assistant_message="I changed src/a.py so that it is faster."),
    _hook("prompt", prompt="and now?"),
    _hook("session-end", reason="other"),
    _of("session start"),
    _of("resume"),
    _of("session close"),
    _of("session clean"),
    _of("setup claude"),
    _of("setup codex"),
    _of("setup claude --remove"),
    _of("doctor"),
    _of("doctor --repair"),
    _of("memory forget known1"),
    _of("clean"),
    _of("list"),
    _of("session list"),
    _of("init --force"),
    _of("decision list"),
)


class Attacked(NamedTuple):
    """A workspace that every command was run in once, and which command writes which
    path.
    """

    seed: Path
    environ: Mapping[str, str]
    writers: Mapping[str, tuple[Said, ...]]
    """By path below the workspace, in the order of `COMMANDS`."""


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Attacked:
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
    writers: dict[str, list[Said]] = {}
    for _ in range(2):
        for each in COMMANDS:
            for path in sorted(_traced(sandbox, each, folder / "log")):
                found = writers.setdefault(path, [])
                if each not in found:
                    found.append(each)
    return Attacked(
        seed, environ, {path: tuple(found) for path, found in sorted(writers.items())}
    )


def _traced(sandbox: Sandbox, said: Said, log: Path) -> set[str]:
    log.write_bytes(b"")
    ran = sandbox.run(*said.arguments, text=said.text, writes=str(log))
    assert "Traceback" not in ran.err, ran
    root = f"{sandbox.root}{os.sep}"
    paths = {
        line.removeprefix(root)
        for line in log.read_text().splitlines()
        if line.startswith(root)
    }
    return {path for path in paths if not _OF_PROCESS.search(path)}


def _copy(attacked: Attacked, folder: Path) -> Sandbox:
    shutil.rmtree(folder / "work", ignore_errors=True)
    shutil.copytree(attacked.seed, folder / "work", symlinks=True)
    return Sandbox(folder / "work", attacked.environ)


def _state(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        about = path.lstat()
        found[str(path.relative_to(folder))] = (
            about.st_mode,
            path.read_bytes() if path.is_file() else b"",
        )
    return found


def _harm(sandbox: Sandbox, commands: Sequence[Said], victim: Path) -> list[str]:
    """Run commands; return what they changed of the victim or said that they must
    not.
    """
    before = _state(victim)
    found: list[str] = []
    for each in commands:
        ran = sandbox.run(*each.arguments, text=each.text)
        words = " ".join(each.arguments)
        if _state(victim) != before:
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


def test_every_path_below_cuedeck_is_traced(attacked: Attacked) -> None:
    wanted = {
        ".cuedeck/active", ".cuedeck/SCENE.md", ".cuedeck/MEMORY.md", ".cuedeck/decisions.jsonl",
        ".cuedeck/attempts.jsonl", ".cuedeck/assumptions.toml", ".cuedeck/experiences.jsonl", ".cuedeck/config.toml",
        ".cuedeck/cache/hooks.lock", ".cuedeck/cache/sessions.lock",
        ".cuedeck/cache/cards.lock", ".cuedeck/cache/log.jsonl",
        ".cuedeck/sessions/open", ".cuedeck/cards/aaaaaa.md", "CLAUDE.md", ".mcp.json", "docs/adr",
    }  # fmt: skip
    assert wanted <= attacked.writers.keys()
    assert any(path.endswith("/index.sqlite") for path in attacked.writers)
    assert any(path.endswith("/setup.json") for path in attacked.writers)
    assert any(
        path.startswith(".cuedeck/cache/") and "/hooks/" in path
        for path in attacked.writers
    )


def test_a_linked_file_is_never_written_through(
    attacked: Attacked, tmp_path: Path
) -> None:
    harmed: dict[str, list[str]] = {}
    for path, commands in attacked.writers.items():
        for kind in ("file", "nothing"):
            sandbox = _copy(attacked, tmp_path)
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
            found = _harm(sandbox, commands[:4], victim)
            if found:
                harmed[f"{path} ({kind})"] = found
    assert harmed == {}


@pytest.mark.parametrize("kind", ["moved", "empty"])
def test_a_linked_folder_is_never_written_through(
    attacked: Attacked, kind: str, tmp_path: Path
) -> None:
    folders = {
        str(above) for path in attacked.writers for above in Path(path).parents
    } - {"."}
    harmed: dict[str, list[str]] = {}
    for folder in sorted(folders):
        sandbox = _copy(attacked, tmp_path)
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
            for path, found in attacked.writers.items()
            if path.startswith(f"{folder}/")
            for each in found
        }
        found = _harm(sandbox, [each for each in COMMANDS if each in inside], victim)
        if found:
            harmed[folder] = found
    assert harmed == {}
