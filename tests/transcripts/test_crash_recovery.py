"""A command killed at any of its writes: acknowledged data survives, and the command
can be run again.
"""

from __future__ import annotations

import contextlib
import json
import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import lz4.frame
import pytest
from crash_process import CrashPlan
from crash_runner import KILLED, NO_CRASH, CrashRunner, Operation, crash_points
from sandbox import CommandOutcome
from workspace_copy import WorkspaceCopy

pytestmark = pytest.mark.slow

OLD = {
    "sessionId": "old-one",
    "createdAt": "2020-01-01T00:00:00Z",
    "lastAccess": "2020-01-02T00:00:00Z",
    "status": "closed",
    "notes": [{"text": "an old note", "timestamp": "2020-01-02T00:00:00Z"}],
}
CARD = "---\nid: aaaaaa\ntitle: Fix login\nstatus: active\nrefs: [README.md]\n---\n\n- [x] read it\n"
PACKED = "[session]\ncompress_kib = 0\n"
ALLOWED = {"bad-entry", "leftover", "set-aside"}
"""Codes of findings that the doctor may report only after a crash: an incomplete line,
and remaining files.
"""


class CrashCommand(NamedTuple):
    """A command, a pattern of the state that it acknowledges, and the message that it
    may print instead when most of its work is already done.
    """

    command: str
    fact: str = "the last"
    already: str = "^$"
    at: str = "open"
    """Name of its workspace."""
    files: tuple[tuple[str, str], ...] = ()
    """Files to write before the command, by path."""


NO_ACTIVE_CARD = (
    (".cuedeck/cards/aaaaaa.md", CARD.replace("active", "todo")),
    (".cuedeck/active", ""),
)
CONFIG = ".cuedeck/config.toml"
CRASH_COMMANDS = {
    "note": CrashCommand("session note 'the last'"),
    "note-packs": CrashCommand("session note 'the last'", files=((CONFIG, PACKED),)),
    "note-unpacks": CrashCommand("session note 'the last'", at="packed"),
    "note-on-backup": CrashCommand("session note 'the last'", at="broken"),
    "close": CrashCommand("session close 'the last'", already="no session is open"),
    "start": CrashCommand(
        "session start --card aaaaaa",
        '"status": "open"',
        "a session is already open",
        "closed",
        NO_ACTIVE_CARD,
    ),
    "resume": CrashCommand("resume", '"status": "open"', at="closed"),
    "clean": CrashCommand("session clean", "archived: .*old-one"),
    "decide": CrashCommand("decide 'the last' --because so"),
    "supersede": CrashCommand(
        "decision supersede FIRST --by SECOND",
        '"status": "superseded"',
        "is superseded by",
    ),
    "assume": CrashCommand("assumption add 'the last' --check file_exists=README.md"),
    "check": CrashCommand(
        "assumption check", '"evidence": "Found', files=(("later.md", "# Later\n"),)
    ),
    "card": CrashCommand("card new --activate -- 'the last'"),
    "card-done": CrashCommand("card done aaaaaa", '"status": "done"'),
    "init": CrashCommand("init", "config.toml", at="nothing"),
    "init-force": CrashCommand(
        "init --force", "config.toml", files=((CONFIG, PACKED),)
    ),
}
PLANTED = (
    *("a note", "a thing", "a point", "the first", "the second", "a loop", "later"),
    *("an old note", "Fix login", "old-one"),
)
"""Texts that were acknowledged before; no command removes one."""


@pytest.fixture(scope="session")
def reader(shared_runner: CrashRunner) -> StateReader:
    """The reader of all tests of a worker."""
    return StateReader(shared_runner)


@pytest.fixture(scope="session")
def templates(
    tmp_path_factory: pytest.TempPathFactory, shared_runner: CrashRunner
) -> dict[str, Path]:
    """Workspaces to copy, by name."""
    base = tmp_path_factory.mktemp("shelf").resolve()
    places = {
        name: base / name
        for name in ("nothing", "empty", "open", "closed", "packed", "broken")
    }
    places["nothing"].mkdir()
    write_text(places["empty"] / "README.md", "# Hello\n")
    shared_runner.ok(places["empty"], ["init"])
    shutil.copytree(places["empty"], places["open"])
    write_every_kind(places["open"], shared_runner)
    for name, commands in (
        ("closed", [["session", "close", "enough"]]),
        ("packed", [["session", "note", "packed"]]),
    ):
        shutil.copytree(places["open"], places[name])
        if name == "packed":
            write_text(places[name] / ".cuedeck/config.toml", PACKED)
        shared_runner.ok(places[name], *commands)
    (places["packed"] / ".cuedeck/config.toml").write_text("")
    assert list((places["packed"] / ".cuedeck/sessions").glob("*.lz4"))
    shutil.copytree(places["open"], places["broken"])
    broken = session_file(places["broken"])
    broken.write_bytes(broken.read_bytes()[:500])
    return places


def write_every_kind(root: Path, shared_runner: CrashRunner) -> None:
    """Write an entry of every kind."""
    write_text(root / ".cuedeck/cards/aaaaaa.md", CARD)
    write_text(root / ".cuedeck/active", "aaaaaa\n")
    shared_runner.ok(
        root,
        ["session", "start"],
        ["session", "note", "a note", "--next", "more"],
        ["progress", "done", "a thing"],
        ["session", "checkpoint", "a point"],
        ["decide", "the first"],
        ["decide", "the second"],
        [
            "attempt",
            "add",
            "--on",
            "README.md",
            "--tried",
            "a loop",
            "--failed",
            "it never ended",
        ],
        [
            "assumption",
            "add",
            "later",
            "--id",
            "later",
            "--check",
            "file_exists=later.md",
        ],
    )
    assert shared_runner.run(root, ["assumption", "check"]).ran[0].code == 1
    for name in ("old-one.json", "old-one.backup.json"):
        write_text(root / ".cuedeck/sessions" / name, json.dumps(OLD))


def write_text(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)


def session_file(root: Path) -> Path:
    """Return the file of the open session."""
    identity = (root / ".cuedeck/sessions/open").read_text().strip()
    (found,) = (root / ".cuedeck/sessions").glob(f"{identity}.json*")
    return found


class State(NamedTuple):
    """The state that commands report."""

    text: str
    """The JSON that the commands print, without the findings of the doctor."""
    findings: tuple[tuple[str, str, str], ...]
    """Findings of the doctor: level, code, path."""

    @property
    def planted(self) -> set[str]:
        return {text for text in PLANTED if text in self.text}


READS = {
    "session list": "sessions/",
    "decision list --all": "decisions",
    "attempt list": "attempts",
    "assumption list": "assumptions",
    "card list --status all": "cards/|active$",
    "doctor": "",
}
"""Commands that print acknowledged facts, each with a pattern of the files it reads."""


SESSION_FILE = r"\.cuedeck/sessions/(?!archive|\.)([^/.]+)(?:\.backup)?\.json(?:\.lz4)?"


class StateReader:
    """Reads the state with commands; a command is not repeated while its input files
    are unchanged.
    """

    def __init__(self, shared_runner: CrashRunner) -> None:
        self._witness = shared_runner
        self._known: dict[object, CommandOutcome] = {}

    def read_state(self, root: Path) -> State:
        """Read every acknowledged fact."""
        return self.read_state_and_run(root)[0]

    def read_state_and_run(
        self, root: Path, *commands: list[str]
    ) -> tuple[State, Sequence[CommandOutcome]]:
        """Read every acknowledged fact, then run commands in the same process."""
        if not (root / ".cuedeck").is_dir():
            return State("", ()), self._witness.run(root, *commands).ran
        files = list_files(root)
        sessions = (re.fullmatch(SESSION_FILE, name) for name, _ in files)
        ids = sorted({found[1] for found in sessions if found})
        shows = {f"session show {identity}": "sessions/" for identity in ids}
        keys = {}
        for line, reads in {**READS, **shows}.items():
            found = (
                each for each in files if re.search(reads + "|config.toml", each[0])
            )
            keys[line] = (line, *found)
        new = {line: key for line, key in keys.items() if key not in self._known}
        looks = [[*line.split(), "--json"] for line in new]
        ran = self._witness.run(root, *looks, *commands).ran
        assert len(ran) == len(new) + len(commands), ran
        self._known.update(zip(new.values(), ran, strict=False))
        return self._parse([self._known[key] for key in keys.values()], root), ran[
            len(new) :
        ]

    def _parse(self, outputs: Sequence[CommandOutcome], root: Path) -> State:
        """Return the state that the commands printed. A session without output is
        archived.
        """
        assert not any("internal error" in each.err + each.out for each in outputs)
        *ledgers, doctor = outputs[: len(READS)]
        assert all(each.code == 0 for each in ledgers) and doctor.code in (0, 1), (
            outputs
        )
        texts = [
            each.out for each in (*ledgers, *outputs[len(READS) :]) if not each.code
        ]
        archive = root / ".cuedeck/sessions/archive.jsonl.lz4"
        if archive.exists():
            with lz4.frame.open(archive, "rb") as file:
                texts.append(f"archived: {file.read().decode()}")
        texts += [place.name for place in (root / ".cuedeck").glob("*.toml")]
        rows = doctor.json["findings"]
        findings = tuple((row["level"], row["code"], row["path"]) for row in rows)
        return State("\n".join(texts), findings)


def list_files(root: Path) -> list[tuple[str, bytes]]:
    """Return the files of a workspace, without its caches."""
    files = sorted(place for place in root.rglob("*") if place.is_file())
    return [
        (place.relative_to(root).as_posix(), place.read_bytes())
        for place in files
        if ".sqlite" not in place.name and place.suffix != ".lock"
    ]


def prepare(case: CrashCommand, workspace: WorkspaceCopy) -> Path:
    """Restore the workspace of a case, and write its files; return it."""
    root = workspace.restore()
    for path, text in case.files:
        write_text(root / path, text)
    return root


def command_with_ids(case: CrashCommand, templates: dict[str, Path]) -> list[str]:
    """Return the command with the ids in place of their names."""
    ledger = templates["open"] / ".cuedeck/decisions.jsonl"
    ids = {
        json.loads(line)["decision"]: json.loads(line)["id"]
        for line in ledger.read_text().splitlines()
    }
    names = {"FIRST": ids["the first"], "SECOND": ids["the second"]}
    return [names.get(each, each) for each in shlex.split(case.command)]


@pytest.mark.parametrize("name", CRASH_COMMANDS)
def test_command_can_be_killed_at_each_of_its_writes(
    name: str,
    templates: dict[str, Path],
    crash_runner: CrashRunner,
    reader: StateReader,
    tmp_path: Path,
) -> None:
    case = CRASH_COMMANDS[name]
    command = command_with_ids(case, templates)
    workspace = WorkspaceCopy(templates[case.at], tmp_path / "work")
    root = prepare(case, workspace)
    before = reader.read_state(root)
    lived = crash_runner.run(root, command, plan=NO_CRASH)
    assert lived.ran[0].code == 0, lived
    after = reader.read_state(root)
    assert re.search(case.fact, after.text)
    assert name == "init-force" or not re.search(case.fact, before.text)
    assert lived.writes
    seen: set[frozenset[tuple[str, bytes]]] = set()
    ends: set[frozenset[tuple[str, bytes]]] = set()
    for plan in crash_points(lived.writes):
        prepare(case, workspace)
        ended = crash_runner.run(root, command, plan=plan)
        assert ended.signal == KILLED, (plan, ended)
        left = frozenset(
            (name, b"" if name.endswith(".tmp") else data)
            for name, data in snapshot(root)
        )
        if left not in seen:
            seen.add(left)
            check_crash(
                Crash(case, command, plan, ended.writes),
                before,
                after,
                root,
                reader,
                ends,
            )


def test_command_in_its_own_process_is_killed_at_the_same_place(
    templates: dict[str, Path], crash_runner: CrashRunner, tmp_path: Path
) -> None:
    case = CRASH_COMMANDS["note"]
    command, plan = shlex.split(case.command), CrashPlan(4, "before")
    for name in ("forked", "started"):
        prepare(case, WorkspaceCopy(templates[case.at], tmp_path / name))
    forked = crash_runner.run(tmp_path / "forked", command, plan=plan)
    started = crash_runner.start(tmp_path / "started", command, plan)
    assert forked.signal == started.signal == KILLED
    assert [each.name for each in forked.writes] == [
        each.name for each in started.writes
    ]
    assert snapshot(tmp_path / "forked") == snapshot(tmp_path / "started")


class Crash(NamedTuple):
    """A killed command."""

    case: CrashCommand
    command: list[str]
    plan: CrashPlan
    writes: tuple[Operation, ...]

    def __str__(self) -> str:
        return f"{' '.join(self.command)}: {self.plan}, begun: {', '.join(map(str, self.writes[-4:]))}"


def check_crash(
    crash: Crash,
    before: State,
    after: State,
    root: Path,
    reader: StateReader,
    ends: set[frozenset[tuple[str, bytes]]],
) -> None:
    """Check that nothing is lost, that the command can be run again, and that the state
    is valid afterwards. `ends` contains the final states already checked; an equal
    state, temporary files aside, is not checked again.
    """
    found, (again,) = reader.read_state_and_run(root, crash.command)
    assert before.planted <= found.planted, str(crash)
    errors = [
        each
        for each in found.findings
        if each[0] == "error" and each not in before.findings
    ]
    assert not errors, (str(crash), errors)
    assert again.code == 0 or (
        again.code == 1 and re.search(crash.case.already, again.err)
    ), (str(crash), again)
    end = frozenset(
        (name, data) for name, data in snapshot(root) if not name.endswith(".tmp")
    )
    if end in ends:
        return
    ends.add(end)
    found = reader.read_state(root)
    assert before.planted <= found.planted, (str(crash), again)
    assert re.search(crash.case.fact, found.text), (str(crash), again)
    codes = {code for _, code, _ in found.findings}
    assert codes - {code for _, code, _ in after.findings} <= ALLOWED, (
        str(crash),
        again,
        found.findings,
    )


def snapshot(root: Path) -> frozenset[tuple[str, bytes]]:
    """Return the files after a crash without times and random ids, so that equal states
    compare equal.
    """
    found = set()
    for place in root.rglob("*"):
        if (
            place.is_file()
            and ".sqlite" not in place.name
            and not place.name.endswith(".lock")
        ):
            data = place.read_bytes()
            with contextlib.suppress(RuntimeError):
                data = lz4.frame.decompress(data) if place.suffix == ".lz4" else data
            name = place.relative_to(root).as_posix()
            found.add(
                (
                    re.sub(r"(?:\.\d+)+(?=\.tmp$)|[0-9a-z]{6}(?=\.)", "", name),
                    RANDOM_PARTS.sub(b"", data),
                )
            )
    return frozenset(found)


RANDOM_PARTS = re.compile(
    rb'20\d\d-\d\d-\d\dT[0-9:.]*Z?|(?<=fix-login-)[0-9a-z]{6}|(?<="id": ")[0-9a-z]{6}|(?<="receipt": ")[0-9a-f]{64}'
)
