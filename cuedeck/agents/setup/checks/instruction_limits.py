"""Checks of the size and the reach of the instructions, and of the programs that
entries start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cuedeck.agents.edits.managed_block import blocks_of
from cuedeck.agents.hosts.base import PROGRAM
from cuedeck.agents.hosts.setup_types import Limit
from cuedeck.agents.setup.checks.host_view import HostView
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import Invalid
from cuedeck.store.files.host_files import (
    find_program,
    folder_of_installed_program,
    read_quietly,
)


def check_limits(view: HostView) -> Iterator[Diagnostic]:
    """Yield instruction files that are longer than the limit of the host."""
    limit = view.host.setup.limit
    if limit is None:
        return
    size = _size_of(limit, view)
    hint = "move rarely needed text into other files"
    if limit.key:
        hint += f", or raise `{limit.key}`"
    for target in view.targets:
        if not target.is_shared:
            continue
        text = read_quietly(target.place.absolute)
        length = len(text) if limit.unit == "characters" else len(text.encode())
        if length <= size:
            continue
        message = f"{length:,} {limit.unit} of at most {size:,}: {limit.outcome}"
        if limit.unit == "bytes" and _is_cut(text, size):
            message += ", including the block of CueDeck"
        yield Diagnostic(
            target.path,
            0,
            "error",
            "too-long",
            message,
            hint,
        )


def _size_of(limit: Limit, view: HostView) -> int:
    """Return the maximum size of instructions, by the settings of the host if they have
    a valid one.
    """
    if not limit.files:
        return limit.size
    setting = view.setting(limit.files, (limit.key,))
    if setting is None:
        return limit.size
    _, size = setting
    if isinstance(size, bool) or not isinstance(size, int):
        return limit.size
    return size


def check_read_instead(view: HostView) -> Iterator[Diagnostic]:
    """Yield a file that the host reads instead of the instructions."""
    name = view.host.setup.read_instead
    if name and read_quietly(view.workspace.absolute(name)).strip():
        instructions = view.host.setup.instructions
        message = f"{view.host.title} reads this file instead of {instructions}"
        yield Diagnostic(
            name,
            0,
            "error",
            "read-instead",
            message,
            f"move its text into {instructions}",
        )


def _is_cut(text: str, size: int) -> bool:
    try:
        blocks = tuple(blocks_of(text))
    except Invalid:
        return False
    for block in blocks:
        head = text[: block.end]
        if len(head.encode()) > size:
            return True
    return False


def check_program(started: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield missing programs that own entries start; without entries, check the program
    that they would start.
    """
    for name in sorted(set(started) or {PROGRAM}):
        if name == PROGRAM:
            yield from _check_own()
        elif not set("$%") & set(name) and not find_program(name):
            # The host expands variables.
            message = (
                f"the program `{name}` is missing, so its hooks or server cannot start"
            )
            hint = f"install it, or remove the entry and run set-up again, which writes `{PROGRAM}`"
            yield Diagnostic(
                ".",
                0,
                "error",
                "missing-program",
                message,
                hint,
            )


def _check_own() -> Iterator[Diagnostic]:
    if find_program(PROGRAM):
        return
    folder = folder_of_installed_program(PROGRAM)
    hint = "run `pipx install .` in a checkout of CueDeck, and `pipx ensurepath`"
    if folder:
        hint = f"put {folder} on PATH, or {hint}"
    message = (
        f"`{PROGRAM}` is not found on PATH, so neither hooks nor the server can start"
    )
    yield Diagnostic(
        ".",
        0,
        "error",
        "missing-program",
        message,
        hint,
    )
