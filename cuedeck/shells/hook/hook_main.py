"""Entry point of hooks: read the event, queue it, process the queue, answer. It never
fails.

Only a few modules of the standard library are imported before it is known that there is
work, and nothing heavy before the event is on disk.
"""

from __future__ import annotations

import json
import os
import sys
from functools import partial

from cuedeck.agents.hosts import DEFAULT_HOST, find_hooks, hooks_of
from cuedeck.model.hook_event import EVENTS, NOTHING, HookEvent
from cuedeck.shells.hook.fast_path import (
    begin_turn,
    files_inside,
    find_root,
    is_handled_elsewhere,
    may_keep_prompt,
    needed_work,
    refuse_transcript,
    turn_of,
    turn_of_prompt,
)
from cuedeck.shells.hook.hook_request import parse
from cuedeck.shells.hook.responder import Responder, say

TYPE_CHECKING = False
if TYPE_CHECKING:
    from cuedeck.agents.hosts.base import Hooks

MOST_BYTES = 8_000_000
"""Maximum size of a request; no host needs more."""
_NO_OBJECT = "no JSON object on standard input"
_TOO_LARGE = f"the event is larger than {MOST_BYTES:,} bytes and is not processed"
_READ_AWAY_BYTES = 64_000_000
"""Read and discarded up to this size, so that the host can finish writing."""
_PORTION = 1 << 20
_SECONDS = 1.6
"""Deadline of an event, so that the program ends within 2 seconds on a busy machine; a
background process does the rest.
"""
_START_SECONDS = 8.0
"""Deadline of the start of a session, if no prompt can give the brief; below the
timeouts that are registered with the hosts.
"""
_SHARE = 1 / 2
"""Share of the deadline after which no queued event is started.

On a busy machine, processing an event takes longer than the imports did.
"""


def main(arguments: list[str]) -> int:
    """Answer one event; `arguments` are those after `hook`. Always return 0."""
    event, host, directory, form = read_arguments(arguments)
    known = host if find_hooks(host) is not None else DEFAULT_HOST
    hooks = hooks_of(known)
    responder = Responder(response(hooks, event), _seconds(event, hooks))
    root = text = ""
    # An unknown event may contain anything.
    name = f"cuedeck hook {event}" if event in EVENTS else "cuedeck hook"
    try:
        data = read_request()
        request = parse(data or b"", event, host)
        if not request.event:
            request.problem = _NO_OBJECT if data is not None else _TOO_LARGE
        hooks = hooks_of(request.host)
        refuse_transcript(request, hooks)
        root = _root(request, hooks, directory)
        if request.event not in EVENTS:
            say(f"{name}: {_reason(event, request)}")
        responder.text = response(hooks, event)
        sent = request.event
        if event and not is_handled_elsewhere(root, sent, hooks, form, data or b""):
            text = _text(request, hooks, root, responder)
    except BaseException as error:  # noqa: BLE001 - outermost frame: our failure must not block the host
        _complain(f"{name}: {type(error).__name__}: {error}", root, responder)
    responder.give(response(hooks, event, text))
    if root and os.environ.get("CUEDECK_EXCHANGE__HUB"):
        # Another process exchanges; few users have a hub.
        from cuedeck.engine.background_exchange import exchange_later

        exchange_later(root)
    return 0


def response(hooks: Hooks, event: str, context: str = "") -> str:
    """Return the output of a hook: JSON in ASCII, independent of the locale, or the
    plain text that the host expects.

    The text `context` is omitted if the host accepts none for this event.
    """
    name = hooks.context_name(event)
    added: dict[str, str] | None = None
    if name and context:
        # No host accepts lone surrogates.
        context = context.encode("utf-8", "replace").decode()
        added = {"hookEventName": name, "additionalContext": context}
    value = hooks.respond(event, added)
    if isinstance(value, str):
        return value
    return json.dumps(value)


def read_arguments(arguments: list[str]) -> tuple[str, str, str, str]:
    """Return event, host, folder and form; unknown arguments are ignored."""
    event = host = directory = form = ""
    rest = iter(arguments)
    for each in rest:
        name, mark, value = each.partition("=")
        if name == "--host":
            host = value if mark else next(rest, "")
        elif name == "--from":
            form = value if mark else next(rest, "")
        elif each == "-C":
            directory = next(rest, "")
        elif each.startswith("-C"):
            directory = each[2:]
        elif not each.startswith("-") and not event:
            event = each
    return event, host, directory, form


def _reason(event: str, request: HookEvent) -> str:
    if event and not request.event:
        return request.problem
    problem = "unknown event" if event else "the event is missing"
    return f"{problem}; the events are {', '.join(EVENTS)}"


def read_request() -> bytes | None:
    """Return the input of the host, empty from a terminal; None if it is larger than
    `MOST_BYTES`.
    """
    stream = sys.stdin
    if stream is None or stream.closed or stream.isatty():
        return b""
    portions: list[bytes] = []
    size = 0
    while size <= _READ_AWAY_BYTES:
        portion = stream.buffer.read(_PORTION)
        if not portion:
            break
        size += len(portion)
        if size <= MOST_BYTES:
            portions.append(portion)
    if size <= MOST_BYTES:
        return b"".join(portions)
    return None


def _complain(text: str, root: str, responder: Responder) -> None:
    """Print a line to stderr, with secrets masked: it may contain words of the host or
    of the caller.

    The secret patterns of the settings run where a deadline can end the search: in the
    child process.
    """
    try:
        say(responder.work(partial(_masked, text, root)))
    except BaseException as error:  # noqa: BLE001 - see `main`
        say(f"cuedeck hook: {type(error).__name__}")


def _masked(text: str, root: str) -> str:
    from cuedeck.engine.mask_answers import mask_value
    from cuedeck.engine.open_workspace import open_workspace

    return mask_value(text, open_workspace(root, os.environ) if root else None)


def _root(request: HookEvent, hooks: Hooks, directory: str) -> str:
    """Return the folder of the workspace for an event; empty if none."""
    if directory:
        return find_root((directory,))
    named = [os.environ.get(name, "") for name in hooks.folder_variables]
    return find_root((request.folder, *named, os.getcwd()))


def _text(request: HookEvent, hooks: Hooks, root: str, responder: Responder) -> str:
    if not root or request.is_blank:
        return ""
    is_compaction = hooks.announces_compaction(request.source)
    if request.event == "pre-compact" and not is_compaction:
        return ""
    request.files = files_inside(root, request)
    if request.event == "prompt":
        begin_turn(root, request)
        _keep_prompt(request, root, responder)
    if request.event == "stop":
        # Read here, because the next turn may begin while the event is queued.
        request.turn = turn_of(root, request)
    request.work = needed_work(root, request)
    if request.work == NOTHING:
        return ""
    return _process(request, hooks, root, responder)


def _process(request: HookEvent, hooks: Hooks, root: str, responder: Responder) -> str:
    from cuedeck.agents.hooks import enqueue_event

    def expire() -> None:
        from cuedeck.agents.hooks.process_pending import catch_up_later

        enqueue_event.log_unprocessed(root, request, "no answer in time")
        catch_up_later(root)

    responder.on_deadline = expire
    if request.event in enqueue_event.QUEUED:
        if request.event == "stop" and not enqueue_event.is_turn_end(request):
            return ""
        problem = enqueue_event.enqueue(root, request)
        if problem:
            _complain(
                f"cuedeck hook {request.event}: the event is not queued: {problem}",
                root,
                responder,
            )
        elif enqueue_event.needs_answer(request, hooks):
            pass
        elif enqueue_event.is_processing(root):
            return ""
    try:
        seconds = _seconds(request.event, hooks)
        until = responder.started + seconds * _SHARE
        return responder.work(lambda: _run(root, request, until))
    except ChildProcessError as error:
        enqueue_event.log_unprocessed(root, request, str(error))
        raise
    finally:
        if request.event == "session-end":
            # No further hook may process the events that are still queued.
            from cuedeck.agents.hooks.process_pending import process_later

            process_later(root)


def _keep_prompt(request: HookEvent, root: str, responder: Responder) -> None:
    if not may_keep_prompt(root, request):
        return
    from cuedeck.agents.hooks.enqueue_event import enqueue_prompt

    request.turn = turn_of_prompt(request)
    problem = enqueue_prompt(root, request)
    if problem:
        _complain(f"the prompt is not queued: {problem}", root, responder)


def _run(root: str, request: HookEvent, until: float) -> str:
    """Process an event; this imports nearly everything."""
    from cuedeck.agents.hooks.dispatch import run

    return run(root, request, os.environ, say, until)


def _seconds(event: str, hooks: Hooks) -> float:
    if event == "session-start" and not hooks.context_name("prompt"):
        return _START_SECONDS
    return _SECONDS
