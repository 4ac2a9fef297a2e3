"""Sessions of work, their notes and progress."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.ledger.sessions.progress_items import resume_sentence
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.formatting import quoted
from cuedeck.parse.fence import quoted as as_data
from cuedeck.shells.call import Answer, Call, Note
from cuedeck.shells.operation import Card, Many, Param, Session, Words, operation, topic
from cuedeck.shells.text_table import table
from cuedeck.work.sessions import checkpoint as checkpoints
from cuedeck.work.sessions import list_sessions as sessions
from cuedeck.work.sessions import resume_session, session_notes
from cuedeck.work.sessions.start_session import archive_sessions, start_session

AnySession = Annotated[str, Param("session", "[SESSION]")]
_LONGEST = 2_000
"""Characters of each text that `resume` prints."""

topic(
    "session",
    "Start, record, resume and close sessions of work.",
    "cuedeck session start --card 2a9 --workflow bug-fix",
)


def _as_data(text: str) -> str:
    """Return words of a session as quoted data, because agents read this output,
    too.
    """
    return as_data(text, _LONGEST)


def _resumed(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["closed"]:
        back = f"`cuedeck resume {quoted(answer['closed'])}` resumes it"
        yield f"Closed session {answer['closed']} with a checkpoint; {back}."
    last, following = answer["last_action"] or "", answer["next"] or ""
    yield resume_sentence(answer["title"], last, following, _as_data)
    for each in answer["assumptions"]:
        yield _as_data(each["message"])
    if answer["unchanged"]:
        yield "Nothing changed since."
    elif answer["changed"]:
        yield "\nChanged since:"
    else:
        yield "Linked files are unchanged; the rest of the scene changed."
    for each in answer["changed"]:
        where = "" if each["path"] == "." else f"{each['path']}  "
        yield f"  {where}{each['change']}"
    if answer["working_set"]:
        yield "\nFiles of the session:"
        rows = []
        for each in answer["working_set"]:
            state = "" if each["hash"] else "gone"
            rows.append((each["path"], each["role"], state))
        yield table("file,role,", rows)
    if answer["earlier"]:
        yield f"\n{answer['earlier'].rstrip()}"


@operation(
    "resume",
    "cuedeck resume\ncuedeck resume fix-login",
    _resumed,
    also="session resume",
)
def resume(call: Call, name: AnySession = "") -> Answer:
    """Resume a session and print what changed since.

    Another session that is open is closed first, with a checkpoint.
    """
    return Answer(resume_session.resume(call.workspace, name, switch=True))


def _started(answer: Mapping[str, Any]) -> Iterator[str]:
    card = f" on card {answer['card']}" if answer["card"] else ""
    step = ""
    if answer["step"]:
        step = f", step {answer['step']} of {answer['workflow']}"
    yield f"session {answer['session']}{card}{step}"
    for each in answer["assumptions"]:
        yield _as_data(each["message"])
    if answer["cleaned"]:
        yield f"archived: {', '.join(answer['cleaned'])}"


@operation(
    "session start",
    "cuedeck session start feature-auth-123\n"
    "cuedeck session start --card 2a9 --workflow feature-development",
    _started,
)
def start(
    call: Call,
    name: Annotated[str, Param(metavar="[NAME]")] = "",
    *,
    card: Card = "",
    workflow: str = "",
) -> dict[str, Any]:
    """Start a session.

    NAME becomes its id; by default the id is derived from the title of the card.

    Args:
        card: Card of the session; it becomes the active card.  [default: the active
            card]
        workflow NAME: Workflow whose steps the session follows:
            .cuedeck/workflows/NAME.toml.
    """
    return start_session(call.workspace, name=name, card=card, workflow=workflow)


def _counts(answer: Mapping[str, Any]) -> Iterator[str]:
    kinds = ("written", "checked", "done", "doing", "todo", "decisions", "commits")
    counts = ", ".join(f"{key} {len(answer[key])}" for key in kinds)
    if "git" in answer:
        git = answer["git"]
        yield Note(f"warning: commits are not known: {git['message']}; {git['hint']}")
    yield f"{answer['session']}: {counts}"


@operation(
    "session checkpoint", 'cuedeck session checkpoint "Tests are green"', _counts
)
def checkpoint(call: Call, text: Words = "") -> dict[str, Any]:
    """Record the work since the last checkpoint.

    That is files written, boxes checked, progress, decisions and commits.
    """
    return checkpoints.checkpoint(call.workspace, text)


@operation(
    "session close",
    'cuedeck session close "Login works"',
    lambda answer: f"{answer['session']}: {answer['status']}",
)
def close(call: Call, text: Words = "", *, name: Session = "") -> dict[str, Any]:
    """Close the session, after a last checkpoint.

    Args:
        name --session: Session to close; it must be the open one.
    """
    return session_notes.close(call.workspace, text, name)


def _cleaned(answer: Mapping[str, Any]) -> str:
    if not answer["removed"]:
        return "nothing to clean"
    verb = "would go to" if answer["dry_run"] else "went to"
    return f"{', '.join(answer['removed'])} {verb} {answer['archive']}"


@operation("session clean", "cuedeck session clean --dry-run", _cleaned)
def clean(call: Call, *, dry_run: bool = False) -> dict[str, Any]:
    """Move unused sessions into a compressed archive.

    A session is unused if it was not accessed for `session.keep_days` days.

    Args:
        dry_run: List the sessions that would be moved; move none.
    """
    return archive_sessions(call.workspace, dry_run=dry_run)


def _noted(answer: Mapping[str, Any]) -> str:
    parts = [answer["note"]] if answer["note"] else []
    if answer["next"]:
        parts.append(f"next: {answer['next']}")
    return f"{answer['session']}: {'; '.join(parts)}"


@operation(
    "session note",
    'cuedeck session note "Added JWT middleware" --next "Integrate with login"',
    _noted,
)
def note(call: Call, text: Words = "", *, following: str = "") -> dict[str, Any]:
    """Record the last action and the next step.

    Args:
        following --next: Next step.
    """
    return session_notes.add_note(call.workspace, text, following)


@operation(
    "session touch",
    "cuedeck session touch src/auth.py --write",
    lambda answer: [f"{each['path']}: {each['role']}" for each in answer["touched"]],
)
def touch(
    call: Call,
    files: Annotated[Many, Param("written address", "FILE...")],
    *,
    reads: bool = False,
    writes: bool = False,
) -> dict[str, Any]:
    """Record that files were read or written.

    Args:
        reads --read: The files were read (default).
        writes --write: The files were written.
    """
    roles = {(True, True): "both", (False, True): "write"}
    role: Any = roles.get((reads, writes), "read")
    return session_notes.touch(call.workspace, call.start, files, role)


def _step(answer: Mapping[str, Any]) -> str:
    text = f": {answer['text']}" if answer["text"] else ""
    return f"step {answer['step']} of {answer['of']}: {answer['name']}{text}"


@operation(
    "session step",
    "cuedeck session step\ncuedeck session step next\ncuedeck session step set 3",
    _step,
)
def step(
    call: Call,
    where: Annotated[str, Param("", "[next|set]", choices=("next", "set"))] = "",
    number: Annotated[str, Param(metavar="[N]", dashes=True)] = "",
) -> dict[str, Any]:
    """Show the step of the workflow, or go to another step."""
    if not where:
        return session_notes.current_step(call.workspace)
    return session_notes.step(call.workspace, _step_number(where, number))


def _step_number(where: str, number: str) -> int | None:
    """Return the requested step; None for the next. Raises: UsageError, Invalid for a
    malformed number.
    """
    hint = "`cuedeck session step set N`"
    if where == "next" and number:
        raise UsageError("`step next` takes no number", hint=hint)
    if where == "next":
        return None
    if not number:
        raise UsageError("`step set` needs a number", hint=hint)
    if not number.isascii() or not number.isdigit():
        raise Invalid(f"`{number}` is not a step", hint="give a number from 1")
    return int(number)


def _status(answer: Mapping[str, Any]) -> Iterator[str]:
    step = answer["step"]
    workflow = ""
    if step:
        place = f"step {step['number']} of {step['of']}: {step['name']}"
        workflow = f"{answer['workflow']}, {place}"
    files = [f"{each['path']} ({each['role']})" for each in answer["working_set"]]
    rows = {
        "session": answer["session"],
        "card": " ".join(filter(None, (answer["card"], answer["title"]))),
        "workflow": workflow,
        "branch": answer["branch"],
        "last": answer["last_action"],
        "next": answer["next"],
        "decided": "; ".join(each["title"] for each in answer["decisions"]),
        "files": ", ".join(files),
    }
    for name, value in rows.items():
        if value:
            yield f"{name:<9} {value}"
    if answer["progress"]:
        yield "\nProgress so far this session:"
    for each in answer["progress"]:
        yield f"- {each['line']}"


@operation("session status", "cuedeck session status", _status)
def status(call: Call) -> dict[str, Any]:
    """Show card, progress, decisions and files of the open session."""
    return sessions.status(call.workspace)


def _faults(answer: Mapping[str, Any]) -> Iterator[str]:
    for each in answer["faults"]:
        yield f"warning: {each['path']}: {each['message']}; {each['hint']}"


def _session_table(answer: Mapping[str, Any]) -> str:
    columns = "session,status,host,card,start,last access,>files,>turns,timeline,title~"
    rows = []
    for each in answer["sessions"]:
        row = (
            each["session"],
            each["status"],
            ", ".join(each["hosts"]),
            each["card"] or "",
            _minute(each["created"]),
            _minute(each["last_access"]),
            f"{each['files']:,}",
            f"{each['message_count']:,}",
            "yes" if each["address"] else "no",
            each["title"] or "",
        )
        rows.append(row)
    return table(columns, rows) or "no sessions"


def _minute(timestamp: str) -> str:
    return timestamp[:16].replace("T", " ")


@operation("cortex sessions", "cuedeck cortex sessions", _session_table, notes=_faults)
def list_timelines(call: Call) -> dict[str, Any]:
    """List the sessions, as `session list` does."""
    return list_sessions(call)


@operation("session list", "cuedeck session list", _session_table, notes=_faults)
def list_sessions(call: Call) -> dict[str, Any]:
    """List the sessions with their timelines, the last used first."""
    return sessions.list_sessions(call.workspace)


@operation(
    "session show",
    "cuedeck session show\ncuedeck session show fix-login",
    lambda answer: json.dumps(answer, ensure_ascii=False, indent=2),
)
def show(call: Call, name: AnySession = "") -> dict[str, Any]:
    """Print everything recorded in a session, as JSON.

    Without SESSION, prints the open session.
    """
    return sessions.show_session(call.workspace, name)


@operation(
    "session archive",
    "cuedeck session archive fix-login",
    lambda answer: f"session {answer['session']}: archived",
)
def archive(
    call: Call, name: Annotated[str, Param("cortex session", "SESSION")]
) -> dict[str, Any]:
    """Archive a timeline: its messages stay, and new ones are refused.

    SESSION is a session of the cortex tree. `cuedeck cortex open SESSION` makes it
    active again.
    """
    from cuedeck.knowledge.cortex import change_cortex_session as work

    return work.archive_cortex_session(call.workspace, name)
