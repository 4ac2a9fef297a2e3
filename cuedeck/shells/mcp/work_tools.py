"""Tools for the state of work: `cards` and `session`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.model.errors import Invalid
from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.shells.mcp.operation_tools import Action, run_action
from cuedeck.shells.mcp.tool_base import ACTION, Arguments, Tool
from cuedeck.shells.mcp.tool_result import page
from cuedeck.shells.tool_fields import CURSOR, Field, limit

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

Run = Callable[["LiveWorkspace", Arguments], Mapping[str, Any]]
_TEXT_FIELDS = ("title", "priority", "assignee")


class _CardAction(NamedTuple):
    """An action of the `cards` tool."""

    run: Callable[[LiveWorkspace, Arguments], Mapping[str, Any]]
    takes: tuple[str, ...]
    """Names of the arguments it uses."""


def _list(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    found = run_action(Action("cards", "list"), workspace, given)
    problems = {"problems": found["problems"]} if found["problems"] else {}
    return {
        **page("cards", found["cards"], given["cursor"], given["limit"]),
        **problems,
    }


def _create(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    _check_status(given)
    return create_card(workspace, given)


def create_card(workspace: LiveWorkspace, given: Arguments) -> dict[str, Any]:
    """Create the card that the arguments describe, with defaults for empty ones."""
    from cuedeck.work.cards.create_card import NewCard, new_card

    known = {}
    for name in NewCard._fields:
        if given.get(name):
            known[name] = given[name]
    answer, warnings = new_card(workspace, NewCard(**{"title": "", **known}))
    return {**answer, "warnings": list(warnings)}


def _update(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.cards.edit_card import CardChange, update_card

    _check_status(given)
    change = CardChange(
        {name: given[name] for name in _TEXT_FIELDS if given[name]},
        given["status"],
        add_tags=given["tags"],
        add_refs=given["refs"],
        drop_refs=given["drop_refs"],
        add_depends_on=given["depends_on"],
    )
    changed = update_card(workspace, _card(given), change)
    shown = dict(_shown(workspace, changed["path"]))
    for key in ("replaced", "warnings"):
        if key in changed:
            shown[key] = changed[key]
    return shown


def _refs(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.cards.edit_card import CardChange, update_card

    change = CardChange(add_refs=given["refs"], drop_refs=given["drop_refs"])
    return _shown(workspace, update_card(workspace, _card(given), change)["path"])


def _status_setter(
    status: str,
) -> Callable[[LiveWorkspace, Arguments], Mapping[str, Any]]:
    def change(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
        from cuedeck.work.cards.edit_card import set_status

        return set_status(workspace, _card(given), status)

    return change


def _check_status(given: Arguments) -> None:
    if given["status"] == "all":
        raise Invalid(
            "`status` of a card cannot be all", hint=f"one of {', '.join(STATUSES)}"
        )


def _card(given: Arguments) -> str:
    if not given["id"]:
        raise Invalid(
            "`id` is missing", hint="`cards` with action `list` lists the ids"
        )
    card: str = given["id"]
    return card


def _shown(workspace: LiveWorkspace, card: str) -> Mapping[str, Any]:
    from cuedeck.work.cards.list_cards import show_card

    shown = show_card(workspace, card)["card"]
    return {"card": {key: value for key, value in shown.items() if key != "body"}}


_SETTING = ("status", *_TEXT_FIELDS, "tags", "refs", "depends_on")
_CARD_ACTIONS = {
    "list": _CardAction(
        _list,
        (
            "status",
            "priority",
            "assignee",
            "tags",
            "ready",
            "blocked",
            "limit",
            CURSOR.name,
        ),
    ),
    "create": _CardAction(_create, (*_SETTING, "body")),
    "update": _CardAction(_update, ("id", *_SETTING, "drop_refs")),
    "activate": _CardAction(_status_setter("active"), ("id",)),
    "done": _CardAction(_status_setter("done"), ("id",)),
    "refs": _CardAction(_refs, ("id", "refs", "drop_refs")),
}


def _cards(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    action = _CARD_ACTIONS[given[ACTION]]
    for field in CARDS.fields:
        if (
            field.name not in (ACTION, *action.takes)
            and given[field.name] != field.empty
        ):
            raise _useless(given[ACTION], field.name)
    return action.run(workspace, given)


def _useless(action: str, name: str) -> Invalid:
    """Return the error for an argument that the action does not use."""
    others = ", ".join(
        f"`{each}`" for each, known in _CARD_ACTIONS.items() if name in known.takes
    )
    takes = ", ".join(_CARD_ACTIONS[action].takes)
    hint = f"omit it; it belongs to {others}; `{action}` takes {takes}"
    return Invalid(f"`{action}` takes no `{name}`, so nothing was done", hint=hint)


CARDS = Tool(
    name="cards",
    title="Task cards",
    about="Tasks (todos, issues) as cards: list (open unless `status`; `ready`: waits for no other), create, update, "
    "activate (for the scene), done, refs (add and drop docs and code). `read` with an id shows one.",
    fields=(
        Field(ACTION, choices=tuple(_CARD_ACTIONS), default="list"),
        Field("id", also=("card", "card_id", "task_id")),
        Field("title"),
        Field("body", about="Markdown of a new card", also=("description", "text")),
        Field("status", choices=(*STATUSES, "all")),
        Field("priority", choices=PRIORITIES),
        Field("assignee"),
        Field("tags", "names", also=("tag", "labels")),
        Field("refs", "names", about="addresses", also=("ref",)),
        Field("drop_refs", "names"),
        Field("depends_on", "names", about="ids"),
        Field("ready", "flag"),
        Field("blocked", "flag"),
        limit(30, 500),
        CURSOR,
    ),
    run=_cards,
    writes=True,
    reading=("list",),
)


def _status(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.sessions.list_sessions import read_status

    return read_status(workspace)


def _progress(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.sessions.session_progress import list_progress, record_progress

    if not given["text"]:
        return list_progress(workspace)
    return record_progress(workspace, given["text"], given["state"])


def _attempt(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    from cuedeck.work.decisions.failed_attempts import NewAttempt, add_attempt

    needed = {
        "text": given["text"].strip(),
        "on": given["on"],
        "failed": given["failed"].strip(),
    }
    missing = [name for name, value in needed.items() if not value]
    if missing:
        names = " and ".join(f"`{name}`" for name in missing)
        raise Invalid(
            f"the action attempt needs {names}",
            hint="give `text` (the attempt), `on` and `failed`",
        )
    return add_attempt(
        workspace, NewAttempt(given["on"], given["text"], given["failed"])
    )


_SESSION_ACTIONS: dict[str, Run | Action] = {
    "status": _status,
    "start": Action("sessions", "session start", {"session": "name"}),
    "resume": Action("sessions", "resume", {"session": "name"}),
    "note": Action("sessions", "session note", {"next": "following"}),
    "progress": _progress,
    "attempt": _attempt,
    "checkpoint": Action("sessions", "session checkpoint"),
    "close": Action("sessions", "session close"),
}


def _session(workspace: LiveWorkspace, given: Arguments) -> Mapping[str, Any]:
    action = _SESSION_ACTIONS[given[ACTION]]
    if isinstance(action, Action):
        return run_action(action, workspace, given)
    return action(workspace, given)


SESSION = Tool(
    name="session",
    title="Work session",
    about="Keep the state of work across restarts and compaction. resume: changes since, last "
    "action, next step. note: `text` (last action) and `next`. progress: `text` with `state`. attempt: `text` was "
    "tried `on` addresses, and how it `failed`. checkpoint: before compaction or a break.",
    fields=(
        Field(ACTION, choices=tuple(_SESSION_ACTIONS), default="status"),
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
