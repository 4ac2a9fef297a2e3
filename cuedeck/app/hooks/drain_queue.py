"""Processing the queue of hook events: each event in the order of its session, in effect once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.model.errors import ConfigurationError, Locked, StorageError
from cuedeck.model.hook_event import HookEvent, file_name
from cuedeck.store.ledgers.hook_queue import FIELDS, HookQueue, PendingEvent

MOST_TRIES = 8
"""How often the processing of an event is begun before the event is set aside."""


class Drained(NamedTuple):
    """The result of one pass over the queue."""

    left: frozenset[str]
    """Ids of the events that cannot be processed now."""
    is_done: bool
    """Whether every other event is processed."""


class Batch(NamedTuple):
    """Events that are processed as one: the files of tools that one session used alike."""

    told: HookEvent | None
    """None for a file that holds no event."""
    events: Sequence[PendingEvent]


def drain(
    queue: HookQueue,
    handle: Callable[[HookEvent, float], object],
    report: Callable[[HookEvent, Exception], object],
    until: float,
) -> Drained:
    """Process the events that wait, and those that come meanwhile. The caller holds the lock `hooks`.

    `handle` takes an event and the time when the host told it. No event is begun after `until`, a monotonic time. An
    event that meets a lock, a full disk or broken settings stays, and so do the later events of its session. An event
    whose processing fails in another way, or ends the process, is set aside after `MOST_TRIES` tries.
    Raises: StorageError when the queue itself cannot be changed.
    """
    left: set[str] = set()
    stuck: set[str] = set()
    while events := [each for each in queue.events() if each.id not in left]:
        for told, batch in _batches(queue, events):
            first = batch[0]
            if time.monotonic() >= until:
                return Drained(frozenset(left), False)
            if told is None or first.tries >= MOST_TRIES:
                queue.set_aside(first)
                report(
                    told or HookEvent("", ""), ValueError(f"the hook event {first.name} is set aside: {_reason(told)}")
                )
                left.update(each.id for each in batch)
                continue
            if file_name(told) in stuck:
                left.update(each.id for each in batch)
                continue
            begun = queue.begin(first)
            try:
                handle(told, first.seconds)
            except (Locked, StorageError, ConfigurationError) as error:
                queue.put_back(begun)
                report(told, error)
                if not isinstance(error, StorageError):  # it would stop every other event as well
                    return Drained(frozenset(each.id for each in events) | left, True)
            except Exception as error:  # noqa: BLE001 - one event must not stop those of other sessions
                report(told, error)
            else:
                queue.remove(begun)
                for each in batch[1:]:
                    queue.remove(each)
                continue
            stuck.add(file_name(told))
            left.update(each.id for each in batch)
    return Drained(frozenset(left), True)


def _reason(told: HookEvent | None) -> str:
    return "it cannot be read" if told is None else f"{MOST_TRIES} tries to process it failed"


def _batches(queue: HookQueue, events: Sequence[PendingEvent]) -> Iterator[Batch]:
    """Yield the events in the order in which they are processed; sessions with a failed event come last."""
    read = [(event, queue.read(event)) for event in events]
    troubled = {file_name(told) for event, told in read if told is not None and event.tries}
    read.sort(key=lambda each: (each[1] is not None and file_name(each[1]) in troubled, each[0].name))
    batch: list[PendingEvent] = []
    first: HookEvent | None = None
    for event, told in read:
        if first is not None and told is not None and not event.tries and _is_alike(first, told):
            first.files = tuple(dict.fromkeys((*first.files, *told.files)))
            batch.append(event)
            continue
        if batch:
            yield Batch(first, batch)
        first, batch = told, [event]
    if batch:
        yield Batch(first, batch)


def _is_alike(first: HookEvent, other: HookEvent) -> bool:
    """Return whether two events differ in nothing but the files of a tool."""
    same = all(getattr(first, name) == getattr(other, name) for name in FIELDS)
    return same and first.event == "post-tool"
