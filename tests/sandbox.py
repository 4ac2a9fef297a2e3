"""A workspace on disk with its command line, for tests of store, app and cli."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import plain_git
import pytest
from command_server import CommandServer, ForkedProcess

from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.store.capture_consent import write_answer
from cuedeck.store.workspace_paths import WorkspacePaths

SOURCE = Path(__file__).parent.parent
PATIENCE_SECONDS = 20.0


_OF_PYTHON = (
    "PYTHONHASHSEED",
    "PYTHONPROFILEIMPORTTIME",
    "PYTHONWARNINGS",
    "PYTHONUTF8",
    "PYTHONIOENCODING",
)
"""Variables that an interpreter reads only at its start."""


class CommandOutcome(NamedTuple):
    """Result of a finished command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Sandbox:
    """The workspace of one test. Commands run as real processes without a terminal."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self.root = root
        self.environ = dict(environ)
        self._workspaces: list[Workspace] = []

    @property
    def scene(self) -> Path:
        return self.root / ".cuedeck/SCENE.md"

    def place(self, path: str) -> Path:
        return self.root / path

    def private(self, name: str) -> Path:
        """Return the path of a file in the private folder of the cache."""
        return Path(WorkspacePaths(str(self.root)).private) / name

    def write(self, path: str, content: str | bytes = "") -> Path:
        """Write a file and create its parent folders."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def card(self, identity: str, *fields: str, body: str = "") -> Path:
        """Write a card; without a `title:` field it gets a title."""
        titled = any(field.startswith("title:") for field in fields)
        rows = [
            "---",
            *([] if titled else [f"title: Card {identity}"]),
            *fields,
            "---",
            "",
            body,
            "",
        ]
        return self.write(f".cuedeck/cards/{identity}.md", "\n".join(rows))

    def activate(self, identity: str) -> None:
        self.write(".cuedeck/active", f"{identity}\n")

    def workspace(self) -> Workspace:
        """Open the workspace again, as a new command does."""
        self._workspaces.append(open_workspace(str(self.root), {}))
        return self._workspaces[-1]

    def close(self) -> None:
        """Close every open workspace."""
        while self._workspaces:
            self._workspaces.pop().close()

    def bytes(self) -> dict[str, bytes]:
        """Return every file outside the cache."""
        files = (path for path in sorted(self.root.rglob("*")) if path.is_file())
        named = ((path.relative_to(self.root).as_posix(), path) for path in files)
        return {
            name: path.read_bytes()
            for name, path in named
            if not name.startswith(".cuedeck/cache/")
        }

    def start(self, *arguments: str, **options: Any) -> ForkedProcess:
        """Start a command in its own session, so that it has no terminal."""
        arguments = words_of(arguments)
        environ = {**self.environ, **options.pop("environ", {})}
        where = os.fspath(options.pop("cwd", self.root))
        server = command_server("servers") if "mcp" in arguments else command_server()
        return server.start(arguments, where, environ, **options)

    def start_interpreter(
        self, *arguments: str | bytes, **options: Any
    ) -> subprocess.Popen[bytes]:
        """Start a command in a new interpreter and its own session."""
        pipes = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        environ = {**self.environ, **options.pop("environ", {})}
        command = [sys.executable, "-m", "cuedeck", *arguments]
        where = options.pop("cwd", self.root)
        return subprocess.Popen(
            command,
            cwd=where,
            env=environ,
            start_new_session=True,
            **{**pipes, **options},
        )

    def run(
        self, *arguments: str | bytes, text: str = "", **options: Any
    ) -> CommandOutcome:
        """Run a command to its end; with `writes`, append the changed paths to that
        file; with `unprivileged`, root is subject to file permissions.
        """
        arguments = words_of(arguments)
        if self._needs_interpreter(arguments, options):
            process = self.start_interpreter(
                *arguments, stdin=subprocess.PIPE, **options
            )
            out, err = process.communicate(text.encode(), PATIENCE_SECONDS * 2)
            return CommandOutcome(process.returncode, out.decode(), err.decode())
        environ = {**self.environ, **options.get("environ", {})}
        where = os.fspath(options.get("cwd", self.root))
        words = [str(each) for each in arguments]
        ran = command_server().run(
            words,
            where,
            environ,
            text.encode(),
            options.get("writes", ""),
            options.get("unprivileged", False),
        )
        return CommandOutcome(ran.code, ran.out.decode(), ran.err.decode())

    def _needs_interpreter(
        self, arguments: Sequence[str | bytes], options: Mapping[str, Any]
    ) -> bool:
        """Return whether a command cannot run in a forked process: it has arguments
        that are not text, other options, or variables that Python reads at its start.
        """
        environ = {**self.environ, **options.get("environ", {})}
        return (
            bool(options.keys() - {"environ", "cwd", "writes", "unprivileged"})
            or not all(isinstance(each, str) for each in arguments)
            or any(environ.get(name) != os.environ.get(name) for name in _OF_PYTHON)
        )

    def ok(self, *arguments: str | bytes, **options: Any) -> CommandOutcome:
        """Run a command that must succeed."""
        ran = self.run(*arguments, **options)
        assert ran.code == 0, ran
        return ran

    def answer(self, *arguments: str, code: int = 0, **options: Any) -> Any:
        """Run a command with `--json`; return its answer."""
        arguments = words_of(arguments)
        at = arguments.index("--") if "--" in arguments else len(arguments)
        ran = self.run(*arguments[:at], "--json", *arguments[at:], **options)
        assert ran.code == code, ran
        assert ran.json["schema"] == 1
        return ran.json

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        """Run git without user settings."""
        ran = subprocess.run(
            ["git", "-c", "init.defaultBranch=main", *arguments],
            cwd=cwd or self.root,
            env=self.environ,
            capture_output=True,
            check=True,
            timeout=PATIENCE_SECONDS,
        )
        return ran.stdout.decode("utf-8", "surrogateescape")


def run_on_terminal(sandbox: Sandbox, *arguments: str, **environ: str) -> str:
    """Run a command whose streams are a terminal; return what the terminal received."""
    import pty

    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    terminal = {"TERM": "xterm", **environ}
    process = sandbox.start(*arguments, **streams, environ=terminal)
    os.close(theirs)
    received = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # Linux: the other end is closed
            break
        if not piece:
            break
        received += piece
    os.close(ours)
    assert process.wait(20) == 0
    return received.decode().replace("\r\n", "\n")


@cache
def command_server(*options: str) -> CommandServer:
    """Return a command server of this worker."""
    return CommandServer(*options)


def until(
    condition: Callable[[], Any], what: str = "", seconds: float = PATIENCE_SECONDS
) -> Any:
    """Wait until a condition holds; return its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.005)
    raise AssertionError(f"timed out: {what or condition}")


def child_environ(folder: Path) -> dict[str, str]:
    """Return the environment of commands: no user settings, a separate home and
    separate caches.
    """
    dropped = (
        "CUEDECK_",
        "GIT_",
        "XDG_",
        "TIKTOKEN_",
        "PYTHONDONTWRITEBYTECODE",
        "EDITOR",
        "VISUAL",
        "DISPLAY",
    )
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith((*dropped, "WAYLAND_"))
    }
    return {
        **kept,
        "HOME": str(folder / "home"),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PYTHONPATH": str(SOURCE),
        **plain_git.settings(),
        **plain_git.person("A", "a@example.org"),
        "LC_ALL": "C.UTF-8",
    }


def session_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all tests of a run share on every worker."""
    base = factory.getbasetemp()
    shared = base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base
    for name in ("home", "cache"):
        (shared / "sandbox" / name).mkdir(parents=True, exist_ok=True)
    return shared / "sandbox"


@pytest.fixture
def sandbox(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Sandbox]:
    """An empty workspace whose user agreed to record sessions."""
    environ = child_environ(session_folder(tmp_path_factory))
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, environ[name])
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    root = Path(os.path.realpath(tmp_path)) / "work"
    for folder in ("cards", "docs"):
        (root / ".cuedeck" / folder).mkdir(parents=True)
    write_answer(str(root), "on")
    made = Sandbox(root, environ)
    yield made
    made.close()


def words_of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the words of a command; a single text is divided as a shell divides it."""
    if len(arguments) == 1 and isinstance(arguments[0], str):
        return tuple(shlex.split(arguments[0]))
    return arguments


def fields(value: Any, names: Sequence[str]) -> None:
    """Check that a JSON object has exactly these fields, in this order; one text may
    contain the names.
    """
    wanted = names.split() if isinstance(names, str) else names
    assert list(value) == list(wanted)


def expect(value: Any, /, **wanted: Any) -> None:
    """Check the values of these fields of a JSON object."""
    found = {name: value[name] for name in wanted}
    assert found == wanted, found
