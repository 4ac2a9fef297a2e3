"""The `session` tool: state of a work session across restarts and context compaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cuedeck.mcp.tool_arguments import Field
from cuedeck.mcp.tool_base import ACTION, Arguments, Tool
from cuedeck.model.errors import Invalid

if TYPE_CHECKING:
    from cuedeck.app.server.live_workspace import LiveWorkspace


def _status(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.list_sessions import read_status

    return read_status(project)


def _start(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.start_session import start_session

    return start_session(project, name=given["session"], card=given["card"], workflow=given["workflow"])


def _resume(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.resume_session import resume

    return resume(project, given["session"], switch=True)


def _note(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.session_notes import add_note

    return add_note(project, given["text"], given["next"])


def _progress(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.session_progress import list_progress, record_progress

    if not given["text"]:
        return list_progress(project)
    return record_progress(project, given["text"], given["state"])


def _attempt(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.decisions.failed_attempts import NewAttempt, add_attempt

    said = {"text": given["text"].strip(), "on": given["on"], "failed": given["failed"].strip()}
    absent = [name for name, value in said.items() if not value]
    if absent:
        names = " and ".join(f"`{name}`" for name in absent)
        raise Invalid(f"the action attempt needs {names}", hint="give `text` (what was tried), `on` and `failed`")
    return add_attempt(project, NewAttempt(given["on"], given["text"], given["failed"]))


def _checkpoint(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.checkpoint import checkpoint

    return checkpoint(project, given["text"])


def _close(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.app.sessions.session_notes import close

    return close(project, given["text"])


_ACTIONS: dict[str, Callable[[LiveWorkspace, Arguments], Mapping[str, Any]]] = {
    "status": _status,
    "start": _start,
    "resume": _resume,
    "note": _note,
    "progress": _progress,
    "attempt": _attempt,
    "checkpoint": _checkpoint,
    "close": _close,
}


def _session(project: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    return _ACTIONS[given[ACTION]](project, given)


SESSION = Tool(
    name="session",
    title="Work session",
    about="Keep the state of work through restarts and context compaction. resume: changes since then, last action, "
    "next step. note `text` (last action) and `next`; progress `text` with `state`; attempt: `text` was tried "
    "`on` addresses, and how it `failed`; checkpoint before compaction or a break.",
    fields=(
        Field(ACTION, choices=tuple(_ACTIONS), default="status"),
        Field("text", also=("note", "summary", "tried")),
        Field("next"),
        Field("state", choices=("done", "doing", "todo"), default="done"),
        Field("on", "names", also=("address",)),
        Field("failed"),
        Field("card", about="for start"),
        Field("workflow"),
        Field("session", about="id, for start and resume", also=("id",)),
    ),
    run=_session,
    writes=True,
    reading=("status",),
)
