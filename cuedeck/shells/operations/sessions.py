"""Sessions of work, their notes and progress."""

import json
from collections.abc import Iterator
from typing import Annotated, Any

from cuedeck.ledger.sessions.progress_items import resume_sentence
from cuedeck.model.errors import Invalid, UsageError
from cuedeck.model.ports import Json, JsonView
from cuedeck.parse.fence import quoted as as_data
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Card, Many, Param, Session, Words, operation, topic
from cuedeck.shells.text_template import write_lines
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


_RESUMED = """\
?closed Closed session {closed} with a checkpoint; `cuedeck resume {closed!q}` resumes it.
{sentence}
*assumptions {message!a}
?unchanged Nothing changed since.
?changed
?changed Changed since:
!unchanged {changed:!Linked files are unchanged; the rest of the scene changed.}
*changed   {path:~.?{path}  }{change}
?working_set
?working_set Files of the session:
|working_set file={path} | role | ={hash:!gone}
?earlier
?earlier {earlier!t}"""


def _resumed(answer: JsonView) -> Iterator[str]:
    last, following = answer["last_action"] or "", answer["next"] or ""
    sentence = resume_sentence(answer["title"], last, following, _as_data)
    yield from write_lines(_RESUMED, {**answer, "sentence": sentence})


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


_STARTED = """\
session {session}{card:? on card {card}}{step:?, step {step} of {workflow}}
*assumptions {message!a}
?cleaned archived: {cleaned}"""


@operation(
    "session start",
    "cuedeck session start feature-auth-123\n"
    "cuedeck session start --card 2a9 --workflow feature-development",
    _STARTED,
)
def start(
    call: Call,
    name: Annotated[str, Param(metavar="[NAME]")] = "",
    *,
    card: Card = "",
    workflow: str = "",
) -> Json:
    """Start a session.

    NAME becomes its id; by default the id is derived from the title of the card.

    Args:
        card: Card of the session; it becomes the active card.  [default: the active
            card]
        workflow NAME: Workflow whose steps the session follows:
            .cuedeck/workflows/NAME.toml.
    """
    return start_session(call.workspace, name=name, card=card, workflow=workflow)


@operation(
    "session checkpoint",
    'cuedeck session checkpoint "Tests are green"',
    """\
#?git warning: commits are not known: {git[message]}; {git[hint]}
{session}: written {written!n}, checked {checked!n}, done {done!n}, doing {doing!n}, todo {todo!n}, \
decisions {decisions!n}, commits {commits!n}""",
)
def checkpoint(call: Call, text: Words = "") -> Json:
    """Record the work since the last checkpoint.

    That is files written, boxes checked, progress, decisions and commits.
    """
    return checkpoints.checkpoint(call.workspace, text)


@operation(
    "session close", 'cuedeck session close "Login works"', "{session}: {status}"
)
def close(call: Call, text: Words = "", *, name: Session = "") -> Json:
    """Close the session, after a last checkpoint.

    Args:
        name --session: Session to close; it must be the open one.
    """
    return session_notes.close(call.workspace, text, name)


@operation(
    "session clean",
    "cuedeck session clean --dry-run",
    """\
!removed nothing to clean
?removed {removed} {dry_run:?would go}{dry_run:!went} to {archive}""",
)
def clean(call: Call, *, dry_run: bool = False) -> Json:
    """Move unused sessions into a compressed archive.

    A session is unused if it was not accessed for `session.keep_days` days.

    Args:
        dry_run: List the sessions that would be moved; move none.
    """
    return archive_sessions(
        call.workspace.settings,
        call.workspace.paths,
        call.workspace.sessions,
        dry_run=dry_run,
    )


@operation(
    "session note",
    'cuedeck session note "Added JWT middleware" --next "Integrate with login"',
    "{session}: {note}{note:?{next:?; }}{next:?next: {next}}",
)
def note(call: Call, text: Words = "", *, following: str = "") -> Json:
    """Record the last action and the next step.

    Args:
        following --next: Next step.
    """
    return session_notes.add_note(call.workspace, text, following)


@operation(
    "session touch",
    "cuedeck session touch src/auth.py --write",
    "*touched {path}: {role}",
)
def touch(
    call: Call,
    files: Annotated[Many, Param("written address", "FILE...")],
    *,
    reads: bool = False,
    writes: bool = False,
) -> Json:
    """Record that files were read or written.

    Args:
        reads --read: The files were read (default).
        writes --write: The files were written.
    """
    roles = {(True, True): "both", (False, True): "write"}
    role: Any = roles.get((reads, writes), "read")
    return session_notes.touch(call.workspace, call.start, files, role)


@operation(
    "session step",
    "cuedeck session step\ncuedeck session step next\ncuedeck session step set 3",
    "step {step} of {of}: {name}{text:?: {text}}",
)
def step(
    call: Call,
    where: Annotated[str, Param("", "[next|set]", choices=("next", "set"))] = "",
    number: Annotated[str, Param(metavar="[N]", dashes=True)] = "",
) -> Json:
    """Show the step of the workflow, or go to another step."""
    if not where:
        return session_notes.current_step(call.workspace.sessions, call.workspace.paths)
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


@operation(
    "session status",
    "cuedeck session status",
    """\
session   {session}
?card card      {card}{title:? {title}}
?step workflow  {workflow}, step {step[number]} of {step[of]}: {step[name]}
?branch branch    {branch}
?last_action last      {last_action}
?next next      {next}
?decisions decided   {decisions!d}
?working_set files     {working_set!r}
?progress
?progress Progress so far this session:
*progress - {line}""",
)
def status(call: Call) -> Json:
    """Show card, progress, decisions and files of the open session."""
    return sessions.status(call.workspace)


_SESSIONS = (
    "|sessions session | status | host={hosts} | card | start={created!m} | last access={last_access!m}"
    " | >files={files:,} | >turns={message_count:,} | timeline={address:?yes}{address:!no} | title~\n"
    "!sessions no sessions"
)
_FAULTS = "*faults warning: {path}: {message}; {hint}"


@operation("cortex sessions", "cuedeck cortex sessions", _SESSIONS, notes=_FAULTS)
def list_timelines(call: Call) -> Json:
    """List the sessions, as `session list` does."""
    return list_sessions(call)


@operation("session list", "cuedeck session list", _SESSIONS, notes=_FAULTS)
def list_sessions(call: Call) -> Json:
    """List the sessions with their timelines, the last used first."""
    return sessions.list_sessions(call.workspace)


@operation(
    "session show",
    "cuedeck session show\ncuedeck session show fix-login",
    lambda answer: json.dumps(answer, ensure_ascii=False, indent=2),
)
def show(call: Call, name: AnySession = "") -> Json:
    """Print everything recorded in a session, as JSON.

    Without SESSION, prints the open session.
    """
    return sessions.show_session(call.workspace.sessions, call.workspace.paths, name)


@operation(
    "session archive",
    "cuedeck session archive fix-login",
    "session {session}: archived",
)
def archive(
    call: Call, name: Annotated[str, Param("cortex session", "SESSION")]
) -> Json:
    """Archive a timeline: its messages stay, and new ones are refused.

    SESSION is a session of the cortex tree. `cuedeck cortex open SESSION` makes it
    active again.
    """
    from cuedeck.knowledge.cortex import change_cortex_session as work

    return work.set_cortex_status(call.workspace, name, "archived")


topic(
    "progress",
    "Record progress: done, doing and todo items.",
    'cuedeck progress done "Created user model"',
)


_STARTED_FOR_IT = "?started session {session} was started for it"


@operation(
    "progress done",
    'cuedeck progress done "Login endpoint"',
    "{line}",
    notes=_STARTED_FOR_IT,
)
def record_done(call: Call, text: Words) -> Json:
    """Record a finished item."""
    return session_notes.record_progress(call.workspace, text, "done")


@operation(
    "progress doing",
    'cuedeck progress doing "Login endpoint"',
    "{line}",
    notes=_STARTED_FOR_IT,
)
def record_doing(call: Call, text: Words) -> Json:
    """Record an item in progress."""
    return session_notes.record_progress(call.workspace, text, "doing")


@operation(
    "progress todo",
    'cuedeck progress todo "Login endpoint"',
    "{line}",
    notes=_STARTED_FOR_IT,
)
def record_todo(call: Call, text: Words) -> Json:
    """Record an open item."""
    return session_notes.record_progress(call.workspace, text, "todo")


def _progress_lines(answer: JsonView) -> Iterator[str]:
    heads = [(None, f"session {answer['session']}, without a card")]
    for card in answer["cards"]:
        notes = ["active"] if card["active"] else []
        if card["session"]:
            notes.append(f"session {card['session']}")
        head = " ".join(filter(None, ["card", card["id"], card["title"]]))
        heads.append((card["id"], f"{head} ({', '.join(notes)})"))
    for identity, head in heads:
        rows = [each for each in answer["progress"] if each["card"] == identity]
        lines = [each["line"] for each in rows]
        if not lines and identity is None:
            continue
        yield f"{head}:"
        yield from lines or ["nothing yet"]
    if len(heads) == 1 and not answer["progress"]:
        yield "nothing yet"


@operation("progress list", "cuedeck progress list", _progress_lines)
def list_progress(call: Call) -> Json:
    """List the progress items and the check boxes of the card.

    If the open session is on another card than the active one, both are listed.
    """
    return session_notes.list_progress(call.workspace)
