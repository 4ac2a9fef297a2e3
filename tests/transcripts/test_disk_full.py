"""A full disk: existing files stay unchanged, the error is clear, and commands work
again once there is room.
"""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Iterator
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
from sandbox import CommandOutcome, child_environ, session_folder

NAMES = (
    "add",
    "add-first",
    "add-lines",
    "trim",
    "edit",
    "supersede-trims",
    "forget",
    "compact",
    "experience-many",
)
PAGE = 4096
ROOMS = (*range(6), 8, 10, 13, 17, 22, 29, 38, 50, 65, 85, 120)
"""Numbers of free pages."""
MOUNT = 'mount -t tmpfs -o size=2m,mode=700 none "$0" && exec "$@"'


def is_mountable(place: Path) -> bool:
    """Return whether this machine can mount a private file system."""
    try:
        return not subprocess.run(
            ["unshare", "-rm", "sh", "-c", MOUNT, place, "true"], capture_output=True
        ).returncode
    except FileNotFoundError:
        return False


class SmallDisk:
    """A small private file system, mounted only for the commands that run on it."""

    def __init__(self, place: Path, environ: dict[str, str]) -> None:
        place.mkdir()
        self.crash_runner = CrashRunner(
            environ, ["unshare", "-rm", "sh", "-c", MOUNT, str(place)], how="stay"
        )
        self.root = place / "work"
        """Path of the workspace for the commands."""
        assert self.crash_runner.run(Path("/"), ["--version"]).signal == 0
        self._base = Path(f"/proc/{self.crash_runner.number}/root{place}")
        self.seen = self._base / "work"
        """Path of the workspace for this process."""

    def fill(self, template: Path, pages: int) -> None:
        """Copy a workspace to the disk and leave the given number of pages free."""
        self.free_space()
        shutil.rmtree(self.seen, ignore_errors=True)
        shutil.copytree(template, self.seen)
        free = shutil.disk_usage(self._base).free // PAGE
        (self._base / "rest").write_bytes(b"x" * PAGE * max(0, free - pages))

    def free_space(self) -> None:
        """Remove the filler file."""
        (self._base / "rest").unlink(missing_ok=True)


@pytest.fixture(scope="session")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallDisk]:
    """One disk for all tests of a worker."""
    place = tmp_path_factory.mktemp("disk").resolve() / "small"
    place.mkdir()
    if not is_mountable(place):
        pytest.skip(
            "no file system of our own can be had here; the tests of a limit of files take its place"
        )
    small_disk = SmallDisk(
        place / "disk", child_environ(session_folder(tmp_path_factory))
    )
    yield small_disk
    small_disk.crash_runner.close()


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


@pytest.mark.parametrize("name", NAMES)
def test_full_disk_leaves_existing_files(
    name: str,
    disk: SmallDisk,
    crash_runner: CrashRunner,
    shared_runner: CrashRunner,
    tmp_path: Path,
) -> None:
    case, codes = prepared_case(name, crash_runner, shared_runner, tmp_path), []
    for pages in ROOMS:
        disk.fill(case.template, pages)
        (ran,) = disk.crash_runner.run(disk.root, case.command, text=case.spec.text).ran
        codes.append(ran.code)
        try:
            check_failed_write(case, ran, disk.seen)
            disk.free_space()
            check_recovered(case, ran, disk.root, disk.seen, disk.crash_runner)
        except AssertionError as error:
            raise AssertionError(
                f"{case.name} with {pages} pages left: {ran}"
            ) from error
        if codes[-2:] == [0, 0]:
            break
    assert 1 in codes and codes[-1] == 0


@pytest.mark.parametrize("name", ["add", "trim", "edit", "compact"])
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
