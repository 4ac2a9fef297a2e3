"""Limits on the structure of the code. A ceiling may only be lowered."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator

import networkx
import pytest
from code_size import CEILINGS, code_size
from source_trees import SourceModule, source_modules

MOST_NODES_PER_LINE = 8.4
"""Nodes of the syntax tree for each line of code. httpx has 6.5, markdown-it-py 7.2.
Code becomes shorter by fewer nodes (`code_size`), not by longer lines. Calls exploded
over many lines are no remedy, so the limit leaves room to join them.
"""
MOST_BRANCHES = 15
"""Branches of a function, with boolean operators and comprehensions."""

_BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.ExceptHandler,
    ast.With,
    ast.comprehension,
)


def functions(module: SourceModule) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (
        node
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def imported_modules(module: SourceModule, names: Container[str]) -> Iterator[str]:
    """Yield the own modules that a module imports: at the top, in functions and under
    TYPE_CHECKING.
    """
    for node in module.nodes:
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(
            "cuedeck"
        ):
            continue
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield name if name in names else str(node.module)


def branches(function: ast.AST) -> int:
    count = 1
    for node in ast.walk(function):
        count += isinstance(node, _BRANCHES)
        if isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
    return count


def code_lines(module: SourceModule) -> int:
    """Return the number of lines without blank lines, comments and docstrings.

    The descriptions of parameters in a docstring are code: commands are made of them.
    """
    texts: set[int] = set()
    for node in module.nodes:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            lines_before = node.value.value.partition("\n    Args:\n")
            end = node.end_lineno or node.lineno
            described = lines_before[2].count("\n")
            texts.update(range(node.lineno, end + 1 - described))
    lines = enumerate(module.text.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and at not in texts
        for at, line in lines
    )


def nodes_per_line() -> float:
    """Return the number of syntax nodes for each line of code."""
    nodes = sum(len(module.nodes) for module in source_modules())
    return nodes / sum(map(code_lines, source_modules()))


def test_no_modules_import_each_other() -> None:
    graph = networkx.DiGraph()
    names = {module.name for module in source_modules()}
    for module in source_modules():
        graph.add_edges_from(
            (module.name, other)
            for other in imported_modules(module, names)
            if other != module.name
        )
    assert [
        sorted(circle)
        for circle in networkx.strongly_connected_components(graph)
        if len(circle) > 1
    ] == []


@pytest.mark.parametrize("name", CEILINGS)
def test_the_program_does_not_grow(name: str) -> None:
    assert code_size()[name] <= CEILINGS[name]


def test_lines_of_the_code_base_do_not_become_denser() -> None:
    assert nodes_per_line() <= MOST_NODES_PER_LINE


def test_functions_have_few_branches() -> None:
    many = {}
    for module in source_modules():
        for function in functions(module):
            if branches(function) > MOST_BRANCHES:
                many[f"{module.name}.{function.name}"] = branches(function)
    assert many == {}
