"""The help of every command ends with examples, and these parse."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from command_lines import parse

from cuedeck.shells.cli.cli_main import cuedeck

_SAME = {
    "cuedeck card list": "cuedeck list",
    "cuedeck session resume": "cuedeck resume",
}
"""Commands with a shorter name, which the examples use."""


def runnable(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Yield every command that can run, with its words."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=path)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from runnable(found, f"{path} {name}")


def examples(command: click.Command) -> list[str]:
    """Return the command lines of the examples, without comments, pipes and
    redirections.
    """
    text = (command.epilog or "").partition("Example")[2].replace("\\\n", " ")
    lines = re.findall(
        r"^  (?:.* \| |[A-Z_]+=\S+ )?(cuedeck .*?)(?: {3,}.*| \| .*| >>? .*)?$",
        text,
        re.MULTILINE,
    )
    return [re.sub(r" {2,}", " ", line) for line in lines]


COMMANDS = dict(runnable(cuedeck, "cuedeck"))
GROUPS = sorted({tuple(path.split()[1:-1]) for path in COMMANDS if path.count(" ") > 1})
LINES = [line for command in COMMANDS.values() for line in examples(command)]


def test_there_are_commands() -> None:
    assert len(COMMANDS) > 70


def test_lists_of_commands_cut_no_description() -> None:
    runner = CliRunner()
    groups = [path for path in GROUPS if len(path) < 3]
    assert ("scene",) in groups and ("card", "ref") in groups
    for path in [(), *groups]:
        text = runner.invoke(cuedeck, [*path, "--help"], terminal_width=80).output
        listed = [line for line in text.splitlines() if line.startswith("  ")]
        assert [line for line in listed if line.endswith("...")] == [], path


@pytest.mark.parametrize("path", COMMANDS)
def test_a_command_has_an_example_of_its_own(path: str) -> None:
    assert any(
        line.startswith(_SAME.get(path, path)) for line in examples(COMMANDS[path])
    )


@pytest.mark.parametrize("line", dict.fromkeys(LINES))
def test_an_example_parses(line: str) -> None:
    parse(line)
