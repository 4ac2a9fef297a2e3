"""Timelines of sessions in the cortex tree, and memories of other programs."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from cuedeck.knowledge.cortex.add_message import NewMessage, add_message, parse_metadata
from cuedeck.knowledge.cortex.change_cortex_session import (
    SessionDetails,
    close_cortex_session,
    open_cortex_session,
)
from cuedeck.knowledge.cortex.commit_session import commit_session
from cuedeck.knowledge.cortex.session_owners import checked_owners
from cuedeck.model.formatting import counted, quoted
from cuedeck.shells.call import Call, Note
from cuedeck.shells.operation import Many, Param, operation
from cuedeck.shells.text_table import table

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


def _added(answer: Mapping[str, Any]) -> Iterator[str]:
    yield answer["address"]
    if "note" in answer:
        yield Note(answer["note"])


@operation(
    "cortex add",
    'cuedeck cortex add "I prefer vim as my editor"\n'
    'cuedeck cortex add --role assistant --session fix-login "The token was expired"\n'
    'cuedeck cortex add --session review --user ana --agent reviewer "Looks good"\n'
    "cat answer.md | cuedeck cortex add --role assistant -",
    _added,
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
) -> dict[str, Any]:
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
    owners = checked_owners(call.workspace, user, agent)
    new = NewMessage(text, role, time, participants, metadata=values, owners=owners)
    added = add_message(call.workspace, new, session)
    answer: dict[str, Any] = {
        "address": added.address.text,
        "path": added.address.path,
        "session": added.session,
        "id": added.id,
        "seq": added.seq,
    }
    if added.note:
        answer["note"] = added.note
    return answer


def _receipt(answer: Mapping[str, Any]) -> Iterator[str]:
    if answer["address"]:
        name, messages = answer["session"], counted(answer["messages"], "new message")
        yield f"session {name}: {messages}, committed up to {answer['seq']}"
    if answer["statements"]:
        yield counted(answer["statements"], "new statement")
    for verb in ("made", "updated", "reused"):
        for each in answer[verb]:
            yield f"{verb:<8} {each['address']}"
    layers = answer["layers"]
    if layers["made"]:
        yield f"built    {counted(len(layers['made']), 'layer')}"
    for each in layers["kept"]:
        yield f"layer of {each['address']}: {each['status']}"
    for each in answer["left_out"]:
        yield f"left out {each['address']}: {each['reason']}"
    if answer["stale_layers"]:
        stale = counted(answer["stale_layers"], "layer")
        yield f"stale    {stale} of other texts; `cuedeck layers build` builds them"


@operation(
    "cortex commit",
    "cuedeck cortex commit\ncuedeck cortex commit fix-login --json",
    _receipt,
)
def commit(
    call: Call, session: AnySession = "", *, user: User = "", agent: Agent = ""
) -> dict[str, Any]:
    """Write the memories in new messages and statements.

    The messages are those of the session. The statements are those that hooks captured
    in the session of a host with this id; without SESSION, in all. `memory tick`
    and the end of a session commit statements by themselves.

    Only explicit sentences count: remember, prefer, decide, names with roles, TODO,
    problem and solution. A second commit changes nothing. The session stays active.
    """
    owners = checked_owners(call.workspace, user, agent)
    return commit_session(call.workspace, session, owners)


def _session(answer: Mapping[str, Any]) -> str:
    messages = counted(answer["message_count"], "message")
    return f"session {answer['session']}: {answer['status']}, {messages}"


@operation(
    "cortex open",
    'cuedeck cortex open fix-login --title "Fix login" --tag auth\ncuedeck cortex open',
    _session,
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
) -> dict[str, Any]:
    """Create a session, or make a closed or archived one active again.

    Tags and participants are added to those of the session; title and description
    replace the old ones.

    Args:
        title: Title of the session.
        description: Description of the session.
        tags --tag TAG: Tag.
        participants --participant NAME: Who takes part.
    """
    owners = checked_owners(call.workspace, user, agent)
    details = SessionDetails(title, description, tags, participants, owners)
    return open_cortex_session(call.workspace, session, details)


@operation("cortex close", "cuedeck cortex close fix-login", _session)
def close(call: Call, session: AnySession = "") -> dict[str, Any]:
    """Close a session; the next message makes it active again."""
    return close_cortex_session(call.workspace, session)


def _imported(answer: Mapping[str, Any]) -> Iterator[str]:
    sessions: dict[str, None] = {}
    rows = []
    for each in answer["rows"]:
        row = (each["action"], each["source"], each["target"], each["reason"])
        rows.append(row)
        parts = each["target"].split("/")
        if each["action"] == "new" and parts[:3] == ["cortex:", "", "session"]:
            sessions[parts[3]] = None
    if rows:
        yield table("ACTION,SOURCE,TARGET,REASON~", rows)
        yield ""
    numbers = [f"{number} {name}" for name, number in answer["counts"].items()]
    yield f"{answer['kind']}: {', '.join(numbers)}"
    if answer["dry_run"]:
        yield "Nothing was written: this was a dry run."
        return
    if answer["kind"] == "cortex" and answer["counts"]["new"]:
        yield "next: cuedeck layers build"
        for session in sessions:
            yield f"next: cuedeck cortex commit {quoted(session)}"


@operation(
    "cortex import",
    "cuedeck cortex import --dry-run ../old-agent/memory\n"
    "cuedeck cortex import --from cortex --tenant ana ~/.local/share/memclaw",
    _imported,
)
def import_memory(
    call: Call,
    folder: Annotated[str, Param("place", "DIR")],
    *,
    kind: str = "",
    tenant: str = "",
    dry_run: bool = False,
) -> dict[str, Any]:
    """Take over the memory of another program.

    DIR is a tree of cortex-mem or of CueDeck, a memory folder of ClawCode, or a
    profile of CursorClaw. It is never written. What exists already is kept and
    compared, so a repeated import changes nothing. The table lists each file with its
    target, each file and line that is refused or left out with the reason.

    Args:
        kind --from KIND: cortex, clawcode or cursorclaw.  [default: found by the
            content of DIR]
        tenant TENANT: The tenant to import of a cortex tree with tenants.
        dry_run: Print the table and write nothing.
    """
    from cuedeck.knowledge.importers.import_foreign import import_foreign

    return import_foreign(call.workspace, folder, kind, tenant, dry_run=dry_run)
