"""Entry point of hooks: read the event, queue it, process the queue, answer. It never
fails.

Only a few modules of the standard library are imported before it is known that there is
work, and nothing heavy before the event is on disk.
"""

from __future__ import annotations

import json
import os
import sys

from cuedeck.agents.hosts import DEFAULT_HOST, find_hooks, hooks_of
from cuedeck.model.hook_event import EVENTS, HookEvent
from cuedeck.shells.hook.fast_path import (
    begin_turn,
    files_inside,
    find_root,
    has_nothing_to_do,
    is_handled_elsewhere,
    may_keep_prompt,
    refuse_transcript,
    turn_of,
    turn_of_prompt,
)
from cuedeck.shells.hook.hook_request import parse
from cuedeck.shells.hook.responder import Responder, say

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
    responder = Responder(response(known, event), _seconds(event, known))
    request, root, text = HookEvent(event, known), "", ""
    # An unknown event may contain anything.
    name = f"cuedeck hook {event}" if event in EVENTS else "cuedeck hook"
    try:
        data = read_request()
        request = parse(data or b"", event, host)
        if not request.event:
            request.problem = _NO_OBJECT if data is not None else _TOO_LARGE
        refuse_transcript(request)
        root = _root(request, directory)
        if request.event not in EVENTS:
            say(f"{name}: {_reason(event, request)}")
        responder.text = response(request.host, event)
        text = ""
        if event and not is_handled_elsewhere(root, request, form, data or b""):
            text = _text(request, root, responder)
    except BaseException as error:  # noqa: BLE001 - outermost frame: our failure must not block the host
        _say_masked(f"{name}: {type(error).__name__}: {error}", root, responder)
    responder.give(response(request.host, event, text))
    return 0


def response(host: str, event: str, context: str = "") -> str:
    """Return the output of a hook: JSON in ASCII, independent of the locale, or the
    plain text that the host expects.

    The text `context` is omitted if the host accepts none for this event.
    """
    hooks = hooks_of(host)
    name = hooks.context_name(event)
    added: dict[str, str] | None = None
    if name and context:
        context = context.encode(
            "utf-8", "replace"
        ).decode()  # replace lone surrogates, which no host accepts
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
    """Return the reason why a request is ignored."""
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


def _say_masked(text: str, root: str, responder: Responder) -> None:
    """Print a masked line to stderr.

    The secret patterns of the settings run where a deadline can end the search: in the
    child process.
    """
    try:
        say(responder.work(lambda: _masked(text, root)))
    except BaseException as error:  # noqa: BLE001 - see `main`
        say(f"cuedeck hook: {type(error).__name__}")


def _masked(text: str, root: str) -> str:
    """Return a diagnostic line with secrets masked; it may contain words of the host or
    of the caller.
    """
    try:
        from cuedeck.engine.mask_answers import mask_value
        from cuedeck.engine.open_workspace import open_workspace

        return mask_value(text, open_workspace(root, os.environ) if root else None)
    except BaseException as error:  # noqa: BLE001 - see `main`
        return f"cuedeck hook: {type(error).__name__}"


def _root(request: HookEvent, directory: str) -> str:
    """Return the folder of the workspace for an event; empty if none."""
    if directory:
        return find_root((directory,))
    variables = hooks_of(request.host).folder_variables
    return find_root(
        (request.folder, *(os.environ.get(name, "") for name in variables), os.getcwd())
    )


def _text(request: HookEvent, root: str, responder: Responder) -> str:
    """Return the text for the agent."""
    if not root or request.is_blank:
        return ""
    if request.event == "pre-compact" and not hooks_of(
        request.host
    ).announces_compaction(request.source):
        return ""
    request.files = files_inside(root, request)
    if request.event == "prompt":
        begin_turn(root, request)
        _keep_prompt(request, root, responder)
    if request.event == "stop":
        # Read here, because the next turn may begin while the event is queued.
        request.turn = turn_of(root, request)
    if request.event in EVENTS and has_nothing_to_do(root, request):
        return ""
    return _process(request, root, responder)


def _process(request: HookEvent, root: str, responder: Responder) -> str:
    """Queue an event, process the queue, and return the text for the agent."""
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
            _say_masked(
                f"cuedeck hook {request.event}: the event is not queued: {problem}",
                root,
                responder,
            )
        elif not enqueue_event.needs_answer(request) and enqueue_event.is_processing(
            root
        ):
            return ""
    try:
        seconds = _seconds(request.event, request.host)
        until = responder.started + seconds * _SHARE
        return responder.work(
            lambda: _run(root, request, until),
            is_isolated=not request.reads_memory_only,
        )
    except ChildProcessError as error:
        enqueue_event.log_unprocessed(root, request, str(error))
        raise
    finally:
        _process_rest(root, request)


def _process_rest(root: str, request: HookEvent) -> None:
    """Process the queued events in the background after the last event of a session."""
    if request.event != "session-end":
        return
    from cuedeck.agents.hooks.process_pending import process_later

    process_later(root)


def _keep_prompt(request: HookEvent, root: str, responder: Responder) -> None:
    """Queue the text of a prompt for the timeline, if the settings may ask for it."""
    if not may_keep_prompt(root, request):
        return
    # Without a timeline, most prompts need no queue.
    from cuedeck.agents.hooks.enqueue_prompt import enqueue_prompt

    request.turn = turn_of_prompt(request)
    problem = enqueue_prompt(root, request)
    if problem:
        _say_masked(f"the prompt is not queued: {problem}", root, responder)


def _run(root: str, request: HookEvent, until: float) -> str:
    """Process an event; this imports nearly everything."""
    from cuedeck.agents.hooks.dispatch import run

    return run(root, request, os.environ, say, until)


def _seconds(event: str, host: str) -> float:
    if event == "session-start" and not hooks_of(host).context_name("prompt"):
        return _START_SECONDS
    return _SECONDS
