"""Processing of queued hook events: in the order of each agent session, each event with
one effect.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence

from cuedeck.ledger.sessions.hook_queue import FIELDS, HookQueue, PendingEvent
from cuedeck.model.errors import ConfigurationError, Locked, StorageError
from cuedeck.model.hook_event import HookEvent, file_name
from cuedeck.model.light_typing import NamedTuple

MOST_TRIES = 8
"""Number of attempts after which an event is set aside."""


class Drained(NamedTuple):
    """Result of one pass over the queue."""

    left: frozenset[str]
    """Ids of the events that cannot be processed now."""
    is_done: bool
    """Whether every other event is processed."""


class Batch(NamedTuple):
    """Events that are processed as one: consecutive files used in the same way by the
    tools of one agent session.
    """

    event: HookEvent | None
    """None for a file that contains no event."""
    waiting: Sequence[PendingEvent]


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
    while events := [each for each in queue.events() if each.id not in left]:
        batches = list(_batches(queue, events))
        if all(_is_postponed(batch, postponed) for batch in batches):
            left.update(each.id for each in events)
            continue
        for batch in batches:
            if time.monotonic() >= until:
                return Drained(frozenset(left), False)
            ids = [each.id for each in batch.waiting]
            if batch.event is None or batch.waiting[0].tries >= MOST_TRIES:
                _set_aside(queue, batch, report)
                left.update(ids)
                continue
            session = file_name(batch.event)
            if session in failed_sessions:
                left.update(ids)
                continue
            error = _process(queue, batch.event, batch.waiting, handle)
            if error is None:
                continue
            report(batch.event, error)
            if isinstance(error, Locked | ConfigurationError):
                # Every other event would fail in the same way.
                left.update(each.id for each in events)
                return Drained(frozenset(left), True)
            failed_sessions.add(session)
            left.update(ids)
    return Drained(frozenset(left), True)


def _is_postponed(batch: Batch, postponed: Collection[str]) -> bool:
    return batch.event is not None and batch.event.event in postponed


def _process(
    queue: HookQueue,
    event: HookEvent,
    waiting: Sequence[PendingEvent],
    handle: Callable[[HookEvent, float], object],
) -> Exception | None:
    """Process a batch and remove it from the queue; return the error if that failed."""
    first = waiting[0]
    begun = queue.begin(first)
    try:
        handle(event, first.seconds)
    except (Locked, StorageError, ConfigurationError) as error:
        queue.put_back(begun)
        return error
    except Exception as error:  # noqa: BLE001 - one event must not stop those of other sessions
        return error
    queue.remove(begun)
    for each in waiting[1:]:
        queue.remove(each)
    return None


def _set_aside(
    queue: HookQueue, batch: Batch, report: Callable[[HookEvent, Exception], object]
) -> None:
    """Set the first event of a batch aside for good, and report it."""
    first = batch.waiting[0]
    queue.set_aside(first)
    reason = (
        "it cannot be read"
        if batch.event is None
        else f"processing it failed {MOST_TRIES} times"
    )
    event = batch.event or HookEvent("", "")
    report(event, ValueError(f"the hook event {first.name} is set aside: {reason}"))


def _batches(queue: HookQueue, events: Sequence[PendingEvent]) -> Iterator[Batch]:
    """Yield the events in the order of processing. Sessions with a failed event come
    last.
    """
    read = [(waiting, queue.read(waiting)) for waiting in events]
    retried = set()
    for waiting, event in read:
        if event is not None and waiting.tries:
            retried.add(file_name(event))

    def order(pair: tuple[PendingEvent, HookEvent | None]) -> tuple[bool, str]:
        waiting, event = pair
        is_retried = event is not None and file_name(event) in retried
        return is_retried, waiting.name

    batch: list[PendingEvent] = []
    first: HookEvent | None = None
    for waiting, event in sorted(read, key=order):
        if (
            first is not None
            and event is not None
            and not waiting.tries
            and _can_merge(first, event)
        ):
            first.files = tuple(dict.fromkeys((*first.files, *event.files)))
            batch.append(waiting)
            continue
        if batch:
            yield Batch(first, batch)
        first, batch = event, [waiting]
    if batch:
        yield Batch(first, batch)


def _can_merge(first: HookEvent, other: HookEvent) -> bool:
    """Return whether two events of tools differ only in their files."""
    if first.event != "post-tool":
        return False
    return all(getattr(first, name) == getattr(other, name) for name in FIELDS)
