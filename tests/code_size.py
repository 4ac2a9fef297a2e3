"""Size of the program: `python tests/code_size.py` prints each number with its ceiling.

A ceiling may only be lowered. A new capability may raise one, by an allowance that its
commit states.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from source_trees import SourceModule, source_modules

CEILINGS = {
    "lines": 96_096,
    "AST nodes": 553_951,
    "modules": 556,
    "functions with a workspace": 306,
    "imports inside functions": 243,
    "calls that mask": 84,
    "lines of tests": 77_299,
}
_TESTS = Path(__file__).parent


@cache
def code_size() -> Mapping[str, int]:
    """Return the number behind each name in `CEILINGS`."""
    found = dict.fromkeys(CEILINGS, 0)
    for module in source_modules():
        found["lines"] += module.text.count("\n")
        found["AST nodes"] += len(module.nodes)
        found["modules"] += 1
        found["functions with a workspace"] += _with_workspace(module)
        found["imports inside functions"] += _late_imports(module)
        found["calls that mask"] += _masks(module)
    for path in _TESTS.rglob("*.py"):
        found["lines of tests"] += path.read_text("utf-8").count("\n")
    return found


def _functions(module: SourceModule) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [
        node
        for node in module.nodes
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def _with_workspace(module: SourceModule) -> int:
    count = 0
    for function in _functions(module):
        given = function.args
        names = {each.arg for each in (*given.args, *given.kwonlyargs)}
        count += "workspace" in names
    return count


def _late_imports(module: SourceModule) -> int:
    count = 0
    for function in _functions(module):
        for node in ast.walk(function):
            if isinstance(node, ast.ImportFrom):
                count += (node.module or "").startswith("cuedeck")
    return count


def _masks(module: SourceModule) -> int:
    count = 0
    for node in module.nodes:
        if isinstance(node, ast.Call):
            called = node.func
            name = getattr(called, "attr", None) or getattr(called, "id", "")
            count += "mask" in name.lower()
    return count


def main() -> int:
    """Print the numbers; return 1 if one is above its ceiling."""
    print(f"{'size':<28}{'now':>10}{'ceiling':>10}")
    for name, number in code_size().items():
        print(f"{name:<28}{number:>10,}{CEILINGS[name]:>10,}")
    return int(any(code_size()[name] > most for name, most in CEILINGS.items()))


if __name__ == "__main__":
    sys.exit(main())
