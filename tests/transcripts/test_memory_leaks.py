"""E7: a secret, by label or by pattern, is in no output and in no file except the
record files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from crash_runner import CrashRunner
from planted_secrets import (
    PlantedSecret,
    labelled_secrets,
    patterned_secrets,
    plant_by_hand,
    plant_labelled,
    plant_patterned,
)
from record_files import HOME, iter_files
from sandbox import (
    CommandOutcome,
    child_environ,
    command_server,
    session_folder,
    until,
)

from cuedeck.model.hook_event import EVENTS
from cuedeck.shells.cli.cli_main import COMMANDS, cuedeck

CONFIG = """
[compaction]
enabled = true
threshold_records = 4
target_records = 70
min_age_days = 0
[experiences]
enabled = true
[[profile]]
id = "work"
root = "profiles/work"

[cortex]
timeline = true
"""
CARD = """---
id: aaaaaa
title: Where the vault phrase is kept
status: active
refs: [src/auth.py, .cuedeck/MEMORY.md, "record:SECRET", "record:PLAIN", LONGMEMORY.md]
---

The login needs the vault phrase. See [[MEMORY]] and @.cuedeck/MEMORY.md.

- [ ] find it
"""
EVERY: Mapping[str, Sequence[str]] = {
    "init": ("init",),
    "scene": (
        "scene", "scene --print", "scene --dry-run", "scene --verify", "scene diff", "scene vault --print",
        "scene login --print",
    ),
    "why": ("why record:SECRET", "why record:PLAIN", "why .cuedeck/MEMORY.md", "why src/auth.py"),
    "read": (
        "read record:SECRET", "read record:PLAIN", "read .cuedeck/MEMORY.md", "read .cuedeck/LONGMEMORY.md",
        "read .cuedeck/memory/MEMORY-archive.md", "read .cuedeck/DAILY", "read .cuedeck/experiences.jsonl",
        "read profiles/work/MEMORY.md", "read .cuedeck/MEMORY.md#L1-L40", "read src/auth.py", "read experience:FIRST",
        "read src/auth.py --numbers", "read .cuedeck/SCENE.md", "read .cuedeck/memory", "read .cuedeck/cache/log.jsonl",
    ),
    "find": (
        "find vault", "find record:SECRET", "find SECRET", "find login", "find verify", "find phrase --kind card",
        "find MEMORY", "find password", "find token",
    ),
    "recall": (
        "recall vault", "recall SECRET", "recall phrase --explain", "recall password --limit 50", "recall token --json",
    ),
    "suggest": ("suggest", "suggest --apply"),
    "watch": (),
    "card": (
        "card list", "card show aaaaaa", "card validate", "card graph", "card deps aaaaaa", "card new -- vault",
        "card ref aaaaaa --add README.md", "card edit aaaaaa --tag vault", "card activate aaaaaa", "card done aaaaaa",
        "card reopen aaaaaa", "card archive aaaaaa", "card reopen aaaaaa", "card activate aaaaaa",
        "card delete aaaaaa --dry-run",
    ),
    "list": ("list", "list --status all"),
    "session": (
        "session status", "session list", "session show OPEN", "session touch src/auth.py --write",
        "session note later", "session checkpoint", "session step next", "session close enough", "session resume",
        "session clean", "session start --card aaaaaa", "session archive NONE",
    ),
    "resume": ("resume",),
    "progress": ("progress done one", "progress doing two", "progress todo three", "progress list"),
    "decide": ("decide Vaults --affects src/auth.py --because record:SECRET",),
    "decision": (
        "decision list", "decision show DECISION", "decision confirm DECISION", "decision export",
        "decision supersede DECISION --by NONE",
    ),
    "assumption": ("assumption add x --check file_exists=README.md", "assumption check", "assumption list",
                   "assumption resolve x"),
    "attempt": ("attempt add --on src/auth.py --tried a --failed b", "attempt list"),
    "memory": (
        "memory add plainly", "memory list", "memory list --in all", "memory list --in archive",
        "memory list --contains vault", "memory list --profile work", "memory show SECRET", "memory show PLAIN",
        "memory show vault", "memory edit PLAIN --category learned", "memory confirm PLAIN",
        "memory confirm SECRET", "memory supersede PLAIN anew",
        "memory supersede SECRET --by PLAIN", "memory context", "memory context --profile work",
        "memory context --kind shared", "memory integrity", "memory stats", "memory stats --profile work",
        "memory tick", "memory compact", "memory compact --dry-run", "memory compact --undo", "memory compact",
        "memory forget SECRET --dry-run", "memory context", "memory read", "memory read MEMORY.md#L1-L40",
        "memory read memory/MEMORY-archive.md", "memory read LONGMEMORY.md", "memory read DAILY",
        "memory read --profile work", "memory read --json", "memory write USER.md --if-hash none",
    ),
    "remember": ("remember plainly too",),
    "experience": (
        "experience extract", "experience extract --profile work", "experience list", "experience query vault",
        "experience query phrase --profile work", "experience add names-matter", "experience forget FIRST",
    ),
    "dream": ("dream run --dry-run", "dream run", "dream status", "dream diary", "dream diary --nights 0"),
    "cortex": (
        "cortex open --title vault --tag phrase", "cortex add vault", "cortex commit", "cortex close",
        "cortex sessions", "cortex ls", "cortex tree", "cortex search vault", "cortex explore phrase",
        "cortex abstract cortex://session", "cortex overview cortex://session", "cortex read cortex://session",
        "cortex forget cortex://session --dry-run", "cortex import profiles/work --dry-run",
    ),
    "layers": ("layers build", "layers status", "layers verify"),
    "graph": ("graph", "graph --scene", "graph --code all --format json", "graph --stats", "graph --format svg"),
    "doctor": ("doctor", "doctor --strict", "doctor --repair --dry-run", "doctor --repair"),
    "hook": (),
    "setup": (
        "setup claude --dry-run", "setup claude", "setup claude --check", "setup codex --check",
        "setup claude --remove",
    ),
    "capture": ("capture status", "capture off", "capture on"),
    "backfill": ("backfill claude --dry-run", "backfill claude"),
    "mcp": (),
    "open": ("open vault --json", "open MEMORY --json"),
    "config": ("config show", "config check"),
    "clean": ("clean --dry-run",),
    "completion": ("completion bash",),
}  # fmt: skip
"""Command lines to run, by command. `watch` does not end, so `scene` and `memory tick`
run in its place. Hooks run separately, with requests of a host."""
OPEN = (
    f"{HOME}/MEMORY.md",
    f"{HOME}/memory/",
    "profiles/work/MEMORY.md",
    "profiles/work/memory/",
)
"""Files that may contain a record labelled secret. The folders also contain the copies
of MEMORY.md for an undo.
"""


class CommandOutput(NamedTuple):
    """A command and its output."""

    command: str
    ran: CommandOutcome


class LeakReport(NamedTuple):
    """A workspace after a run of every command."""

    root: Path
    labelled: Sequence[PlantedSecret]
    patterned: Sequence[PlantedSecret]
    by_hand: Sequence[PlantedSecret]
    outputs: Sequence[CommandOutput]
    openly: Sequence[CommandOutput]
    """Outputs of commands with `--allow-secret`."""


@pytest.fixture(scope="module")
def leaks(
    shared_runner: CrashRunner, tmp_path_factory: pytest.TempPathFactory
) -> LeakReport:
    """Plant secrets and run everything."""
    root = tmp_path_factory.mktemp("leaks").resolve() / "work"

    def run(*arguments: str, text: str = "") -> CommandOutcome:
        (ran,) = shared_runner.run(root, arguments, text=text).ran
        assert ran.code == 0, (arguments, ran)
        return ran

    for place, text in (
        ("src/auth.py", "def login():\n    pass\n"),
        ("README.md", "# Vault\n"),
        (f"{HOME}/config.toml", ""),
    ):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    (root / HOME / "config.toml").write_text(
        CONFIG.replace("enabled = true", "enabled = false")
    )
    labelled, patterned, by_hand = (
        labelled_secrets(),
        patterned_secrets(),
        patterned_secrets(7)[:4],
    )
    run("session", "start")
    run(
        "memory",
        "add",
        "-",
        text="".join(f"the vault number {number} was opened\n" for number in range(40)),
    )
    secret = plant_labelled(run, labelled)
    plant_patterned(run, patterned)
    plant_by_hand(root, by_hand)
    (root / HOME / "config.toml").write_text("[memory]\nmax_records = 65\n")
    plain = run("memory", "add", "src/auth.py keeps no vault phrase").out.strip()
    (root / HOME / "cards").mkdir()
    (root / HOME / "cards/aaaaaa.md").write_text(
        CARD.replace("SECRET", secret).replace("PLAIN", plain)
    )
    (root / HOME / "config.toml").write_text(CONFIG)
    outputs, openly = run_everything(
        root, shared_runner, {"SECRET": secret, "PLAIN": plain}
    )
    environ = {
        **child_environ(session_folder(tmp_path_factory)),
        "CUEDECK_NO_BACKGROUND": "1",
    }
    outputs += [
        run_hook(event, root, environ, patterned[at].text)
        for at, event in enumerate(EVENTS)
    ]

    def is_processed() -> bool:
        run("memory", "tick")
        return not list((root / HOME / "sessions/pending").rglob("*.json"))

    until(is_processed, "the events that a busy machine left in the queue")
    return LeakReport(root, labelled, patterned, by_hand, outputs, openly)


def run_everything(
    root: Path, shared_runner: CrashRunner, ids: Mapping[str, str]
) -> tuple[list[CommandOutput], list[CommandOutput]]:
    """Run every command, plain and with `--json`, whatever its exit code; commands that
    create files come first.
    """
    answer, openly = [], []
    for lines in (EVERY["memory"], EVERY["experience"], *EVERY.values()):
        known = {**ids, **found_ids(root, shared_runner)}
        given = [
            (line, words) for line in lines for words in _plain_and_json(line, known)
        ]
        ran = shared_runner.run(root, *(words for _, words in given)).ran
        answer += [
            CommandOutput(line, each)
            for (line, _), each in zip(given, ran, strict=True)
        ]
    for line in ("memory list --in all", "memory show SECRET", "memory context"):
        words = [*_plain_and_json(line, ids)[0], "--allow-secret"]
        openly += [
            CommandOutput(line, ran)
            for ran in shared_runner.run(root, words, [*words, "--json"]).ran
        ]
    return answer, openly


def run_hook(
    event: str, root: Path, environ: Mapping[str, str], text: str
) -> CommandOutput:
    """Run a hook with a request that contains a secret."""
    received = {
        "session_id": "a", "cwd": str(root), "source": "startup", "prompt": f"where is the vault phrase kept? {text}",
        "tool_name": "Write", "tool_input": {"file_path": "src/auth.py", "content": text},
        "last_assistant_message": f"It says {text}",
    }  # fmt: skip
    ended = command_server().run(
        ["hook", event, "--host", "claude"],
        str(root),
        environ,
        json.dumps(received).encode(),
    )
    return CommandOutput(
        f"hook {event}",
        CommandOutcome(ended.code, ended.out.decode(), ended.err.decode()),
    )


def _plain_and_json(line: str, known: Mapping[str, str]) -> list[list[str]]:
    words = [_with_ids(word, known) for word in line.split()]
    at = words.index("--") if "--" in words else len(words)
    return [words, words if "--json" in words else [*words[:at], "--json", *words[at:]]]


def _with_ids(word: str, known: Mapping[str, str]) -> str:
    for name, value in known.items():
        word = word.replace(name, value)
    return word


def found_ids(root: Path, shared_runner: CrashRunner) -> dict[str, str]:
    """Return the ids that exist now, by the name that the commands use."""
    ran = shared_runner.run(
        root, ["decision", "list", "--json"], ["experience", "list", "--json"]
    ).ran
    decisions, experiences = ran[0].json["decisions"], ran[1].json["experiences"]
    (daily,) = sorted((root / HOME / "memory").glob("20*.md"))[:1]
    session = next((root / HOME / "sessions").glob("[!.]*.json*")).name.split(".")[0]
    return {
        "DAILY": f"memory/{daily.name}",
        "OPEN": session,
        "DECISION": decisions[0]["id"] if decisions else "none",
        "FIRST": experiences[0]["id"] if experiences else "none",
    }


def leaks_in_outputs(
    outputs: Sequence[CommandOutput], secrets: Sequence[PlantedSecret]
) -> list[str]:
    """Return the commands that printed a secret, with the secret."""
    rows = [(each.command, (each.ran.out + each.ran.err).lower()) for each in outputs]
    rows = [
        (command, text.replace("\\n", "\n").replace('\\"', '"'))
        for command, text in rows
    ]
    return [
        f"{command}: {part}"
        for command, text in rows
        for each in secrets
        for part in each.sought
        if part.lower() in text
    ]


def leaks_in_files(
    root: Path, secrets: Sequence[PlantedSecret], allowed: Sequence[str] = ()
) -> list[str]:
    """Return the files that contain a secret, with the secret."""
    rows = [
        (name, data.lower())
        for name, data in iter_files(root)
        if not name.startswith(tuple(allowed))
    ]
    return [
        f"{name}: {part}"
        for name, data in rows
        for each in secrets
        for part in each.sought
        if part.lower().encode() in data
    ]


def test_every_command_is_run() -> None:
    assert EVERY.keys() == COMMANDS.keys()
    context = click.Context(cuedeck)
    for name, lines in EVERY.items():
        command = cuedeck.get_command(context, name)
        known = {line.split()[1] for line in lines if len(line.split()) > 1}
        if isinstance(command, click.Group) and name != "scene":
            assert set(command.commands) <= known, name
    assert [name for name, lines in EVERY.items() if not lines] == [
        "watch",
        "hook",
        "mcp",
    ]


def test_commands_reach_every_kind_of_output(leaks: LeakReport) -> None:
    ended = {each.command: each.ran for each in leaks.outputs}
    assert not [
        each
        for each in leaks.outputs
        if "internal error" in each.ran.err + each.ran.out
    ]
    for command in (
        "scene",
        "memory context",
        "memory tick",
        "memory compact",
        "experience extract",
        "read record:PLAIN",
    ):
        assert ended[command].code == 0, (command, ended[command])
    for name in (
        "SCENE.md",
        "LONGMEMORY.md",
        "experiences.jsonl",
        "memory/MEMORY-archive.md",
    ):
        assert (leaks.root / HOME / name).stat().st_size
    assert len(list((leaks.root / HOME / "cache").glob("*/index.sqlite"))) == 1
    assert len(leaks.labelled) == len(leaks.patterned) == 20


@pytest.mark.parametrize("way", ["labelled", "patterned", "by_hand"])
def test_e7_no_secret_is_printed(leaks: LeakReport, way: str) -> None:
    found = leaks_in_outputs(leaks.outputs, getattr(leaks, way))
    assert not found


def test_e7_secret_records_are_printed_on_request(leaks: LeakReport) -> None:
    message = "".join(each.ran.out for each in leaks.openly)
    assert all(each.sought[0] in message for each in leaks.labelled[:3])
    found = leaks_in_outputs(leaks.openly, [*leaks.patterned, *leaks.by_hand])
    assert not found


def test_e7_secret_records_are_only_in_the_record_files(leaks: LeakReport) -> None:
    found = leaks_in_files(leaks.root, leaks.labelled, OPEN)
    assert not found
    text = "".join(
        data.decode("utf-8", "replace")
        for name, data in iter_files(leaks.root)
        if name.startswith(OPEN)
    )
    assert all(each.sought[0] in text for each in leaks.labelled)


def test_e7_text_that_looks_like_a_secret_is_in_no_file(leaks: LeakReport) -> None:
    found = leaks_in_files(leaks.root, leaks.patterned) + leaks_in_files(
        leaks.root, leaks.by_hand, OPEN
    )
    assert not found


def test_e7_no_secret_is_left_in_the_caches_of_the_user(
    leaks: LeakReport, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = session_folder(tmp_path_factory)
    for name in ("home", "cache"):
        found = leaks_in_files(
            folder / name, [*leaks.labelled, *leaks.patterned, *leaks.by_hand]
        )
        assert not found


def test_e7_a_record_that_becomes_secret_is_no_experience_any_more(
    crash_runner: CrashRunner, tmp_path: Path
) -> None:
    (tmp_path / HOME / "cards").mkdir(parents=True)
    (tmp_path / HOME / "cards/aaaaaa.md").write_text(CARD.replace("refs", "tags"))
    (secret,) = labelled_secrets()[:1]
    (ran,) = crash_runner.run(tmp_path, ["memory", "add", secret.text]).ran
    edit = ["memory", "edit", ran.out.strip(), "--sensitivity", "secret"]
    crash_runner.ok(
        tmp_path,
        ["experience", "extract"],
        ["scene"],
        edit,
        ["experience", "extract"],
        ["scene"],
    )
    answer = crash_runner.run(
        tmp_path,
        ["experience", "list"],
        ["experience", "query", "vault"],
        ["scene", "--print"],
    ).ran
    found = leaks_in_outputs(
        [CommandOutput("", each) for each in answer], [secret]
    ) + leaks_in_files(tmp_path, [secret], OPEN)
    assert not found


def test_e7_a_merged_record_that_becomes_secret_is_no_longer_printed(
    crash_runner: CrashRunner, tmp_path: Path
) -> None:
    (tmp_path / HOME).mkdir()
    (tmp_path / HOME / "config.toml").write_text(
        "[compaction]\ntarget_records = 3\nmin_age_days = 0\n"
    )
    secrets = labelled_secrets()[:6]
    compact = ["memory", "compact", "--force"]
    added, _ = crash_runner.run(
        tmp_path,
        ["memory", "add", "-"],
        compact,
        text="\n".join(each.text for each in secrets),
    ).ran
    for identity in added.out.split():
        crash_runner.ok(
            tmp_path, ["memory", "edit", identity, "--sensitivity", "secret"]
        )
    answer = crash_runner.run(tmp_path, ["memory", "context"], ["memory", "list"]).ran
    undone = crash_runner.run(
        tmp_path,
        ["memory", "compact", "--undo"],
        ["memory", "context"],
        ["memory", "list"],
    ).ran
    found = leaks_in_outputs(
        [CommandOutput("", each) for each in (*answer, *undone)], secrets
    )
    assert not found
    assert not leaks_in_files(tmp_path, secrets, OPEN)
