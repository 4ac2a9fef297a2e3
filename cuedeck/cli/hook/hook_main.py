"""Entry point of hooks: read the event, queue it, process the queue, answer. It never fails.

Only a few modules of the standard library are imported before it is known that there is work, and nothing heavy before
the event is on disk.
"""

from __future__ import annotations

import os
import sys

from cuedeck.cli.hook.fast_path import begin_turn, files_inside, find_root, has_nothing_to_do, turn_of
from cuedeck.cli.hook.hook_request import HOSTS, parse
from cuedeck.cli.hook.responder import Responder, say
from cuedeck.cli.hook.response_formats import answer, empty
from cuedeck.model.hook_event import EVENTS, HookEvent

MOST_BYTES = 8_000_000
"""Maximum size of a request; no host needs more."""
_NO_OBJECT = "no JSON object on standard input"
_TOO_LARGE = f"the event is larger than {MOST_BYTES:,} bytes and is not processed"
_READ_AWAY_BYTES = 64_000_000
"""Read and discarded up to this size, so that the host can finish writing."""
_PORTION = 1 << 20
_SECONDS = {"prompt": 4.0, "post-tool": 4.0}
_MOST_SECONDS = 8.0
"""Default deadline; below the timeouts that are registered with the hosts."""
_SHARE = 1 / 2
"""Share of the deadline after which no queued event is started.

On a busy machine, processing an event takes longer than the imports did.
"""
_PROJECT = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR")


def main(arguments: list[str]) -> int:
    """Answer one event; `arguments` are those after `hook`. Always return 0."""
    event, host, directory = read_arguments(arguments)
    known = host if host in HOSTS else HOSTS[0]
    responder = Responder(empty(known, event), _seconds(event))
    told, root, text = HookEvent(event, known), "", ""
    name = f"cuedeck hook {event}" if event in EVENTS else "cuedeck hook"  # an unknown event may contain anything
    try:
        heard = _hear()
        told = parse(heard or b"", event, host)
        if not told.event:
            told.problem = _NO_OBJECT if heard is not None else _TOO_LARGE
        root = _root(told, directory)
        if told.event not in EVENTS:
            say(f"{name}: {_reason(event, told)}")
        responder.text = empty(told.host, event)
        text = _text(told, root, responder) if event else ""
    except BaseException as error:  # noqa: BLE001 - outermost frame: our failure must not block the host
        _say_masked(f"{name}: {type(error).__name__}: {error}", root, responder)
    responder.give(answer(told.host, event, text))
    return 0


def read_arguments(arguments: list[str]) -> tuple[str, str, str]:
    """Return event, host and folder; unknown arguments are ignored."""
    event = host = directory = ""
    rest = iter(arguments)
    for each in rest:
        name, mark, value = each.partition("=")
        if name == "--host":
            host = value if mark else next(rest, "")
        elif each == "-C":
            directory = next(rest, "")
        elif each.startswith("-C"):
            directory = each[2:]
        elif not each.startswith("-") and not event:
            event = each
    return event, host, directory


def _reason(event: str, told: HookEvent) -> str:
    """Return the reason why a request is ignored."""
    if event and not told.event:
        return told.problem
    return f"{'there is no such event' if event else 'the event is missing'}; known: {', '.join(EVENTS)}"


def _hear() -> bytes | None:
    """Return the input of the host, empty from a terminal; None if it is larger than `MOST_BYTES`."""
    stream = sys.stdin
    if stream is None or stream.closed or stream.isatty():
        return b""
    heard: list[bytes] = []
    size = 0
    while size <= _READ_AWAY_BYTES:
        portion = stream.buffer.read(_PORTION)
        if not portion:
            break
        size += len(portion)
        if size <= MOST_BYTES:
            heard.append(portion)
    return b"".join(heard) if size <= MOST_BYTES else None


def _say_masked(text: str, root: str, responder: Responder) -> None:
    """Print a masked line to stderr.

    The secret patterns of the settings run where a deadline can end the search: in the child process.
    """
    try:
        say(responder.work(lambda: _masked(text, root)))
    except BaseException as error:  # noqa: BLE001 - see `main`
        say(f"cuedeck hook: {type(error).__name__}")


def _masked(text: str, root: str) -> str:
    """Return a diagnostic line with secrets masked; it may contain words of the host or of the caller."""
    try:
        from cuedeck.app.mask_answers import mask_value
        from cuedeck.app.open_workspace import open_workspace

        return mask_value(text, open_workspace(root, os.environ) if root else None)
    except BaseException as error:  # noqa: BLE001 - see `main`
        return f"cuedeck hook: {type(error).__name__}"


def _root(told: HookEvent, directory: str) -> str:
    """Return the folder of the workspace for an event; empty if none."""
    starts = (directory,) if directory else (told.folder, *(os.environ.get(each, "") for each in _PROJECT), os.getcwd())
    return find_root(starts)


def _text(told: HookEvent, root: str, responder: Responder) -> str:
    """Return the text for the agent."""
    if not root:
        return ""
    told.files = files_inside(root, told)
    if told.event == "prompt":
        begin_turn(root, told)
    if told.event == "stop":  # read now: the next turn may begin while the event is queued
        told.turn = turn_of(root, told)
    if told.event in EVENTS and has_nothing_to_do(root, told):
        return ""
    from cuedeck.app.hooks import enqueue_event

    responder.on_deadline = lambda: enqueue_event.log_unprocessed(root, told, "no answer in time")
    if told.event in enqueue_event.QUEUED:
        if told.event == "stop" and not enqueue_event.is_turn_end(told):
            return ""
        problem = enqueue_event.enqueue(root, told)
        if problem:
            _say_masked(f"cuedeck hook {told.event}: the event is not queued: {problem}", root, responder)
        elif not enqueue_event.needs_answer(told) and enqueue_event.is_processing(root):
            return ""
    try:
        until = responder.started + _seconds(told.event) * _SHARE
        return responder.work(lambda: _run(root, told, until))
    except ChildProcessError as error:
        enqueue_event.log_unprocessed(root, told, str(error))
        raise


def _run(root: str, told: HookEvent, until: float) -> str:
    """Process an event; this imports nearly everything."""
    from cuedeck.app.hooks.dispatch import run

    return run(root, told, os.environ, say, until)


def _seconds(event: str) -> float:
    return _SECONDS.get(event, _MOST_SECONDS)
