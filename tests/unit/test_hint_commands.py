"""Every command that a text of CueDeck names must parse as it is written, so that it
runs when it is pasted.
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Sequence

import click
import pytest
from command_lines import parse
from source_trees import source_modules

from cuedeck.context.scene.visit_heading import command

SAMPLE = "two words"
"""The value of each embedded expression: a command must quote it."""
_VALUES = {
    "kind": "decision",
    "option": "",
    "host.name": "claude",
    "view.host.name": "claude",
    "name": "done",
    "event": "stop",
    "request.event": "stop",
}
_IN_BACKTICKS = re.compile(r"`(cuedeck(?: [^`]*)?)`")
_OF_TEXT = re.compile(r"cuedeck(?!\.)")
_BARE = re.compile(r"^(cuedeck .*)$|(?:^|: |; )(cuedeck [^;`]+)$", re.MULTILINE)
_NOT_COMMANDS = ("cuedeck hook: ", "cuedeck hook stop: ")
"""Beginnings of log lines, which name the command that failed."""
_ELSEWHERE = frozenset(
    (
        "agents/hooks/dispatch.py",
        "shells/mcp/tool_result.py",
        "store/index/schema.py",
        "context/scene/visit_heading.py",
    )
)
"""Files with a log line, a pattern of commands, a version, and the command that has a
test of its own below.
"""
_MARKER = "<!-- BEGIN CUEDECK"
_CHOICE = re.compile(r"(?<=\w)\|[\w|]+")


def texts(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every string but docstrings and examples; embedded
    values are replaced by samples.
    """
    described = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    described |= {id(example) for example in examples(nodes)}
    inside = {
        id(part)
        for node in nodes
        if isinstance(node, ast.JoinedStr)
        for part in node.values
    }
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield node.lineno, "".join(_value(part) for part in node.values)
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in described | inside
        ):
            yield node.lineno, node.value


def examples(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Yield the examples of operations, which have a test of their own."""
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "operation":
            yield node.args[1]
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "topic":
            yield node.args[2]


def _value(part: ast.expr) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    assert isinstance(part, ast.FormattedValue)
    inner = part.value
    if isinstance(inner, ast.Call) and ast.unparse(inner.func) in (
        "quoted",
        "shlex.quote",
    ):
        return shlex.quote(SAMPLE)
    return _VALUES.get(ast.unparse(inner), SAMPLE)


def commands() -> Iterator[tuple[str, str]]:
    for module in source_modules():
        if module.place in _ELSEWHERE or not _OF_TEXT.search(module.text):
            continue
        for line, text in texts(module.nodes):
            if text.startswith(("\b", _MARKER)) or not re.search(r"\bcuedeck ", text):
                continue
            bare = (
                (first or last for first, last in _BARE.findall(text))
                if "`" not in text
                else ()
            )
            for found in (*_IN_BACKTICKS.findall(text), *bare):
                if not found.startswith(_NOT_COMMANDS) and found.strip() != "cuedeck":
                    yield f"{module.place}:{line}", _CHOICE.sub("", found)


@pytest.mark.parametrize(
    "address",
    ["docs/two words.md", "-x.md", "docs/it's.md#A b", "src/auth.py#L1-L9", "$(x).md"],
)
def test_the_command_that_shows_an_address_parses(address: str) -> None:
    parse(command(address))
    assert shlex.split(command(address))[-1] == address


def test_a_command_that_a_text_names_parses() -> None:
    found = list(commands())
    assert len(found) > 60
    failures = []
    for place, line in found:
        try:
            parse(line)
        except (click.ClickException, ValueError) as error:
            failures.append((place, line, error))
    assert failures == []
