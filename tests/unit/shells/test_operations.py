"""An operation is declared once: its command, JSON, tool and row in the docs follow."""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import click
import pytest

from cuedeck.shells.call import Call
from cuedeck.shells.cli.cli_main import COMMANDS, GROUPS, cuedeck, run
from cuedeck.shells.mcp.tool_base import Action, Tool, ToolCall, run_operation
from cuedeck.shells.operation import OPERATIONS, Operation, Param, operation

sys.path.insert(0, str(Path(__file__).parents[3] / "docs"))
import generate


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Operation]:
    @operation(
        "toy",
        'cuedeck toy "a word"',
        lambda answer: f"{answer['word']} {answer['times']}",
    )
    def toy(
        call: Call, word: str, *, times: Annotated[int, Param(least=1)] = 2
    ) -> dict[str, Any]:
        """Repeat a word.

        Args:
            times: How often.
        """
        return {"word": word, "times": times, "root": call.workspace.paths.root}

    monkeypatch.setitem(COMMANDS, "toy", "")
    monkeypatch.setitem(GROUPS["Cards"], "toy", "")
    yield OPERATIONS["toy"]
    del OPERATIONS["toy"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".cuedeck").mkdir()
    return tmp_path


def test_an_operation_is_a_command(
    toy: Operation, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["-C", str(root), "toy", "so", "--times", "3"]) == 0
    assert capsys.readouterr().out == "so 3\n"
    assert run(["-C", str(root), "toy", "so", "--times", "0"]) == 2
    run(["toy", "--help"])
    shown = capsys.readouterr().out
    assert "--times N" in shown and "How often." in shown
    assert 'cuedeck toy "a word"' in shown


def test_an_operation_is_a_tool(toy: Operation, root: Path) -> None:
    action = Action("toy", {"text": "word"})
    takes, notes = ("text!|word times",), {"times": "How often."}
    tool = Tool("toy", "Toy", "Repeat a word.", takes, {"": action}, notes)
    assert tool.described()["inputSchema"] == {
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "times": {"type": "integer", "description": "How often."},
        },
        "required": ["text"],
    }
    call = Call(str(root))
    workspace: Any = call.workspace
    found = tool.run(workspace, tool.read({"word": "so"}))
    assert found == {"word": "so", "times": 2, "root": str(root)}
    call.close()


def test_an_operation_is_a_row_in_the_docs(toy: Operation) -> None:
    rows = generate._commands("Cards")
    assert "| `toy WORD` | `--times N` | Repeat a word. |" in rows


def _reading() -> list[str]:
    """Return the operations that need no argument and change nothing."""
    root = click.Context(cuedeck, info_name="cuedeck")
    for name in COMMANDS:
        cuedeck.get_command(root, name)
    words = ("list", "status", "show", "ls", "tree", "stats", "integrity", "doctor")
    found = []
    for name, each in OPERATIONS.items():
        if name.split()[-1] in words and not any(p.is_required for p in each.params()):
            found.append(name)
    return sorted(found)


@pytest.mark.parametrize("name", _reading())
def test_a_command_and_a_tool_give_the_same_value(
    name: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["-C", str(root), "session", "start", "one"]) == 0
    capsys.readouterr()
    run(["-C", str(root), *name.split(), "--json"])
    printed: Mapping[str, Any] = json.loads(capsys.readouterr().out)
    assert "error" not in printed
    call = Call(str(root))
    workspace: Any = call.workspace
    workspace.progress = None
    value = run_operation(OPERATIONS[name], ToolCall(workspace), {})
    call.close()
    assert json.loads(json.dumps({"schema": 1, **value})) == printed
