"""Timelines of sessions in the cortex tree, and memories of other programs."""

from collections.abc import Iterator
from typing import Annotated

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message, parse_metadata
from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    open_cortex_session,
    set_cortex_status,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.cortex_sessions import checked_owners
from cuedeck.model.formatting import quoted
from cuedeck.model.ports import Json, JsonView
from cuedeck.shells.call import Call
from cuedeck.shells.operation import Many, Param, operation
from cuedeck.shells.text_template import write_lines

_SESSION = "Id of the session.  [default: cortex.session]"
Session = Annotated[str, Param("cortex session", "SESSION", help=_SESSION)]
AnySession = Annotated[str, Param("cortex session", "[SESSION]")]
_OWNER = "of the session; an existing session must have the same."
User = Annotated[
    str, Param("cortex user", "ID", help=f"The user {_OWNER}  [default: cortex.user]")
]
Agent = Annotated[
    str,
    Param("cortex agent", "ID", help=f"The agent {_OWNER}  [default: cortex.agent]"),
]


@operation(
    "cortex add",
    'cuedeck cortex add "I prefer vim as my editor"\n'
    'cuedeck cortex add --role assistant --session fix-login "The token was expired"\n'
    'cuedeck cortex add --session review --user ana --agent reviewer "Looks good"\n'
    "cat answer.md | cuedeck cortex add --role assistant -",
    """\
{address}
#?note {note}""",
)
def add(
    call: Call,
    text: Annotated[str, Param(words=True, stdin="dash", metavar="TEXT")],
    *,
    role: str = "user",
    session: Session = "",
    time: str = "",
    participants: Many = (),
    metadata: str = "",
    user: User = "",
    agent: Agent = "",
) -> Json:
    """Add a message to the timeline of a session.

    Prints its address.

    TEXT is the message, or `-` to read it from stdin. Secrets in it are masked. The
    session is created if it does not exist; it keeps the user and the agent with which
    it is created.

    Args:
        role ROLE: Who wrote the message: user, assistant or system.
        time TIME: Time of the message, such as 2026-11-22T09:15:00+01:00.
            [default: now]
        participants --participant NAME: Who took part, the user or the agent of the
            session if not given.
        metadata JSON: Values to store with the message, such as {"tags": ["auth"]}.
    """
    values = parse_metadata(metadata)
    owners = checked_owners(call.workspace.find_secrets, user, agent)
    new = NewMessage(text, role, time, participants, metadata=values, owners=owners)
    added = add_message(call.workspace, new, session)
    answer: Json = {
        "address": added.address.text,
        "path": added.address.path,
        "session": added.session,
        "id": added.id,
        "seq": added.seq,
    }
    if added.note:
        answer["note"] = added.note
    return answer


@operation(
    "cortex commit",
    "cuedeck cortex commit\ncuedeck cortex commit fix-login --json",
    """\
?address session {session}: {messages:+new message}, committed up to {seq}
?statements {statements:+new statement}
*made made     {address}
*updated updated  {address}
*reused reused   {address}
?layers[made] built    {layers[made]!n:+layer}
*layers[kept] layer of {address}: {status}
*left_out left out {address}: {reason}""",
)
def commit(
    call: Call, session: AnySession = "", *, user: User = "", agent: Agent = ""
) -> Json:
    """Write the memories in new messages and statements.

    The messages are those of the session. The statements are those that hooks captured
    in the session of a host with this id; without SESSION, in all. `memory tick`
    and the end of a session commit statements by themselves.

    Only explicit sentences count: remember, prefer, decide, names with roles, TODO,
    problem and solution. A second commit changes nothing. The session stays active.
    """
    owners = checked_owners(call.workspace.find_secrets, user, agent)
    return commit_session(call.workspace, session, owners)


_STATE = "session {session}: {status}, {message_count:+message}"


@operation(
    "cortex open",
    'cuedeck cortex open fix-login --title "Fix login" --tag auth\ncuedeck cortex open',
    _STATE,
)
def open_session(
    call: Call,
    session: AnySession = "",
    *,
    title: str = "",
    description: str = "",
    tags: Many = (),
    participants: Many = (),
    user: User = "",
    agent: Agent = "",
) -> Json:
    """Create a session, or make a closed or archived one active again.

    Tags and participants are added to those of the session; title and description
    replace the old ones.

    Args:
        title: Title of the session.
        description: Description of the session.
        tags --tag TAG: Tag.
        participants --participant NAME: Who takes part.
    """
    owners = checked_owners(call.workspace.find_secrets, user, agent)
    details = SessionDetails(title, description, tags, participants, owners)
    return open_cortex_session(call.workspace, session, details)


@operation("cortex close", "cuedeck cortex close fix-login", _STATE)
def close(call: Call, session: AnySession = "") -> Json:
    """Close a session; the next message makes it active again."""
    return set_cortex_status(call.workspace, session, "closed")


_IMPORTED = """\
|rows ACTION={action} | SOURCE={source} | TARGET={target} | REASON~={reason}
?rows
{kind}: {counts!c}
?dry_run Nothing was written: this was a dry run."""


def _imported(answer: JsonView) -> Iterator[str]:
    yield from write_lines(_IMPORTED, answer)
    if answer["kind"] != "cortex" or answer["dry_run"] or not answer["counts"]["new"]:
        return
    yield "next: cuedeck layers build"
    targets = [each["target"] for each in answer["rows"] if each["action"] == "new"]
    sessions = [
        each.split("/")[3] for each in targets if each.startswith("cortex://session/")
    ]
    for session in dict.fromkeys(sessions):
        yield f"next: cuedeck cortex commit {quoted(session)}"


@operation(
    "cortex import",
    "cuedeck cortex import --dry-run ../old-agent/memory\n"
    "cuedeck cortex import --from cortex ~/.local/share/memclaw/tenants/ana",
    _imported,
)
def import_memory(
    call: Call,
    folder: Annotated[str, Param("place", "DIR")],
    *,
    kind: str = "",
    dry_run: bool = False,
) -> Json:
    """Take over the memory of another program.

    DIR is a tree of cortex-mem, a memory folder of ClawCode, or a
    profile of CursorClaw. It is never written. What exists already is kept and
    compared, so a repeated import changes nothing. The table lists each file with its
    target, each file and line that is refused or left out with the reason.

    Args:
        kind --from KIND: cortex, clawcode or cursorclaw.  [default: found by the
            content of DIR]
        dry_run: Print the table and write nothing.
    """
    from cuedeck.knowledge.importers.import_foreign import import_foreign

    return import_foreign(call.workspace, folder, kind, dry_run=dry_run)
