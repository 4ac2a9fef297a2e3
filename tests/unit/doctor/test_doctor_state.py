"""The doctor works on whatever is broken: settings, index, folders."""

from __future__ import annotations

from typing import Any

import pytest

CONFIG = ".cuedeck/config.toml"


@pytest.mark.parametrize(("text", "line", "message"), [("a = 1\n[scene\n", 2, "not valid TOML"),
    ("[scene]\nbudget = 'x'\n", 2, "scene.budget must be a whole number"),
    ("[secrets]\n\npatterns = ['x: (']\n", 3, "cannot be used as a regular expression"),
    ("scene = 1\n", 1, "must be a table")])  # fmt: skip
def test_broken_settings_are_an_error_and_the_other_checks_go_on(
    place: Any, text: str, line: int, message: str
) -> None:
    """The first doctor reported `fine` for a config.toml that no other command
    could read.
    """
    place.write(CONFIG, text)
    place.write("doc.md", "[x](gone.md)\n")
    config, ref = place.found()
    assert (config.level, config.path, config.line, config.code) == (
        "error",
        CONFIG,
        line,
        "bad-config",
    )
    assert message in config.message
    assert CONFIG not in config.message
    assert (ref.check, ref.path) == ("refs", "doc.md")


def test_a_variable_that_cannot_be_used_is_an_error_of_its_own(place: Any) -> None:
    place.write(CONFIG, "[files]\nignore = ['out/']\n")
    place.write("out/doc.md", "[x](gone.md)\n")
    place.environ = {"CUEDECK_SCENE__BUDGET": "much"}
    (only,) = place.found()
    assert (only.level, only.path, only.code) == ("error", ".", "bad-config")
    assert only.message.startswith("CUEDECK_SCENE__BUDGET: scene.budget must be")


ONE_FILE = "memory.archive and memory.long_memory are the same file, 'memory/x.md'"


def test_a_variable_with_a_dead_pinned_ref_is_reported_with_a_broken_file(
    place: Any,
) -> None:
    """The doctor looked up the pinned ref in the broken file, too, and ended with an
    error.
    """
    place.write(CONFIG, "[scene\n")
    place.environ = {"CUEDECK_SCENE__PINNED": "gone.md"}
    assert {(each.path, each.code) for each in place.found()} == {
        (CONFIG, "bad-config"),
        (".", "dead-ref"),
    }


@pytest.mark.parametrize(
    ("environ", "path", "message"),
    [
        ({}, CONFIG, "compaction.schedule needs five"),
        (
            {"CUEDECK_COMPACTION__SCHEDULE": "2"},
            ".",
            "CUEDECK_COMPACTION__SCHEDULE: compaction.schedule needs five",
        ),
    ],
)
def test_an_invalid_schedule_names_its_setting(
    place: Any, environ: dict[str, str], path: str, message: str
) -> None:
    place.write(CONFIG, "[compaction]\nschedule = '1'\n")
    place.environ = environ
    (only,) = place.found()
    assert (only.path, only.line, only.code) == (path, 0, "config")
    assert only.message.startswith(message)


@pytest.mark.parametrize(
    "garbage",
    [b"this is no database at all" * 200, b"SQLite format 3\0" + bytes(5_000)],
)
def test_a_corrupt_index_is_reported_and_unchanged(place: Any, garbage: bytes) -> None:
    index = place.write(place.index, garbage)
    place.write("doc.md", "[x](gone.md)\n")
    assert [each.code for each in place.found()] == ["corrupt-index", "dead-ref"]
    assert index.read_bytes() == garbage


def test_an_index_that_cannot_be_kept_is_a_warning(place: Any) -> None:
    (place.root / ".cuedeck/cache").rmdir()
    place.write(".cuedeck/cache", "a file where the folder belongs\n")
    place.write("doc.md", "[x](gone.md)\n")
    assert [(each.level, each.code) for each in place.found()] == [
        ("warning", "index-in-memory"),
        ("warning", "dead-ref"),
    ]


def test_a_file_in_place_of_a_folder_is_an_error(place: Any) -> None:
    (place.root / ".cuedeck/cards").rmdir()
    place.write(".cuedeck/cards", "x\n")
    assert [(each.level, each.code) for each in place.found("folders")] == [
        ("error", "no-folder")
    ]


def test_no_parser_diagnostic_is_lost(place: Any) -> None:
    place.write("a.py", "def (\n")
    place.write("b.md", " " * 100_001)
    place.write("c.md", "---\ntitle: [\n---\n")
    place.write(".cuedeck/cards/d.md", b"\0\1\2")
    (place.root / "link.md").symlink_to("nowhere.md")
    assert sorted((each.path, each.check, each.code) for each in place.found()) == [
        (".cuedeck/cards/d.md", "readable", "binary"),
        ("a.py", "readable", "syntax"),
        ("b.md", "readable", "blank-run"),
        ("c.md", "front-matter", "bad-yaml"),
        ("link.md", "readable", "link"),
    ]


def test_findings_are_sorted_by_level_path_and_line(place: Any) -> None:
    place.write("b.md", "[x](gone.md)\n[y](../out.md)\n")
    place.write("a.md", "\n\n[x](gone.md)\n[y](gone.md)\n")
    assert [(each.level, each.path, each.line) for each in place.found()] == [
        ("warning", "a.md", 3),
        ("warning", "a.md", 4),
        ("warning", "b.md", 1),
        ("warning", "b.md", 2),
    ]


def test_a_number_in_the_name_of_a_file_is_no_line(place: Any) -> None:
    """A finding about the assumption on `notes:12` was reported at line 12 of a missing
    file `notes`.
    """
    check = 'check = { file_absent = "notes:12" }'
    place.write(
        ".cuedeck/assumptions.toml",
        f'\n[[assumption]]\nid = "a"\ntext = "No notes"\n{check}\n',
    )
    place.write("notes:12")
    (only,) = place.found()
    assert (only.path, only.line, only.code) == (
        ".cuedeck/assumptions.toml",
        2,
        "assumption",
    )


@pytest.mark.parametrize(
    ("text", "environ"),
    [
        ("archive = 'memory/x.md'", {"LONG_MEMORY": "memory/x.md"}),
        ("cap = 900", {"LONG_MEMORY": "memory/x.md", "ARCHIVE": "memory/x.md"}),
        ("archive = 'memory/x.md'\nlong_memory = 'memory/x.md'", {}),
    ],
    ids=["file and variable", "variables", "file"],
)
def test_settings_that_only_fail_together_are_an_error(
    place: Any, text: str, environ: dict[str, str]
) -> None:
    """The doctor itself ended with an error when a variable and a key of config.toml
    named the same file.
    """
    place.write(CONFIG, f"[memory]\n{text}\n")
    place.environ = {
        f"CUEDECK_MEMORY__{name}": value for name, value in environ.items()
    }
    (only,) = place.found()
    assert (only.level, only.code, only.message) == ("error", "bad-config", ONE_FILE)
