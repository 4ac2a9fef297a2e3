"""Checks that own entries exist and are current."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from cuedeck.agents.edits.managed_block import VERSION, BlockPart, blocks_of
from cuedeck.agents.edits.managed_part import Part
from cuedeck.agents.edits.mcp_server import RetiredServerPart
from cuedeck.agents.setup.checks.host_view import HostView
from cuedeck.agents.setup.file_change import text_of
from cuedeck.agents.setup.host_targets import Target
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.errors import CueDeckError, Invalid, StorageError
from cuedeck.store.files.host_files import check_folders
from cuedeck.text.text_offsets import line_number

Health = Literal["right", "stale", "missing", "broken"]
_ORDER: tuple[Health, ...] = ("broken", "missing", "stale", "right")


def check_files(view: HostView) -> Iterator[Diagnostic]:
    """Yield own entries that are missing, outdated or edited, and files that cannot be
    parsed.
    """
    for target in view.targets:
        found = (examine_part(view, target, part)[1] for part in target.parts)
        # One finding for a missing file.
        yield from dict.fromkeys(each for each in found if each)


def state_of(view: HostView, target: Target) -> Health:
    """Return the worst health of the parts of a file."""
    found = {examine_part(view, target, part)[0] for part in target.parts}
    return next(health for health in _ORDER if health in found)


def examine_part(
    view: HostView, target: Target, part: Part
) -> tuple[Health, Diagnostic | None]:
    """Return the health of one part with its finding; `broken` includes files that
    set-up would refuse to change.
    """
    again = f"`{view.command}` repairs it"
    path = target.path
    try:
        data = target.read()
        text = text_of(target, data)
        if isinstance(part, RetiredServerPart) and part.is_right(text):
            return "right", None
        if data is None or not part.holds(text):
            check_folders(target.place)
            part.put(text)
            message = f"{part.name} is missing"
            return "missing", Diagnostic(
                path, 0, "error", "missing-entry", message, again
            )
        if part.is_right(text):
            return "right", None
        part.renew(text)
    except (Invalid, StorageError) as error:
        return "broken", broken_file(path, error)
    line, code = 0, "stale-entry"
    message = f"{part.name} differs from the expected text"
    if isinstance(part, RetiredServerPart):
        code = "committed-server"
        message = f"{part.name} is an error for people without CueDeck"
        again = (
            f"`{view.command}` removes it; with --local or --user it adds one for you"
        )
    if isinstance(part, BlockPart):
        first = blocks_of(text)[0]
        line, code = line_number(text, first.start), "stale-block"
        message = f"{part.name} is different from the expected text"
        if first.version != VERSION:
            message = f"{part.name} is of version {first.version}, not {VERSION}"
    return "stale", Diagnostic(
        path,
        line,
        "error",
        code,
        message,
        again,
    )


def broken_file(path: str, error: CueDeckError) -> Diagnostic:
    """Return the finding for a file that cannot be parsed or changed."""
    return Diagnostic(
        path, error.line, "error", "broken-file", error.problem, error.hint
    )
