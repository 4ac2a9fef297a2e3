"""Processing of queued hook events: in the order of each agent session, each event with
one effect.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import NamedTuple

from cuedeck.ledger.sessions.hook_queue import HookQueue, PendingEvent
from cuedeck.model.errors import ConfigurationError, Locked, StorageError
from cuedeck.model.hook_event import HookEvent, file_name

MOST_TRIES = 8
"""Number of attempts after which an event is set aside."""


_Read = tuple[PendingEvent, HookEvent | None]
"""An event of the queue; None for a file that contains no event."""


class Drained(NamedTuple):
    """Result of one pass over the queue."""

    left: frozenset[str]
    """Ids of the events that cannot be processed now."""
    is_done: bool
    """Whether every other event is processed."""


def drain(
    queue: HookQueue,
    handle: Callable[[HookEvent, float], object],
    report: Callable[[HookEvent, Exception], object],
    until: float,
    postponed: Collection[str] = (),
) -> Drained:
    """Process the queued events, including those added meanwhile. The caller holds the
    lock `hooks`.

    Events with a name in `postponed` stay in the queue unless it contains others, so
    that the order of all events is kept.

    `handle` receives an event and the time at which the host sent it. No processing
    starts after `until`, a time of the monotonic clock. After Locked, StorageError or
    ConfigurationError an event and the later events of its session stay in the queue.
    An event whose processing fails in another way, or ends the process, is set aside
    after `MOST_TRIES` attempts. Raises: StorageError if the queue itself cannot be
    changed.
    """
    left: set[str] = set()
    failed_sessions: set[str] = set()
    while read := _read_others(queue, left):
        ids = frozenset(each.id for each, _ in read)
        if all(event and event.event in postponed for _, event in read):
            left |= ids
            continue
        for waiting, event in read:
            if time.monotonic() >= until:
                return Drained(frozenset(left), False)
            error: Exception | None = None
            if event is None or waiting.tries >= MOST_TRIES:
                _set_aside(queue, waiting, event, report)
                left.add(waiting.id)
            elif file_name(event) in failed_sessions:
                left.add(waiting.id)
            else:
                error = _process(queue, waiting, event, handle)
            if error is None or event is None:
                continue
            report(event, error)
            if isinstance(error, Locked | ConfigurationError):
                # Every other event would fail in the same way.
                return Drained(frozenset(left | ids), True)
            failed_sessions.add(file_name(event))
            left.add(waiting.id)
    return Drained(frozenset(left), True)


def _read_others(queue: HookQueue, left: Collection[str]) -> list[_Read]:
    """Return the events that are not in `left` in the order of processing. Sessions
    with a failed event come last.
    """
    events = [each for each in queue.events() if each.id not in left]
    read = [(waiting, queue.read(waiting)) for waiting in events]
    retried = set()
    for waiting, event in read:
        if event is not None and waiting.tries:
            retried.add(file_name(event))

    def is_retried(pair: _Read) -> bool:
        _, event = pair
        return event is not None and file_name(event) in retried

    return sorted(read, key=is_retried)


def _process(
    queue: HookQueue,
    waiting: PendingEvent,
    event: HookEvent,
    handle: Callable[[HookEvent, float], object],
) -> Exception | None:
    """Process an event and remove it from the queue; return the error if that
    failed.
    """
    begun = queue.begin(waiting)
    try:
        handle(event, waiting.seconds)
    except (Locked, StorageError, ConfigurationError) as error:
        queue.put_back(begun)
        return error
    except Exception as error:  # noqa: BLE001 - one event must not stop those of other sessions
        return error
    queue.remove(begun)
    return None


def _set_aside(
    queue: HookQueue,
    waiting: PendingEvent,
    event: HookEvent | None,
    report: Callable[[HookEvent, Exception], object],
) -> None:
    queue.set_aside(waiting)
    reason = f"processing it failed {MOST_TRIES} times"
    if event is None:
        reason = "it cannot be read"
    problem = f"the hook event {waiting.name} is set aside: {reason}"
    report(event or HookEvent("", ""), ValueError(problem))
