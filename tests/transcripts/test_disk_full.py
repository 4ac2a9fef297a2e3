"""A full disk: existing files stay unchanged, the error is clear, and commands work
again once there is room.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from crash_cases import (
    LIST_RECORDS,
    CrashCase,
    check_records_kept,
    parse_list,
    prepare_case,
    read_experiences,
)
from crash_runner import CrashRunner
from memory_commands import FinalState
from memory_corpus import CorpusSize
from record_files import ARCHIVE, HOME, MEMORY, all_ids, read_record_files
from sandbox import CommandOutcome

pytestmark = pytest.mark.slow


def prepared_case(
    name: str, crash_runner: CrashRunner, shared_runner: CrashRunner, folder: Path
) -> CrashCase:
    """Return a prepared crash case."""
    return prepare_case(
        name,
        folder / "shelf",
        crash_runner,
        shared_runner,
        CorpusSize(),
        random.Random(name),
    )


@pytest.mark.parametrize(
    "name", ["add", "trim", "edit", "supersede-trims", "compact", "experience-many"]
)
def test_file_size_limit_leaves_existing_files(
    name: str, crash_runner: CrashRunner, shared_runner: CrashRunner, tmp_path: Path
) -> None:
    case, root, codes = (
        prepared_case(name, crash_runner, shared_runner, tmp_path),
        tmp_path / "work",
        [],
    )
    memory, archive = (
        (case.template / HOME / name).stat().st_size for name in (MEMORY, ARCHIVE)
    )
    for largest in sorted(
        (1, 150, archive + 1, archive + 150, memory + 1, memory + 150, 50_000)
    ):
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(case.template, root)
        (ran,) = shared_runner.run(
            root, case.command, text=case.spec.text, largest=largest
        ).ran
        codes.append(ran.code)
        try:
            check_failed_write(case, ran, root)
            check_recovered(case, ran, root, root, shared_runner)
        except AssertionError as error:
            raise AssertionError(
                f"{case.name} with {largest} bytes at most: {ran}"
            ) from error
    assert 1 in codes and codes[-1] == 0


def check_failed_write(case: CrashCase, ran: CommandOutcome, root: Path) -> None:
    """Check that nothing is lost or half written, and that a reported failure had no
    effect.
    """
    assert ran.code in (0, 1), ran
    found = read_record_files(root)
    check_records_kept(case, found)
    for name, each in found.items():
        assert not each.duplicate_ids and each.torn == (
            case.before[name].torn if name in case.before else ()
        ), name
    assert not list(root.rglob("*.tmp"))
    if ran.code == 1:
        assert (
            ran.err.startswith("error: cannot ")
            and "internal" not in ran.err
            and "hint: " in ran.err
        )
        assert not all_ids(found) - all_ids(case.before), (
            "a refused record is in the memory"
        )
        assert (
            case.spec.removes_victim
            or found[MEMORY].texts.items() <= case.before[MEMORY].texts.items()
        )


def check_recovered(
    case: CrashCase,
    ran: CommandOutcome,
    root: Path,
    seen: Path,
    crash_runner: CrashRunner,
) -> None:
    """Check that the command succeeds once there is room again."""
    again, look = crash_runner.run(
        root, case.command, LIST_RECORDS, text=case.spec.text
    ).ran
    assert again.code == 0 or ran.code == 0, again
    found = read_record_files(seen)
    check_records_kept(case, found)
    assert not [name for name, each in found.items() if each.duplicate_ids]
    if again.code == 0:
        case.spec.check(
            again,
            case.corpus,
            FinalState(found, parse_list(look), read_experiences(seen)),
        )
