"""Whether hosts find the program that hooks and servers start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cuedeck.model.host import PROGRAM
from cuedeck.model.node import Diagnostic
from cuedeck.store.hosts import find_program, program_beside


def check_program(started: Iterable[str]) -> Iterator[Diagnostic]:
    """Find programs that own entries start and that are not there; without entries, the one they would start."""
    for name in sorted(set(started) or {PROGRAM}):
        if name == PROGRAM:
            yield from _check_own()
        elif not set("$%") & set(name) and not find_program(name):  # a variable is the host's to fill in
            message = f"`{name}` is not there, so what names it cannot start"
            hint = f"install it, or take the entry out: set-up then writes `{PROGRAM}`"
            yield Diagnostic(".", 0, "error", "missing-program", message, hint)


def _check_own() -> Iterator[Diagnostic]:
    if find_program(PROGRAM):
        return
    folder = program_beside(PROGRAM)
    hint = f"put {folder} on PATH, or install it" if folder else "install it"
    hint += " where every program finds it: `uv tool install cuedeck` or `pipx install cuedeck`"
    message = f"`{PROGRAM}` is not found on PATH, so neither hooks nor the server can start"
    yield Diagnostic(".", 0, "error", "missing-program", message, hint)
