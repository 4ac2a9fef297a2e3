"""One host in a temporary home and workspace: what its sessions leave to later ones,
and what reaches the model when.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.hosts.formats import FORMATS, Turn
from conformance.hosts.model import Call, Model, Request, Say, Step
from conformance.hosts.programs import Place, Program

BRIEF = "Project context of CueDeck"
BLOCK = "Context of this project (CueDeck)"
NEWS = "Changes in this project since"
KEPT = "Keep these facts from CueDeck"
DIGEST = "## Relevant memory"
_REMEMBERED = "The gauge reads in millimetres"
_SECONDS = 90
_NONE = "no tool"
_CARD = "Calibrate the gauge"
_SOURCE = '"""Gauge."""\n\n\ndef read(level: int) -> int:\n    return level * 10\n'
_TOOLS = (
    Call("scene", {}),
    Call("read", {"address": "src/gauge.py#L1-L5"}),
    Call("remember", {"text": _REMEMBERED}),
    Say("Called."),
)
_RULE = "Never round the level of the gauge, the sensor needs it."
_FOUND = "I found that the sensor counts centimetres, so the factor is ten."
_DECIDED = "Decision: keep the factor ten, because the display expects it."
_CAPTURED = {
    "prompt": "Never round",
    "words before a tool": "counts centimetres",
    "reply": "keep the factor",
}
_OTHERS = (
    ("Print the dial in millimetres, never in inches.", "The dial prints millimetres."),
    ("Don't reorder docs/gauge.md, a script writes it.", "I leave the order."),
)
"""What another session says, each with the reply of its agent."""
_ASKED = "Does the dial print inches or millimetres?"
_IN_DIGEST, _ABOUT_FILE = "Print the dial in", "reorder docs/gauge.md"
_TASK = "Count the lines. @play=plain"


class Result(NamedTuple):
    """The context that arrived at one host; each value is a short text."""

    host: str
    version: str
    start: str
    """Second session."""
    resumed: str
    digest: str
    file: str
    subagent: str
    compaction: str
    capture: str
    tools: str
    removal: str


def run(program: Program, executable: str, folder: Path) -> Result:
    """Run one host through all steps. Raises: OSError, subprocess.SubprocessError."""
    scripts: dict[str, Sequence[Step]] = {
        "plain": (Say("Noted."),),
        "tools": _TOOLS,
        "facts": (program.read._replace(text=_FOUND), Say(_DECIDED)),
        "own": (program.delegate, *program.waiting, program.read, Say("Noted.")),
        "full": _full_context_script(program.full),
    }
    words = {"{file}": str(folder / "work/docs/gauge.md"), "{task}": _TASK}
    for name in ("facts", "own"):
        scripts[name] = tuple(_filled(step, words) for step in scripts[name])
    with Model(scripts, is_long_summary=program.is_long_summary) as model:
        place = Place(folder / "home", folder / "work", model.url)
        trial = _Trial(program, executable, place, model)
        trial.prepare()
        return trial.result()


def _filled(step: Step, words: Mapping[str, str]) -> Step:
    if isinstance(step, Say):
        return step
    filled = dict(step.arguments)
    for place, text in words.items():
        filled = {key: value.replace(place, text) for key, value in filled.items()}
    return step._replace(arguments=filled)


def _full_context_script(tokens: int) -> Sequence[Step]:
    """Return a script whose first answer reports a full context; the host compacts
    before the next request.
    """
    return (Call("read", {"address": "src/gauge.py#L1-L5"}, tokens), Say("Noted."))


class _Trial:
    def __init__(
        self, program: Program, executable: str, place: Place, model: Model
    ) -> None:
        self.program = program
        self.executable = executable
        self.place = place
        self.model = model
        self.environ = self._environ()
        self._runs = 0

    def _environ(self) -> dict[str, str]:
        """Return the environment of every process: PATH with CueDeck first, and no
        other variable of this process.
        """
        folder = self.place.home.parent
        path = [folder / "bin", Path(self.executable).parent]
        node = shutil.which("node")
        path += [Path(node).parent] if node else []
        return {
            "PATH": os.pathsep.join([*map(str, path), "/usr/local/bin", "/usr/bin", "/bin"]),
            "HOME": str(self.place.home), "TMPDIR": str(folder / "tmp"), "LANG": "C.UTF-8", "TERM": "dumb",
            "CI": "1", "NO_COLOR": "1", "CUEDECK_NO_BACKGROUND": "1", **self.program.environ(self.place),
        }  # fmt: skip

    def prepare(self) -> None:
        """Create the home folder and a workspace with a card, and connect the host."""
        folder, root = self.place.home.parent, self.place.root
        for each in (
            folder / "bin",
            folder / "tmp",
            folder / "log",
            self.place.home,
            root / "src",
            root / "docs",
        ):
            each.mkdir(parents=True)
        (folder / "bin/cuedeck").symlink_to(Path(sys.executable).parent / "cuedeck")
        (root / "src/gauge.py").write_text(_SOURCE)
        (root / "docs/gauge.md").write_text("# Gauge\n\nIt reads in millimetres.\n")
        self._do("git", "init", "-q")
        self._do("cuedeck", "init")
        refs = ("--ref", "docs/gauge.md", "--ref", "src/gauge.py")
        self._do("cuedeck", "card", "new", *refs, "--activate", "--", _CARD)
        self._do("git", "add", "-A")
        self._do(
            "git",
            "-c",
            "user.name=a",
            "-c",
            "user.email=a@b.c",
            "commit",
            "-qm",
            "first",
        )
        self.program.prepare(self.place)

    def result(self) -> Result:
        before = self._status()
        self._do("cuedeck", "setup", self.program.host)
        # The repository contains no server.
        self._do("cuedeck", "setup", self.program.host, "--user")
        version = re.search(r"\d+\.\d+\.\d+\S*", self._do(self.executable, "--version"))
        self._session(self.program.first, "facts", _RULE)
        captured = self._captured()
        started = self._session(self.program.first, "plain")
        prompted = self._session(self.program.again, "plain")
        note = self.place.root / "docs/gauge.md"
        note.write_text(note.read_text() + "It drifts by one.\n")
        changed = self._session(self.program.again, "plain")
        called = self._tool_results(self._session(self.program.again, "tools"))
        if called == _NONE:  # the server was not up in time
            called = f"at the second try: {self._tool_results(self._session(self.program.again, 'tools'))}"
        self._speak_elsewhere()
        asked = self._session(self.program.again, "own", _ASKED)
        compacted = self._compact()
        self._do("cuedeck", "setup", self.program.host, "--user", "--remove")
        self._do("cuedeck", "setup", self.program.host, "--remove")
        self._do("git", "checkout", "-q", "docs/gauge.md")
        return Result(
            self.program.host,
            version[0] if version else "?",
            _first_context(started),
            f"{_prompt_context(prompted)}; {_prompt_context(changed)}",
            _yes(DIGEST in _new_text(asked) and _IN_DIGEST in _new_text(asked)),
            _yes(any(_ABOUT_FILE in each.text for each in asked)),
            _yes(_subagent_text(asked)),
            compacted,
            captured,
            called,
            self._remaining_files(before),
        )

    def _status(self) -> str:
        return self._do("git", "status", "--porcelain", "--untracked-files=all")

    def _remaining_files(self, before: str) -> str:
        """Return the files that remain after the removal; a host also writes to its
        settings.
        """
        rows = [
            row[3:]
            for row in self._status().splitlines()
            if row not in before.splitlines()
        ]
        return (
            f"left: {', '.join(f'`{each}`' for each in rows)}" if rows else "as before"
        )

    def _captured(self) -> str:
        """Return the parts of the first session that became statements."""
        found = "\n".join(
            place.read_text()
            for place in (self.place.root / ".cuedeck").glob("sessions/**/*statement*")
        )
        return (
            ", ".join(part for part, words in _CAPTURED.items() if words in found)
            or "nothing"
        )

    def _speak_elsewhere(self) -> None:
        """Hold a conversation in another session, as Claude Code sends it."""
        event = {"session_id": "elsewhere", "cwd": str(self.place.root)}
        self._do(
            "cuedeck",
            "hook",
            "session-start",
            "--host",
            "claude",
            text=json.dumps(event),
        )
        for asked, answer in _OTHERS:
            for name, words in (
                ("prompt", {"prompt": asked}),
                ("stop", {"last_assistant_message": answer}),
            ):
                self._do(
                    "cuedeck",
                    "hook",
                    name,
                    "--host",
                    "claude",
                    text=json.dumps({**event, **words}),
                )

    def _compact(self) -> str:
        """Return the context that arrived around a compaction, after a full context or
        on request.
        """
        if not self.program.compact and not self.program.full:
            return "not run"
        if self.program.compact:
            summary = self._run(self.program.again, self.program.compact)
        else:
            summary = self._run(self.program.again, "Look at the gauge. @play=full")
            summary += self._run(self.program.again, "Look at the gauge. @play=plain")
        last = self._session(self.program.again, "plain")
        if not last:
            return "no request"
        if _count(last[-1], "@play=tools") and _results(last[-1]):
            return "none seen"
        instructions = (
            "instructions for the summary, then "
            if any(KEPT in each.text for each in summary)
            else ""
        )
        briefs = _count(last[-1], BRIEF)
        return f"{instructions}{'no brief' if not briefs else 'the brief' if briefs == 1 else f'{briefs} briefs'}"

    def _tool_results(self, requests: Sequence[Request]) -> str:
        """Return the number of calls with a result, and the share of the scene that the
        model received.
        """
        if not requests:
            return "no request"
        results = _results(requests[-1])
        scene = max((len(text) for text in results if "# Scene" in text), default=0)
        names = [name for name, is_there in (
            ("scene", any(_CARD in text for text in results)),
            ("read", any("return level * 10" in text and "# Scene" not in text for text in results)),
            ("remember", _REMEMBERED in self._memory()),
        ) if is_there]  # fmt: skip
        return (
            f"{', '.join(names) or _NONE}; scene {scene:,} characters"
            if scene
            else ", ".join(names) or _NONE
        )

    def _memory(self) -> str:
        place = self.place.root / ".cuedeck/MEMORY.md"
        return place.read_text() if place.exists() else ""

    def _session(
        self, arguments: Sequence[str], script: str, prompt: str = "Look at the gauge."
    ) -> list[Request]:
        """Run the host with a prompt that plays a script; return the agent requests,
        which have tools.
        """
        return [each for each in self._run(arguments, f"{prompt} @play={script}")
                if FORMATS[each.format].offered(each.body)]  # fmt: skip

    def _run(self, arguments: Sequence[str], prompt: str) -> list[Request]:
        self.model.take()
        self._do(
            self.executable,
            *(prompt if each == "{}" else each for each in arguments),
            is_host=True,
        )
        requests = self.model.take()
        self._runs += 1
        rows = [each.body for each in requests]
        log = self.place.home.parent / "log" / f"{self._runs}.json"
        log.write_text(json.dumps(rows, indent=1, ensure_ascii=False))
        return requests

    def _do(self, *command: str, is_host: bool = False, text: str = "") -> str:
        """Run a command to its end or to a timeout; its process group ends with it."""
        process = subprocess.Popen(
            command, cwd=self.place.root, env=self.environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            out, _ = process.communicate(text, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            out = "timed out"
        finally:
            _kill_group(process)
        with (self.place.home.parent / "log/commands.txt").open("a") as log:
            log.write(f"$ {' '.join(command)}\n{out}\n")
        if process.returncode and not is_host:
            raise subprocess.SubprocessError(
                f"{' '.join(command)}: {out.strip()[-300:]}"
            )
        return out


def _kill_group(process: subprocess.Popen[str]) -> None:
    """Kill the remaining processes of a command by their process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _turns(request: Request) -> list[Turn]:
    return FORMATS[request.format].turns(request.body)


def _results(request: Request) -> list[str]:
    return [turn.text for turn in _turns(request) if turn.kind == "result"]


def _count(request: Request, words: str) -> int:
    return request.text.count(words)


def _first_context(requests: Sequence[Request]) -> str:
    """Return the context in the first request of a session."""
    if not requests:
        return "no request"
    parts = {
        "brief": BRIEF,
        "with statements": "Never round",
        "instructions file": BLOCK,
    }
    return (
        " + ".join(name for name, words in parts.items() if words in requests[0].text)
        or "nothing"
    )


def _prompt_context(requests: Sequence[Request]) -> str:
    """Return the context that arrived with a further prompt: the text after the last
    message of the model.
    """
    if not requests:
        return "no request"
    text = _new_text(requests)
    parts = {"brief": BRIEF, "what changed": NEWS}
    return (
        " + ".join(name for name, words in parts.items() if words in text)
        or "nothing more"
    )


def _new_text(requests: Sequence[Request]) -> str:
    """Return the text after the last message of the model in the first request."""
    turns = _turns(requests[0]) if requests else []
    spoken = [
        at for at, turn in enumerate(turns) if turn.kind in ("assistant", "model")
    ]
    return "\n".join(turn.text for turn in turns[max(spoken, default=-1) + 1 :])


def _subagent_text(requests: Sequence[Request]) -> bool:
    """Return whether a request of a subagent contains the rules of the user."""
    own = [
        each for each in requests if _TASK in _said(each) and _ASKED not in _said(each)
    ]
    return any(BRIEF in each.text and "Never round" in each.text for each in own)


def _said(request: Request) -> str:
    return "\n".join(turn.text for turn in _turns(request) if turn.kind == "user")


def _yes(is_there: bool) -> str:
    return "yes" if is_there else "no"
