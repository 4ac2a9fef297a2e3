"""Repairs by the doctor: only safe changes, after a copy, and never a guess."""

from __future__ import annotations

from typing import Any

import pytest

from cuedeck.parse.ignore_lines import IGNORE_LINES
from cuedeck.store.files.file_lock import locked

CARD = ".cuedeck/cards/abc123.md"
BACKUP = ".cuedeck/cache/backup"
DECIDED = ("DREAMS.md", "SCENE.md")
"""Lines that a file of the test has or refuses."""


def done(repairs: Any) -> list[tuple[str, bool]]:
    return [(each.path, each.done) for each in repairs]


def everything_broken(place: Any) -> None:
    (place.root / ".cuedeck/docs").rmdir()
    place.write(".cuedeck/.gitignore", "SCENE.md")
    place.card("abc123", "created: 2026/05/03 10:00", "updated: 1777802400")
    place.write(".cuedeck/cache/.x.99999999.tmp")
    place.write(place.index, "no database")


def test_repairs_safe_defects_and_reports_the_state_afterwards(place: Any) -> None:
    everything_broken(place)
    report, repairs = place.repair()
    assert done(repairs) == [
        (".cuedeck/docs", True),
        (".cuedeck/.gitignore", True),
        (CARD, True),
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
    assert [each.done for each in planned] == [False] * 5
    assert [(each.path, each.what) for each in planned] == [
        (each.path, each.what) for each in place.repair()[1]
    ]


def test_a_date_is_rewritten_and_no_other_byte_changes(place: Any) -> None:
    """Pins that the first repair rewrote the YAML: comments and layout were lost, and
    there was no backup.
    """
    before = (
        "\ufeff---\r\n# a comment\r\ntitle:   'Title'  # why\r\ntags: [Foo, foo]\r\n"
        'last_modified: 1777802400 # stamp\r\ncreated: "2026/05/03 10:00"\r\n---\r\n\r\ntext 2026/05/03 10:00\r\n'
    ).encode()
    place.write(CARD, before)
    _, repairs = place.repair()
    after = (place.root / CARD).read_bytes()
    wanted = before.replace(b'"2026/05/03 10:00"', b'"2026-05-03T10:00:00"')
    assert after == wanted.replace(b"1777802400 #", b"2026-05-03T10:00:00Z #")
    assert (place.root / BACKUP / "abc123.md").read_bytes() == before
    assert repairs[0].what == (
        "created: `2026/05/03 10:00` becomes `2026-05-03T10:00:00`, "
        "last_modified: `1777802400` becomes `2026-05-03T10:00:00Z`"
    )


def test_an_unreadable_date_stays(place: Any) -> None:
    """Pins that the first repair replaced `not-a-date` by the current time and called
    it fixed.
    """
    place.card("abc123", "created: not-a-date", "updated: 2026/05/03")
    place.repair()
    text = (place.root / CARD).read_text()
    assert "created: not-a-date" in text
    assert "updated: 2026-05-03\n" in text


def test_tags_are_never_rewritten(place: Any) -> None:
    """Pins that the first repair made `[Foo, foo]` into `[foo, foo]`."""
    place.card("abc123", "tags: [Foo, foo]", "created: 2026/05/03")
    place.repair()
    assert "tags: [Foo, foo]" in (place.root / CARD).read_text()


def test_creates_no_other_folder_or_file(place: Any) -> None:
    """Pins that the first repair wrote a config.toml with unused keys, and a folder
    `context`.
    """
    (place.root / ".cuedeck/cards").rmdir()
    place.repair()
    names = sorted(path.name for path in (place.root / ".cuedeck").iterdir())
    assert names == [".gitignore", "cache", "cards", "docs"]


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
    for date in ("2026/05/03", "2026/05/04", "2026/05/03"):
        place.card("abc123", f"created: {date}")
        place.repair()
    assert sorted(path.name for path in (place.root / BACKUP).iterdir()) == [
        "abc123.md",
        "abc123.md.1",
    ]


def test_a_card_that_cannot_be_edited_is_reported_and_stops_nothing(place: Any) -> None:
    place.card("abc123", "created: 2026/05/03", "created: 2026/05/04")
    place.card("abc124", "created: 2026/05/03")
    before = (place.root / CARD).read_bytes()
    report, repairs = place.repair()
    assert done(repairs) == [(CARD, False), (".cuedeck/cards/abc124.md", True)]
    assert repairs[0].problem
    assert (place.root / CARD).read_bytes() == before
    assert "odd-date" in [each.code for each in report.findings]


def test_an_edit_waits_for_the_lock_of_the_cards(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cuedeck.doctor import repair as module

    monkeypatch.setattr(
        module, "locked", lambda workspace, family: locked(workspace, family, 0)
    )
    place.card("abc123", "created: 2026/05/03")
    with locked(place.workspace().paths, "cards"):
        _, repairs = place.repair()
    assert done(repairs) == [(CARD, False)]
    assert "another process" in repairs[0].problem


def test_a_linked_card_stays_a_link(place: Any) -> None:
    place.write("cards-elsewhere/one.md", "---\ntitle: One\ncreated: 2026/05/03\n---\n")
    link = place.root / CARD
    link.symlink_to("../../cards-elsewhere/one.md")
    place.repair()
    assert link.is_symlink()
    assert "created: 2026-05-03\n" in link.read_text()


def test_dead_refs_are_not_repaired(place: Any) -> None:
    place.card("abc123", "refs: [gone.md]")
    before = place.bytes()
    report, repairs = place.repair()
    assert repairs == ()
    assert place.bytes() == before
    assert not report.healthy()
