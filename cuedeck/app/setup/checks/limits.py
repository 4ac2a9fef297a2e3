"""Whether the host reads all of the instructions."""

from __future__ import annotations

from collections.abc import Iterator

from cuedeck.app.setup.checks.view import View
from cuedeck.model.errors import Invalid
from cuedeck.model.node import Diagnostic
from cuedeck.parse.hosts.block import blocks_of
from cuedeck.store.hosts import read_quietly


def check_limits(view: View) -> Iterator[Diagnostic]:
    """Find instructions that are longer than the host takes."""
    limit = view.host.limit
    if limit is None:
        return
    size = limit.size
    setting = view.setting(limit.files, (limit.key,)) if limit.files else None
    if setting and isinstance(setting[1], int) and not isinstance(setting[1], bool):
        size = setting[1]
    for target in (each for each in view.targets if each.is_shared):
        text = read_quietly(target.place.absolute)
        length = len(text) if limit.unit == "characters" else len(text.encode())
        if length <= size:
            continue
        message = f"{length:,} {limit.unit} of at most {size:,}: {limit.outcome}"
        if limit.unit == "bytes" and _is_cut(text, size):
            message += ", the block of CueDeck with it"
        hint = "move what is read seldom into other files" + (f", or raise `{limit.key}`" if limit.key else "")
        yield Diagnostic(target.path, 0, "error", "too-long", message, hint)


def check_read_instead(view: View) -> Iterator[Diagnostic]:
    """Find a file that is read in the place of the instructions."""
    name = view.host.read_instead
    if name and read_quietly(view.workspace.absolute(name)).strip():
        message = f"{view.host.title} reads this file and leaves {view.host.instructions} out"
        yield Diagnostic(name, 0, "error", "read-instead", message, f"move its text into {view.host.instructions}")


def _is_cut(text: str, size: int) -> bool:
    try:
        return any(len(text[: block.end].encode()) > size for block in blocks_of(text))
    except Invalid:
        return False
