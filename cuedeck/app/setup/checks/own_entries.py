"""Whether own entries are where they should be, as they should be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cuedeck.app.setup.checks.host_view import HostView
from cuedeck.app.setup.file_change import text_of
from cuedeck.app.setup.host_parts import Target
from cuedeck.hosts.hooks_json import HooksPart
from cuedeck.hosts.managed_block import VERSION, BlockPart, blocks_of
from cuedeck.hosts.managed_part import Part
from cuedeck.hosts.tool_permissions import AllowPart
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.model.file import Diagnostic
from cuedeck.model.host import Host
from cuedeck.parse.text_offsets import line_number
from cuedeck.store.fs.host_files import check_folders

Health = Literal["right", "stale", "missing", "broken"]
_ORDER: tuple[Health, ...] = ("broken", "missing", "stale", "right")


def check_files(view: HostView) -> Iterator[Diagnostic]:
    """Find own entries that are missing, of another version or changed, and files that cannot be read."""
    for target in view.targets:
        found = (look_at(view.host, target, part)[1] for part in target.parts)
        yield from dict.fromkeys(each for each in found if each)  # what a whole file lacks is told once


def state_of(host: Host, target: Target) -> Health:
    """Return how a file is: as its worst part."""
    found = {look_at(host, target, part)[0] for part in target.parts}
    return next(health for health in _ORDER if health in found)


def look_at(host: Host, target: Target, part: Part) -> tuple[Health, Diagnostic | None]:
    """Return how one part of a file is, and what to tell of it; it is broken, too, when set-up would refuse it."""
    again = f"`cuedeck setup {host.name}` puts it right"
    what = _name(part)
    try:
        data = target.read()
        text = text_of(target, data)
        if data is None or not part.holds(text):
            check_folders(target.place)
            part.put(text)
            message = f"{what} is missing"
            return "missing", Diagnostic(target.path, 0, "error", "missing-entry", message, again)
        if part.is_right(text):
            return "right", None
        part.renew(text)
    except (Invalid, StorageError) as error:
        return "broken", broken_file(target.path, error)
    if isinstance(part, BlockPart):
        first = blocks_of(text)[0]
        line = line_number(text, first.start)
        old = f"of version {first.version}, not {VERSION}" if first.version != VERSION else "not as it was written"
        return "stale", Diagnostic(target.path, line, "error", "stale-block", f"{what} is {old}", again)
    return "stale", Diagnostic(target.path, 0, "error", "stale-entry", f"{what} is not as it should be", again)


def broken_file(path: str, error: CueDeckError) -> Diagnostic:
    """Return an error of a file as a finding at its line."""
    return Diagnostic(path, error.line, "error", "broken-file", error.problem, error.hint)


def _name(part: Part) -> str:
    if isinstance(part, BlockPart):
        return "the block of CueDeck"
    if isinstance(part, AllowPart):
        return "a rule that allows a tool"
    return "a hook" if isinstance(part, HooksPart) else "the server `cuedeck`"
