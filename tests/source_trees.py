"""Syntax trees of the program, parsed once for all tests of a worker."""

from __future__ import annotations

import ast
import gc
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "cuedeck"


class SourceModule(NamedTuple):
    """A module of the program."""

    name: str
    path: Path
    text: str
    tree: ast.Module
    nodes: Sequence[ast.AST]
    """All nodes of the tree, in the order of `ast.walk`."""

    @property
    def place(self) -> str:
        """The path in the package."""
        return self.path.relative_to(PACKAGE).as_posix()


@cache
def source_modules() -> Sequence[SourceModule]:
    """Return the modules of the program, sorted by path."""
    enabled = gc.isenabled()
    gc.disable()  # else it visits the growing trees again and again
    try:
        return tuple(_read(path) for path in sorted(PACKAGE.rglob("*.py")))
    finally:
        if enabled:
            gc.enable()


def _read(path: Path) -> SourceModule:
    dotted = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    nodes = tuple(ast.walk(tree))
    return SourceModule(dotted.removesuffix(".__init__"), path, text, tree, nodes)
