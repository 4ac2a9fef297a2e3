"""Exchange of entries with other copies of the workspace through a hub."""

import os
import re
import socket
from functools import partial

from cuedeck.engine import background_exchange
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Address, operation

_DONE = """\
{sent:,} sent, {received:,} received{erased:?, {erased:,} forgotten}
*withheld {value:,} stay here: {key}
*kept_apart {it}: another entry has its id, both are kept
?clock_ahead_seconds the clock of this machine is {clock_ahead_seconds:,} s ahead of that of the hub"""
_STATUS = """\
{workspace:?workspace {workspace}}{workspace:!no workspace id}: {agreed:?exchanged}{agreed:!not exchanged}\
{at:?, last {at!m}}
{waiting:,} entries to send
*first   {it}
*withheld {value:,} stay here: {key}
*known {value:,} exchanged of kind {key}"""
_QUESTION = """\
nothing has left this machine; `cuedeck exchange --yes` sends these entries, and later ones unasked"""
_JOINS = """\
config.toml names the workspace {}: `--yes` joins it; a fork or a copy of a template takes another id: `--yes --new`"""
_FOUND = """\
*found {id}  {text!a} (by {author})
!found nothing"""


@operation(
    "exchange",
    "cuedeck exchange                            ask before the first time, then exchange\n"
    "cuedeck exchange --status\n"
    "cuedeck exchange --forget decision:k3f9qa   remove its text from every copy",
)
def exchange(
    call: Call,
    *,
    once: bool = False,
    follow: bool = False,
    status: bool = False,
    dry_run: bool = False,
    migrate: bool = False,
    yes: bool = False,
    new: bool = False,
    forget: Address = "",
    search: str = "",
) -> Answer:
    """Exchange decisions, attempts and shared memory with other copies of a project.

    Copies are checkouts of a team or of agents on many machines. They exchange through
    a PostgreSQL database, the hub, which CUEDECK_EXCHANGE__HUB names. The first time,
    nothing leaves before you agree. Later, hooks, `watch`, `web` and `mcp` exchange in
    the background.

    Args:
        once: Exchange once, and nothing if you have not agreed; for scripts.
        follow: Exchange every second while hooks or `watch`, `web` and `mcp` use this
            copy; they start it.
        status: Print the state and the number of waiting entries, without the hub.
        dry_run: Print what would leave; send nothing.
        migrate: Create or upgrade the schema of the hub; needs its administrator.
        yes: Agree that entries of this workspace leave this machine.
        new: Give the workspace a new id, as for a fork.
        forget: Remove the text of an entry of yours from the hub and all copies.
        search WORDS: Search the entries of the workspace on the hub.
    """
    from cuedeck.knowledge.exchange.run_exchange import Exchange

    copy = Exchange(call.workspace, socket.gethostname()[:100])
    try:
        if migrate:
            before, after = copy.hub.migrate()
            text = "the schema of the hub has version {after}"
            return Answer({"before": before, "after": after}, text)
        if status or dry_run:
            return Answer(copy.status(), _STATUS)
        if follow:
            if copy.is_agreed():
                background_exchange.follow(call.workspace.paths, partial(copy.run, 0))
            return Answer({"agreed": copy.is_agreed()}, "")
        if not copy.is_agreed() or new:
            is_joining = bool(copy.id) and not new
            if not yes:
                notes = (
                    [_JOINS.format(copy.id), _QUESTION] if is_joining else [_QUESTION]
                )
                code = 0 if once else 1
                return Answer(copy.status(), _STATUS, notes=notes, code=code)
            copy.agree(copy.id if is_joining else _new_id(call.workspace.paths.root))
        if search:
            return Answer({"found": copy.search(search)}, _FOUND)
        forgotten = copy.forget(forget) if forget else 0
        done = copy.run()
        return Answer({**done, "erased": done["erased"] + forgotten}, _DONE)
    finally:
        copy.hub.close()


def _new_id(root: str) -> str:
    name = re.sub(r"[^A-Za-z0-9]+", "-", os.path.basename(root)[:40])
    return f"{name}-{os.urandom(8).hex()}"
