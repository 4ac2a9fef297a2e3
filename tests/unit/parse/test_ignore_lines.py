"""The lines that `.cuedeck/.gitignore` should have."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuedeck.parse.gitignore import IGNORE_LINES, append_lines, missing_lines

TEMPLATE = Path(__file__).parents[3] / ".cuedeck-template/.gitignore"


def without(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in IGNORE_LINES if line not in lines).encode()


def test_the_template_has_every_line() -> None:
    assert missing_lines(TEMPLATE.read_bytes()) == ()
    assert missing_lines(b"") == IGNORE_LINES


@pytest.mark.parametrize("line", IGNORE_LINES)
def test_each_line_is_missed_and_added(line: str) -> None:
    assert missing_lines(without(line)) == (line,)
    assert missing_lines(append_lines(without(line), [line])) == ()


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("!MEMORY.md", "MEMORY.md"), ("/MEMORY.md", "MEMORY.md"), ("MEMORY*", "MEMORY.md"), ("sessions", "sessions/"),
        ("cortex/", "cortex/user/"), ("/cortex/*", "cortex/agent/"), ("!/cortex/user/", "cortex/user/"),
        ("*", "SCENE.md"),
    ],
)  # fmt: skip
def test_a_rule_of_the_user_decides(rule: str, line: str) -> None:
    assert missing_lines(append_lines(without(line), [rule])) == ()


@pytest.mark.parametrize("rule", ["# MEMORY.md", "MEMORY.md/", "docs/MEMORY.md", ""])
def test_another_rule_decides_nothing(rule: str) -> None:
    data = append_lines(without("MEMORY.md"), [rule])
    assert missing_lines(data) == ("MEMORY.md",)


@pytest.mark.parametrize(
    ("data", "result"),
    [
        (b"", b"a\nb/\n"), (b"x", b"x\na\nb/\n"), (b"x\r\ny", b"x\r\ny\r\na\r\nb/\r\n"),
        (b"\xff\n", b"\xff\na\nb/\n"),
    ],
)  # fmt: skip
def test_lines_are_added_in_the_line_ending_of_the_file(
    data: bytes, result: bytes
) -> None:
    assert append_lines(data, ["a", "b/"]) == result
