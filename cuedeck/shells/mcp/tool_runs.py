"""What the actions of tools run that is not one operation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.memory.add_record import NewRecord, add_unknown
from cuedeck.ledger.records.record_lookup import find_record
from cuedeck.model.address import format_lines, join_anchor, split_anchor
from cuedeck.model.errors import Invalid
from cuedeck.model.file import STATUSES
from cuedeck.shells.mcp.context_tools import read_page
from cuedeck.shells.mcp.tool_base import Action, Arguments, Result
from cuedeck.shells.mcp.tool_result import (
    FIRST_PAGE,
    ResultPage,
    cut_json_page,
    following,
    offset,
    page,
)

if TYPE_CHECKING:
    from cuedeck.model.ports import Count, Json, JsonView
    from cuedeck.shells.call import Call

CHANNEL = "mcp"
_TEXT_FIELDS = ("title", "priority", "assignee")
_PAGE = 20
"""Entries of a page of a list of the cortex tree."""
_MOST_LISTED = 10_000


def create_card(call: Call, given: Arguments) -> Json:
    """Create the card that the arguments describe, with defaults for empty ones."""
    from cuedeck.work.cards.create_card import NewCard, new_card

    _check_status(given)
    known = {name: given[name] for name in NewCard._fields if given.get(name)}
    answer, warnings = new_card(call.workspace, NewCard(**{"title": "", **known}))
    return {**answer, "warnings": list(warnings)}


def update_card(call: Call, given: Arguments) -> JsonView:
    """Change the fields, tags, refs and dependencies of a card; return it."""
    from cuedeck.work.cards import edit_card, list_cards

    _check_status(given)
    if not given["id"]:
        raise Invalid(
            "`id` is missing", hint="`cards` with action `list` lists the ids"
        )
    change = edit_card.CardChange(
        {name: given[name] for name in _TEXT_FIELDS if given[name]},
        given["status"],
        add_tags=given["tags"],
        add_refs=given["refs"],
        drop_refs=given["drop_refs"],
        add_depends_on=given["depends_on"],
    )
    changed = edit_card.update_card(call.workspace, given["id"], change)
    card = dict(list_cards.show_card(call.workspace, changed["path"])["card"])
    del card["body"]
    answer: Json = {"card": card}
    for key in ("replaced", "warnings"):
        if key in changed:
            answer[key] = changed[key]
    return answer


def _check_status(given: Arguments) -> None:
    if given.get("status") == "all":
        raise Invalid(
            "`status` of a card cannot be all", hint=f"one of {', '.join(STATUSES)}"
        )


def read_status(call: Call, given: Arguments) -> JsonView:
    """Return the status of the open session; write nothing."""
    from cuedeck.work.sessions import list_sessions as work

    return work.read_status(call.workspace)


def record_progress(call: Call, given: Arguments) -> Result:
    """Record an item of progress, or without `text` list all."""
    words = given["state"] if given["text"] else "list"
    return Action(f"progress {words}")(call, given)


def assume(call: Call, given: Arguments) -> JsonView:
    """Record, resolve or check assumptions."""
    from cuedeck.work.assumptions import assumption_commands as work

    if given["resolve"]:
        return work.resolve_assumption(call.workspace, given["resolve"], given["text"])
    if given["text"]:
        fields = (given["text"], "", given["impact"], given["affects"], given["check"])
        return work.add_new(call.workspace, work.NewAssumption(*fields))
    answer, well = work.check_assumptions(call.workspace)
    return {**answer, "well": well}


def remember(call: Call, given: Arguments) -> JsonView:
    """Add a record, which may replace others."""
    memory = call.memory()
    replaced = []
    for each in given["supersedes"]:
        found = find_record(memory, each.removeprefix("record:"))
        replaced.append(found.record.id)
    names = ("text", "category", "sensitivity", "session")
    fields = {name: given[name] for name in names}
    record = NewRecord(
        **fields, channel=CHANNEL, confidence=1, supersedes=tuple(replaced)
    )
    return add_unknown(call.workspace, memory, [record])[0].as_json()


def forget(call: Call, given: Arguments) -> Result:
    """Delete a record for good."""
    action = Action("memory forget", {"id": "identity"})
    return action(call, {**given, "id": given["id"].removeprefix("record:")})


def experiences(call: Call, given: Arguments) -> JsonView:
    """Search experiences, or list the newest."""
    from cuedeck.knowledge.experiences import query_experiences as work

    call.workspace.refresh()  # the setting may have changed
    work.check_enabled(call.workspace.settings)
    memory = call.memory()
    query, most = given["query"], given["limit"]
    if query:
        return work.query_experiences(call.workspace, memory, query, top=most)
    found = work.list_experiences(memory, category=given["category"])
    return page("experiences", found["experiences"][::-1], given["cursor"], most)


def list_cortex(call: Call, given: Arguments) -> JsonView:
    """Return a page of the entries of a folder of the cortex tree."""
    from cuedeck.knowledge.cortex.search_cortex import list_folder

    abstracts = given["layer"] == "L0"
    most = min(offset(given["cursor"]) + _PAGE, _MOST_LISTED)
    found = list_folder(
        call.workspace,
        given["address"],
        limit=most if abstracts else _MOST_LISTED,
        abstracts=abstracts,
    )
    listed = page("entries", found["entries"], given["cursor"], _PAGE)
    return {"address": found["address"], **listed, "total": found["total"]}


def search_cortex(call: Call, given: Arguments) -> Result:
    """Search or explore the cortex tree."""
    layers = (given["layer"],) if given["layer"] else ()
    scope = given["address"] or given["session"]
    names = {
        "text": "query",
        "address": "address" if given["action"] == "explore" else "scope",
    }
    action = Action(f"cortex {given['action']}", names)
    return action(call, {"text": given["text"], "address": scope, "layers": layers})


def read_cortex_page(call: Call, given: Arguments) -> ResultPage:
    """Return a page of a file of the cortex tree, or a layer of it."""
    from cuedeck.knowledge.cortex.cortex_nodes import read_cortex

    address, layer = given["address"], given["layer"]
    if not address:
        raise Invalid(
            "`address` is missing",
            hint="give an address such as cortex://user/default/preferences",
        )
    if layer:
        answer = read_cortex(call.workspace, address, layer=layer)
        if answer["layer"] != "L2":
            return ResultPage(answer.pop("text"), answer)
    return read_page(call, address, given["cursor"])


def list_sessions(call: Call, given: Arguments) -> JsonView:
    """Return a page of the sessions of the cortex tree."""
    from cuedeck.knowledge.cortex.change_cortex_session import list_cortex_sessions

    found = list_cortex_sessions(call.workspace.paths)
    return page("sessions", found, given["cursor"], _PAGE)


def read_doc(call: Call, given: Arguments) -> JsonView:
    """Return a page of a file or of a part of it, with its hash."""
    from cuedeck.context.search.read_address import read_address

    anchor = given["anchor"].removeprefix("#")
    found = read_address(call.workspace, join_anchor(given["path"], anchor))
    start, end = found["lines"]
    shown, after = _page(call.workspace.counter(), found["text"], given["cursor"])
    return {
        "path": found["path"],
        "anchor": anchor or None,
        "content": shown,
        "tokens": found["tokens"],
        "hash": call.workspace.index.hash(found["path"]),
        "cached": False,  # required by those documents; nothing is cached here
        "line_range": {"start": start, "end": end},
        "next_cursor": after.get("next"),
    }


def _page(count: Count, text: str, cursor: str) -> tuple[str, dict[str, str]]:
    """Return a page of a text, and the cursor of the next one if there is one. Raises:
    Invalid.
    """
    start = offset(cursor)
    if start > len(text):
        raise Invalid("`cursor` is beyond the end of the text", hint=FIRST_PAGE)
    shown = cut_json_page(text, start, count)
    return shown, following(start, len(shown), len(text))


def memory_context(call: Call, given: Arguments) -> JsonView:
    """Return the lines of the memory that answer a message."""
    from cuedeck.knowledge.recall.memory_digest import digest_for_session

    most = given["budget"] or 0
    message, session = given["message"], given["session"]
    return digest_for_session(call.workspace, message, session=session, tokens=most)


def memory_get(call: Call, given: Arguments) -> JsonView:
    """Read lines of a file; `path` may be a citation such as `notes.md#L3-L9`."""
    from cuedeck.context.search.read_address import prefer_memory, read_address

    path, anchor = split_anchor(given["path"])
    start, count = given["from"], given["lines"]
    if anchor and (start or count):
        raise Invalid(
            "`path` has lines already", hint="omit `from` and `lines`, or the anchor"
        )
    if start or count:
        start = start or 1
        anchor = format_lines(start, start + count - 1) if count else f"L{start}-"
    place = join_anchor(prefer_memory(call.workspace, path), anchor)
    found = read_address(call.workspace, place)
    first, last = found["lines"]
    lines = {"from": first, "lines": max(0, last - first + 1)}
    return {
        "path": found["path"],
        **lines,
        **_content(call.workspace.counter(), found, given),
    }


def _content(count: Count, found: JsonView, given: Arguments) -> JsonView:
    """Return a page of a file; the hash comes with the last page, so that a caller that
    writes the text back has all of it.
    """
    shown, after = _page(count, found["text"], given["cursor"])
    whole = {"hash": found["hash"]} if "hash" in found and not after else {}
    return {"content": shown, **whole, **after}


def list_logs(call: Call, given: Arguments) -> JsonView:
    """Return the daily logs of memory, the newest first."""
    from cuedeck.knowledge.memory.read_memory_file import daily_logs

    return {"files": daily_logs(call.memory(given["profile"]))}


def get_file(call: Call, given: Arguments) -> JsonView:
    """Return a page of a memory file."""
    from cuedeck.knowledge.memory.read_memory_file import read_whole_file

    found = read_whole_file(call.workspace, given["path"], given["profile"])
    return {"path": found["path"], **_content(call.workspace.counter(), found, given)}


def write_file(call: Call, given: Arguments) -> JsonView:
    """Replace the text of a memory file."""
    names = {"path": "file", "hash": "known", "content": "text"}
    answer: Any = Action("memory write", names)(call, given)
    return {"ok": True, **answer}
