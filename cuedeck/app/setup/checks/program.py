"""Whether hosts find the program that hooks and servers start."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.model.host import PROGRAM
from cuedeck.model.node import Diagnostic
from cuedeck.store.hosts import find_program, program_beside


def check_program() -> Iterator[Diagnostic]:
    """Find a program that is not found by its name."""
    if find_program(PROGRAM):
        return
    folder = program_beside(PROGRAM)
    hint = f"put {folder} on PATH, or install it" if folder else "install it"
    hint += " where every program finds it: `uv tool install cuedeck` or `pipx install cuedeck`"
    message = f"`{PROGRAM}` is not found on PATH, so neither hooks nor the server can start"
    yield Diagnostic(".", 0, "error", "missing-program", message, hint)
