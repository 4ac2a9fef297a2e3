"""`cuedeck doctor`: exit codes, JSON and text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cuedeck.parse.gitignore import IGNORE_LINES
from cuedeck.shells.cli.cli_main import run

HEALTHY_IGNORE = "".join(f"{line}\n" for line in IGNORE_LINES)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for folder in ("cards", "docs"):
        (tmp_path / ".cuedeck" / folder).mkdir(parents=True)
    (tmp_path / ".cuedeck/.gitignore").write_text(HEALTHY_IGNORE)
    return tmp_path


def doctor(
    capsys: pytest.CaptureFixture[str], root: Path, *options: str
) -> tuple[int, Any]:
    code = run(["doctor", "-C", str(root), *options])
    out = capsys.readouterr().out
    return code, json.loads(out) if "--json" in options else out


def warn(root: Path) -> None:
    (root / ".cuedeck/docs/doc.md").write_text("[x](../../../out.md)\n")


def fail(root: Path) -> None:
    (root / ".cuedeck/docs/doc.md").write_text("[x](gone.md)\n")


def test_exit_codes(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    """Pins that `--json` and `--repair` of the first doctor always ended with 0, and a
    mere warning with 1.
    """
    for options in ((), ("--json",), ("--repair",), ("--repair", "--json")):
        warn(root)
        assert doctor(capsys, root, *options)[0] == 0
        assert doctor(capsys, root, *options, "--strict")[0] == 1
        fail(root)
        assert doctor(capsys, root, *options)[0] == 1


def test_json_has_the_promised_shape(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    fail(root)
    _, answer = doctor(capsys, root, "--json")
    assert answer["schema"] == 1
    assert answer["healthy"] is False
    assert list(answer["findings"][0]) == [
        "check",
        "level",
        "path",
        "line",
        "code",
        "message",
        "hint",
        "error",
    ]
    assert "repairs" not in answer


def test_repairs_are_listed(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    (root / ".cuedeck/docs").rmdir()
    _, planned = doctor(capsys, root, "--repair", "--dry-run", "--json")
    assert planned["repairs"] == [
        {
            "path": ".cuedeck/docs",
            "what": "create the folder",
            "done": False,
            "problem": "",
        }
    ]
    text = doctor(capsys, root, "--repair", "--dry-run")[1]
    assert text.startswith("would repair  .cuedeck/docs  create the folder\n")
    text = doctor(capsys, root, "--repair")[1]
    assert text.startswith("repaired  .cuedeck/docs  create the folder\n")


def test_text_has_place_message_and_hint(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    (root / "guide.md").write_text("# Guide\n")
    (root / "README.md").write_text("[x](.cuedeck/docs/doc.md)\n")
    (root / ".cuedeck/docs/doc.md").write_text(
        "[x](../../../out.md)\n\n[x](../../gide.md)\n"
    )
    lines = doctor(capsys, root)[1].splitlines()
    assert lines[0] == (
        "error    .cuedeck/docs/doc.md:3  `../../gide.md` has no target"
        "  (did you mean `../../guide.md`?)"
    )
    assert lines[1].startswith(
        "warning  .cuedeck/docs/doc.md:1  `../../../out.md` is outside the workspace  ("
    )
    counts = "3 files, 0 cards, {}: 1 error, 1 warning"
    hint = "; --all checks the other files, too"
    assert lines[-1] == counts.format("2 refs") + hint
    lines = doctor(capsys, root, "--all")[1].splitlines()
    assert lines[-1] == counts.format("3 refs")


def test_only_the_first_findings_of_a_kind_are_printed(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    for number in range(30):
        (root / f"p{number:02}.md").write_text("[x](/guide/gone)\n")
    lines = doctor(capsys, root, "--all")[1].splitlines()
    warnings = [line for line in lines if line.startswith("warning")]
    assert len(warnings) == 20 + 1
    assert warnings[-1] == (
        "warning  p20.md and 9 more files  10 more of `dead-ref`  (--json lists them)"
    )
    assert len(doctor(capsys, root, "--all", "--json")[1]["findings"]) == 30
    (root / ".cuedeck/docs/a.md").write_text("[x](gone.md)\n" * 40)
    lines = doctor(capsys, root)[1].splitlines()
    errors = [line for line in lines if line.startswith("error")]
    assert len(errors) == 20 + 1
    assert errors[-1].startswith("error    .cuedeck/docs/a.md  20 more of `dead-ref`")


def test_a_dry_run_alone_is_a_wrong_use(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert doctor(capsys, root, "--dry-run")[0] == 2


def test_control_characters_never_reach_the_terminal(
    capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    (root / "a\x1b[31m.md").write_text("[x](gone.md)\n")
    assert "\x1b" not in doctor(capsys, root, "--all")[1]
