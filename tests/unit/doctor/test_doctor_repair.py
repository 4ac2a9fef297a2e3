"""Repairs by the doctor: only safe changes, after a copy, and never a guess."""

from __future__ import annotations

from typing import Any

from cuedeck.parse.gitignore import IGNORE_LINES

BACKUP = ".cuedeck/cache/backup"
DECIDED = ("DREAMS.md", "SCENE.md")
"""Lines that a file of the test has or refuses."""


def done(repairs: Any) -> list[tuple[str, bool]]:
    return [(each.path, each.done) for each in repairs]


def everything_broken(place: Any) -> None:
    (place.root / ".cuedeck/docs").rmdir()
    place.write(".cuedeck/.gitignore", "SCENE.md")
    place.card("abc123")
    place.write(".cuedeck/cache/.x.99999999.tmp")
    place.write(place.index, "no database")


def test_repairs_safe_defects_and_reports_the_state_afterwards(place: Any) -> None:
    everything_broken(place)
    report, repairs = place.repair()
    assert done(repairs) == [
        (".cuedeck/docs", True),
        (".cuedeck/.gitignore", True),
        (place.index, True),
        (".cuedeck/cache/.x.99999999.tmp", True),
    ]
    assert report.findings == ()
    assert place.repair()[1] == ()


def test_a_dry_run_prints_the_same_and_changes_nothing(place: Any) -> None:
    everything_broken(place)
    before = place.bytes()
    report, planned = place.repair(dry_run=True)
    assert place.bytes() == before
    assert not (place.root / ".cuedeck/docs").exists()
    assert (place.root / place.index).read_bytes() == b"no database"
    assert (place.root / ".cuedeck/cache/.x.99999999.tmp").exists()
    assert not (place.root / BACKUP).exists()
    assert not report.healthy()
    assert [each.done for each in planned] == [False] * 4
    assert [(each.path, each.what) for each in planned] == [
        (each.path, each.what) for each in place.repair()[1]
    ]


def test_a_missing_gitignore_is_written_whole(place: Any) -> None:
    (place.root / ".cuedeck/.gitignore").unlink()
    place.repair()
    lines = (place.root / ".cuedeck/.gitignore").read_text().splitlines()
    assert lines[:3] == ["SCENE.md", "active", "cache/"]
    assert "USER.md" in lines
    assert place.found() == []


def test_lines_are_added_in_the_style_of_the_file(place: Any) -> None:
    place.write(".cuedeck/.gitignore", b"# mine\r\nSCENE.md")
    place.repair()
    expected = "\r\n".join(["# mine", *IGNORE_LINES, ""])
    assert (place.root / ".cuedeck/.gitignore").read_bytes() == expected.encode()
    assert (place.root / BACKUP / ".gitignore").read_bytes() == b"# mine\r\nSCENE.md"


def test_missing_lines_are_added_and_lines_of_the_user_stay(place: Any) -> None:
    own = ["# mine", "*.log", "cortex/", "!DREAMS.md", "SCENE.md"]
    place.write(".cuedeck/.gitignore", "\n".join(own))
    (missing,) = place.found("gitignore")
    assert missing.code == "not-ignored"
    place.repair()
    lines = (place.root / ".cuedeck/.gitignore").read_text().splitlines()
    rest = [line for line in IGNORE_LINES if not line.startswith("cortex/")]
    assert lines == [*own, *(line for line in rest if line not in DECIDED)]
    assert place.found("gitignore") == []
    assert place.repair()[1] == ()


def test_a_folder_that_git_ignores_needs_no_lines(place: Any) -> None:
    place.write(".gitignore", ".cuedeck/\n")
    place.write(".cuedeck/.gitignore", "SCENE.md\n")
    assert place.found("gitignore") == []
    assert place.repair()[1] == ()


def test_lines_for_existing_memory_files_are_added(place: Any) -> None:
    config = '[memory]\narchive = "old.md"\n'
    place.write(".cuedeck/config.toml", config)
    place.write(".cuedeck/.gitignore", "".join(f"{line}\n" for line in IGNORE_LINES))
    for name in ("old.md", "memory/2026-05-03.md"):
        place.write(f".cuedeck/{name}", "")
    place.write(".git/HEAD", "ref: refs/heads/main\n")
    place.write(".git/objects/x", "")
    place.write(".git/refs/x", "")
    place.repair()
    lines = (place.root / ".cuedeck/.gitignore").read_text().splitlines()
    assert lines == [*IGNORE_LINES, "old.md"]
    assert place.repair()[1] == ()


def test_no_backup_replaces_another(place: Any) -> None:
    for rule in ("# one\n", "# two\n", "# one\n"):
        place.write(".cuedeck/.gitignore", rule)
        place.repair()
    assert sorted(path.name for path in (place.root / BACKUP).iterdir()) == [
        ".gitignore",
        ".gitignore.1",
    ]
