"""Events that could not be handled in time: they wait, and whoever has the lock next does what they ask for."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.app.hooks.words import words_of
from cuedeck.app.masking import mask_value
from cuedeck.model.errors import ConfigurationError, Locked, StorageError
from cuedeck.model.hook import Told
from cuedeck.store.waiting import BARE, KEPT, Waiting, line_of

if TYPE_CHECKING:
    from cuedeck.app.project import Project


def wait(project: Project, told: Told) -> None:
    """Keep an event that tells something and was not handled: files of a tool, the last words of a turn, an end.

    No file whose name is a secret is kept, and no words but those of a turn, masked. Raises: StorageError.
    """
    if told.kept:
        return
    files: list[str] = []
    if told.event == "post-tool" and told.files:
        masked = mask_value(told.files, project)
        files = [path for path, said in zip(told.files, masked, strict=True) if path == said]
    message = words_of(project, told) if told.event == "stop" else ""
    if files or message or told.event in BARE:
        Waiting(project.workspace).add(line_of(told, files, message))


def catch_up(
    project: Project,
    handle: Callable[[Told], object],
    give_up: Callable[[Told, Exception], object],
    until: float = math.inf,
) -> None:
    """Handle what waits; the caller holds the lock `hooks`.

    What is locked or cannot be written, or meets settings that cannot be read, goes on waiting, with all that came
    after it; of other trouble `give_up` hears.
    What is not begun `until` a moment, on the clock that never goes back, goes on waiting too.
    """
    waiting = Waiting(project.workspace)
    if waiting.is_empty:
        return
    lines = list(waiting.take())
    while lines and time.monotonic() < until:
        told, number = _first(lines)
        try:
            if told is not None:
                handle(told)
        except (Locked, StorageError, ConfigurationError):
            return
        except Exception as error:  # noqa: BLE001 - one bad line must not keep the others waiting for ever
            if told is not None:
                give_up(told, error)
        lines = lines[number:]
        waiting.keep(lines)


def _first(lines: Sequence[bytes]) -> tuple[Told | None, int]:
    """Return the first event, and how many lines it is: files of one session that were worked on alike are one."""
    first = _parse(lines[0])
    number = 1
    while first is not None and first.event == "post-tool" and number < len(lines):
        after = _parse(lines[number])
        if after is None or any(getattr(first, name) != getattr(after, name) for name in KEPT if name != "files"):
            break
        first.files = tuple(dict.fromkeys((*first.files, *after.files)))
        number += 1
    return first, number


def _parse(line: bytes) -> Told | None:
    """Return an event; None for a line that is broken."""
    try:
        value: dict[str, Any] = json.loads(line)
        words = {name: str(value[name]) for name in KEPT if name not in ("files", "active")}
        told = Told(words.pop("event"), words.pop("host"), files=tuple(map(str, value["files"])), **words)  # type: ignore[arg-type]
        told.active = value.get("active") is True
        return told
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
