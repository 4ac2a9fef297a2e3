"""Memory commands that are killed or run out of disk space, and the checks that must
hold afterwards.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from crash_process import CrashPlan
from crash_runner import KILLED, NO_CRASH, CrashRunner, RunResult, crash_points
from memory_commands import MEMORY_COMMANDS, FinalState, MemoryCommand, check_superseded
from memory_corpus import CorpusSize, MemoryCorpus, write_corpus, write_file
from record_files import (
    ARCHIVE,
    HOME,
    MEMORY,
    RecordFiles,
    all_ids,
    broken_lines,
    find_text,
    read_record_files,
)
from sandbox import CommandOutcome
from workspace_copy import WorkspaceCopy

LIST_RECORDS = ("memory", "list", "--in", "all", "--allow-secret", "--json")
"""Command that lists every record."""
PARTIAL_WRITES = ("half", "line", "short", "torn")
"""How a write is truncated at a crash."""
_LEDGERS = ("memory/tombstones.jsonl", "experiences.jsonl")


class CrashCase(NamedTuple):
    """A command, its workspace, and its result without a crash."""

    name: str
    spec: MemoryCommand
    template: Path
    """Workspace before the command; each run gets a copy."""
    corpus: MemoryCorpus
    command: list[str]
    before: RecordFiles
    after: RecordFiles
    places: list[str]
    """Files that contain the text of the victim after the command."""
    crash_points: list[CrashPlan]
    """Every crash point."""
    own_points: list[CrashPlan]
    """Crash points in files that no other command writes."""


def prepare_case(
    name: str,
    folder: Path,
    runner: CrashRunner,
    shared: CrashRunner,
    size: CorpusSize,
    rng: random.Random,
) -> CrashCase:
    """Write the workspace of a command, with commands that `shared` runs, and run the
    command once in a copy.
    """
    spec = MEMORY_COMMANDS[name]
    shutil.rmtree(folder, ignore_errors=True)
    corpus = write_corpus(
        folder / "before", size, rng, is_new=spec.is_new, is_open=spec.is_open
    )
    known = {each: record.id for each, record in corpus.named.items()}
    write_file(
        folder / "before" / HOME / "config.toml",
        _settings(spec.setup_settings, size, folder / "before"),
    )
    shared.ok(
        folder / "before", ["scene"], *(_insert_ids(each, known) for each in spec.setup)
    )
    write_file(
        folder / "before" / HOME / "config.toml",
        _settings(spec.settings, size, folder / "before"),
    )
    experiences = read_experiences(folder / "before")
    command = _insert_ids(
        spec.command,
        {**known, "EXPERIENCE": experiences[0].split()[0]} if experiences else known,
    )
    shutil.copytree(folder / "before", folder / "after")
    result = runner.run(
        folder / "after", command, LIST_RECORDS, plan=NO_CRASH, text=spec.text
    )
    assert result.ran[0].code == 0, (name, result)
    found = read_record_files(folder / "after")
    spec.check(
        result.ran[0],
        corpus,
        FinalState(
            found, parse_list(result.ran[1]), read_experiences(folder / "after")
        ),
    )
    places = (
        find_text(folder / "after", corpus.named[spec.victim].word)
        if corpus.current
        else []
    )
    before = read_record_files(folder / "before")
    every = crash_points(result.writes, PARTIAL_WRITES)
    own = [
        plan
        for plan in every
        if re.search(spec.own_files, result.writes[plan.at - 1].place)
    ]
    case = CrashCase(
        name,
        spec,
        folder / "before",
        corpus,
        command,
        before,
        found,
        places,
        every,
        own,
    )
    check_forgettable(case._replace(places=[]), folder / "after", shared)
    return case


def _settings(text: str, size: CorpusSize, root: Path) -> str:
    memory = root / HOME / MEMORY
    chars = len(memory.read_text("utf-8")) if memory.exists() else 0
    fewer = max(1, size.current - size.over + 1)
    return text.format(
        records=size.current, fewer=fewer, half=size.current // 2, chars=chars
    )


def _insert_ids(command: Sequence[str], known: Mapping[str, str]) -> list[str]:
    return [
        ",".join(known.get(name, name) for name in each.split(",")) for each in command
    ]


def parse_list(ran: CommandOutcome) -> Mapping[str, Any]:
    """Return the records of the output of `LIST_RECORDS`, by id."""
    assert ran.code == 0, ran
    return {row["id"]: row for row in ran.json["records"]}


def read_experiences(root: Path) -> list[str]:
    """Return the experiences, each as id and text."""
    place = root / HOME / "experiences.jsonl"
    lines = place.read_text("utf-8").splitlines() if place.exists() else []
    return [
        f"{row['id']} {row['text']}"
        for row in map(json.loads, set(lines) - set(broken_lines(place)))
    ]


def run_and_kill(
    case: CrashCase, plan: CrashPlan, workspace: WorkspaceCopy, runner: CrashRunner
) -> RunResult:
    """Run a command in a copy of its workspace and kill it at a crash point."""
    root = workspace.restore()
    ended = runner.run(root, case.command, plan=plan, text=case.spec.text)
    assert ended.signal == KILLED, (case.name, plan, ended)
    return ended


def check_recovery(case: CrashCase, root: Path, runner: CrashRunner) -> None:
    """Check that nothing is lost, run the command again, and check its result."""
    left = read_record_files(root)
    check_records_kept(case, left)
    check_no_torn_lines(case, root, left)
    again, last = runner.run(root, case.command, LIST_RECORDS, text=case.spec.text).ran
    assert again.code == 0 or (
        again.code == 1 and re.search(case.spec.rerun_error, again.err)
    ), again
    found = read_record_files(root)
    check_records_kept(case, found)
    assert all_ids(found) == parse_list(last).keys()
    check_rerun(
        case, again, left, FinalState(found, parse_list(last), read_experiences(root))
    )
    assert not case.spec.removes_victim or not find_text(
        root, case.corpus.named[case.spec.victim].word
    )


def check_forgettable(case: CrashCase, root: Path, runner: CrashRunner) -> bool:
    """Check that `forget` also removes text that a crash left; return whether there was
    any.
    """
    victim = case.corpus.named.get(case.spec.victim)
    if victim is None or not Counter(find_text(root, victim.word)) - Counter(
        case.places
    ):
        return False
    (forgot,) = runner.run(root, ["memory", "forget", victim.id]).ran
    assert forgot.code == 0, forgot
    left = find_text(root, victim.word)
    assert not left, f"not forgotten in {left}"
    return True


def check_records_kept(case: CrashCase, found: RecordFiles) -> None:
    """Check that each record is in its file or in the archive, unchanged or as the
    command leaves it.
    """
    ours = {record.id for record in (*case.corpus.archived, *case.corpus.current)}
    removed = case.corpus.named[case.spec.victim].id if case.spec.removes_victim else ""
    after = {name: each.texts for name, each in case.after.items()}
    for name, was in case.before.items():
        for identity, text in was.texts.items():
            # Compaction merges its own records again.
            if identity == removed or identity not in ours:
                continue
            places = (
                [name]
                if identity in found[name].texts or name not in (MEMORY, ARCHIVE)
                else [MEMORY, ARCHIVE]
            )
            message = [
                found[each].texts[identity]
                for each in places
                if identity in found[each].texts
            ]
            if not message and 'archive = ""' in case.spec.settings:
                continue
            assert message, (name, identity)
            assert set(message) <= {
                text,
                after[name].get(identity),
                after.get(ARCHIVE, {}).get(identity),
            }, (name, message)


def check_no_torn_lines(case: CrashCase, root: Path, left: RecordFiles) -> None:
    """Check that no file has an incomplete line, except at the end of an interrupted
    write.
    """
    for name, each in left.items():
        known = case.before[name].torn if name in case.before else ()
        torn = [line for line in each.torn if line not in known]
        assert len(torn) <= each.is_open, (name, torn)
        assert not each.duplicate_ids, (name, each.duplicate_ids)
    for name in _LEDGERS:
        assert len(broken_lines(root / HOME / name)) <= 1


def check_rerun(
    case: CrashCase, again: CommandOutcome, left: RecordFiles, state: FinalState
) -> None:
    """Check that nothing is duplicated, no line is appended to an incomplete one, and
    the command has its effect.
    """
    for name, each in state.files.items():
        assert not each.duplicate_ids, (name, each.duplicate_ids)
        assert set(each.torn) <= set(left[name].torn if name in left else ()), (
            name,
            each.torn,
        )
    if again.code == 0 or case.spec.check is check_superseded:
        case.spec.check(again, case.corpus, state)
