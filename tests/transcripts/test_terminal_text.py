"""Text of a file never controls the terminal; a pipe receives it byte for byte."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sandbox import Sandbox, run_on_terminal

pytest.importorskip("pty")  # Windows has none

HOSTILE = (
    "a\x1b]52;c;ZXZpbA==\x07b\x1b[2Jc\x9b31md\u202ee\x07f\x7fg\n\tplain é 漢\u200d\n"
)
SHOWN = "a\\u001b]52;c;ZXZpbA==\\u0007b\\u001b[2Jc\\u009b31md\\u202ee\\u0007f\\u007fg\n\tplain é 漢\u200d\n"
NUMBERED = "".join(
    f"{number}│{line}\n" for number, line in enumerate(SHOWN.splitlines(), 1)
)


@pytest.fixture
def hostile(sandbox: Sandbox) -> Sandbox:
    sandbox.write("docs/odd.md", HOSTILE)
    sandbox.card("aaaaaa", "refs: [docs/odd.md]")
    sandbox.activate("aaaaaa")
    return sandbox


@pytest.mark.parametrize(
    ("words", "expected"),
    [(("read", "docs/odd.md"), SHOWN), (("scene", "--print"), NUMBERED)],
)
def test_control_characters_are_escaped_on_a_terminal(
    hostile: Sandbox, words: tuple[str, ...], expected: str
) -> None:
    shown = run_on_terminal(hostile, *words)
    assert expected in shown
    assert not set("\x1b\x07\x7f\x9b\u202e") & set(shown)


def test_json_on_a_terminal_is_the_same_value(hostile: Sandbox) -> None:
    import json

    shown = run_on_terminal(hostile, "read", "docs/odd.md", "--json")
    assert not set("\x1b\x07\x7f\x9b\u202e") & set(shown)
    assert json.loads(shown)["text"] == HOSTILE


def test_pipe_receives_the_unchanged_text(hostile: Sandbox) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cuedeck", "read", "docs/odd.md"],
        cwd=hostile.root, env={**hostile.environ, "PYTHONUTF8": "1"}, capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout == HOSTILE.encode()
