"""Cards: tasks with refs and dependencies."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.model.formatting import quoted
from cuedeck.model.settings_section import SMALLEST_BUDGET
from cuedeck.shells.call import Answer, Call, Note
from cuedeck.shells.operation import (
    Addresses,
    Card,
    Many,
    Only,
    Param,
    Words,
    operation,
    topic,
)
from cuedeck.shells.text_table import finding_line, table
from cuedeck.work.cards import create_card
from cuedeck.work.cards import edit_card as card_edit
from cuedeck.work.cards import list_cards as card_list

OnlyPriority = Annotated[
    str, Param(choices=PRIORITIES, once=True, help="Only cards with this priority.")
]
OnlyAssignee = Annotated[
    str,
    Param(
        metavar="WHO",
        once=True,
        help="Only cards assigned to WHO; case and a leading @ are ignored.",
    ),
]
OnlyTags = Annotated[Many, Param(metavar="TAG", help="Only cards with this tag.")]
Priority = Annotated[str, Param(choices=PRIORITIES)]
Status = Annotated[str, Param(choices=STATUSES)]
Cards = Annotated[Many, Param("card", "ID")]
SORTS = ("priority", "status", "created", "updated", "title", "id")

topic(
    "card",
    "Create, show and change cards.",
    'cuedeck card new --activate --ref docs/auth.md -- "Fix login"',
)


def _replaced(answer: Mapping[str, Any]) -> Iterator[str]:
    """Yield the card that was active before, because its status stays as it is."""
    replaced = answer.get("replaced")
    if replaced is not None:
        yield (
            f"it replaces {replaced['id']} {replaced['title']}, which keeps the status"
            f" {replaced['status']}; `cuedeck card done {quoted(replaced['id'])}` closes it"
        )


@operation(
    "card new",
    'cuedeck card new --ref docs/auth.md#LoginFlow --tag auth --activate -- "Fix login"',
)
def new_card(
    call: Call,
    title: Words,
    *,
    refs: Addresses = (),
    tags: Many = (),
    priority: Priority = "medium",
    assignee: str = "",
    depends_on: Cards = (),
    body: Annotated[str, Param(stdin="dash", may_be_empty=True)] = "",
    activate: bool = False,
) -> Answer:
    """Create a card. Put `--` before a TITLE that begins with a dash.

    Args:
        refs --ref: File, section, symbol or lines that the task needs; one without a
            target is refused.
        tags --tag TAG: Tag of the card.
        priority: Urgency of the card.
        assignee WHO: Person who does it.
        depends_on: Card that must be done first.
        body: Text of the card; `-` reads it from stdin.
        activate: Make it the active card.
    """
    card = create_card.NewCard(
        title=title,
        refs=refs,
        tags=tags,
        priority=priority,
        assignee=assignee,
        depends_on=depends_on,
        body=body,
        status="active" if activate else "todo",
    )
    found, warnings = create_card.new_card(call.workspace, card)

    def text(answer: Mapping[str, Any]) -> Iterator[str]:
        yield f"{answer['path']}" + (" (active)" if activate else "")
        yield from _replaced(answer)

    return Answer(found, text, notes=warnings)


_SHOWN = ("id", "title", "status", "priority", "assignee", "tags", "refs", "depends_on", "created", "updated",
          "path")  # fmt: skip


def _shown_card(answer: Mapping[str, Any]) -> Iterator[str]:
    shown = answer["card"]
    for key in _SHOWN:
        value = shown[key]
        if isinstance(value, list):
            value = ", ".join(value)
        if value:
            yield f"{key:<10}  {value}"
    for problem in answer["problems"]:
        where = f"line {problem['line']}: " if problem["line"] else ""
        yield f"{problem['level']}: {where}{problem['message']}; {problem['hint']}"
    yield "\n" + shown["body"].strip("\n")


@operation("card show", "cuedeck card show 2a9", _shown_card)
def show_card(call: Call, name: Card) -> dict[str, Any]:
    """Show one card."""
    return card_list.show_card(call.workspace, name)


@operation(
    "card edit",
    "cuedeck card edit 2a9\ncuedeck card edit 2a9 --priority high --add-tag auth",
)
def edit_card(
    call: Call,
    name: Card,
    *,
    title: str = "",
    status: Status = "",
    priority: Priority = "",
    assignee: Annotated[str | None, Param(may_be_empty=True)] = None,
    budget: Annotated[int, Param(least=SMALLEST_BUDGET)] = 0,
    add_tag: Many = (),
    drop_tag: Many = (),
) -> Answer | None:
    """Change fields of a card; without options, open it in $EDITOR.

    Args:
        title: New title.
        status: New status.
        priority: New priority.
        assignee WHO: New assignee; empty for nobody.
        budget: Token limit of this card's scene.
        add_tag TAG: Tag to add.
        drop_tag TAG: Tag to remove.
    """
    fields: dict[str, Any] = {"title": title, "status": status, "priority": priority}
    fields = {key: str(value) for key, value in fields.items() if value}
    if assignee is not None:
        fields["assignee"] = assignee
    if budget:
        fields["budget"] = str(budget)
    if not fields and not add_tag and not drop_tag:
        from cuedeck.engine import open_in_editor

        open_in_editor.edit_card(call.workspace, name, call.environ)
        return None
    change = card_edit.CardChange(fields, add_tags=add_tag, drop_tags=drop_tag)
    found = card_edit.update_card(call.workspace, name, change)
    warnings = found.pop("warnings", ())
    return Answer(found, _changed, notes=warnings)


def _changed(answer: Mapping[str, Any]) -> str:
    return f"{answer['path']}" + ("" if answer["changed"] else " (unchanged)")


def _status_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    yield f"{answer['path']}: {answer['status']}"
    if "active" not in answer:
        return
    active = answer["active"]
    if active is None:
        choose = answer["choose"]
        yield f"{choose['why']}; {choose['hint']}"
        for each in choose["cards"]:
            yield f"  - {each}"
        return
    because = ", whose status is active" if active["by_status"] else ""
    yield f"active card: {active['id']} {active['title']}{because}"
    yield from _replaced(answer)


def _set_status(call: Call, card: str, status: str) -> dict[str, Any]:
    return card_edit.set_status(call.workspace, card, status)


@operation("card activate", "cuedeck card activate 2a9", _status_lines)
def activate(call: Call, identity: Card) -> dict[str, Any]:
    """Make a card the active one, for which the scene is built."""
    return _set_status(call, identity, "active")


@operation("card done", "cuedeck card done 2a9", _status_lines)
def finish(call: Call, identity: Card) -> dict[str, Any]:
    """Mark a card as done."""
    return _set_status(call, identity, "done")


@operation("card archive", "cuedeck card archive 2a9", _status_lines)
def archive(call: Call, identity: Card) -> dict[str, Any]:
    """Archive a card; its file is kept."""
    return _set_status(call, identity, "archived")


@operation("card reopen", "cuedeck card reopen 2a9", _status_lines)
def reopen(call: Call, identity: Card) -> dict[str, Any]:
    """Set a done or archived card to todo again."""
    return _set_status(call, identity, "todo")


def _deleted(answer: Mapping[str, Any]) -> Iterator[str]:
    verb = "would be deleted" if answer["dry_run"] else "deleted"
    active = ", the active card," if answer["was_active"] else ""
    yield f"{answer['path']}{active} {verb}"
    for each in answer["refs"]:
        yield f"  {each['path']} line {each['line']} links to it: {each['ref']}"
    for each in answer["dependents"]:
        drop = f"cuedeck card deps {quoted(each['id'])} --drop {quoted(answer['id'])}"
        yield f"  {each['path']} depends on it; `{drop}` removes the dependency"
    if answer["backup"]:
        yield f"copy: {answer['backup']}"


@operation(
    "card delete",
    "cuedeck card delete 2a9 --dry-run\ncuedeck card delete 2a9",
    _deleted,
)
def delete(call: Call, name: Card, *, dry_run: bool = False) -> dict[str, Any]:
    """Delete a card; a copy stays in .cuedeck/cache/backup/.

    Refs and dependencies of other files that lead to it are listed and stay.

    Args:
        dry_run: List what links to the card; delete nothing.
    """
    return card_edit.delete_card(call.workspace, name, dry_run=dry_run)


def _findings(answer: Mapping[str, Any]) -> Iterator[str]:
    for each in answer["findings"]:
        yield finding_line(
            each["level"], each["path"], each["line"], each["message"], each["hint"]
        )
    if not answer["findings"]:
        yield "valid"


@operation("card validate", "cuedeck card validate", _findings)
def validate(call: Call, name: Annotated[str, Param("card", "[CARD]")] = "") -> Answer:
    """Check one card, or all: front matter, refs, dependencies."""
    from cuedeck.doctor import validate_cards as work

    found = work.validate_cards(call.workspace, name or None)
    return Answer(found, code=int(not found["valid"]))


@operation(
    "list",
    "cuedeck list                          all cards except done and archived ones\n"
    "cuedeck list --ready                  open cards without an open dependency\n"
    "cuedeck list --status all --sort updated\n"
    "cuedeck list --tag auth --created '>2w' --json      created within the last two weeks\n\n"
    "\b\nDates: 2026, 2026-05, 2026-05-03, '>2w' (within), '<7d' (older), today, yesterday, this-week.\n"
    "Quote > and <: an unquoted one is a redirection of the shell.",
    also="card list",
)
def list_cards(
    call: Call,
    *,
    status: Annotated[str, Param(choices=(*STATUSES, "all"), once=True)] = "",
    tags: OnlyTags = (),
    priority: OnlyPriority = "",
    assignee: OnlyAssignee = "",
    created: Only = "",
    updated: Only = "",
    ready: bool = False,
    blocked: bool = False,
    sort: Annotated[str, Param(choices=SORTS)] = "priority",
) -> Answer:
    """List cards, most urgent first.

    Args:
        status: Only cards with this status, or `all`.  [default: all but done and
            archived]
        tags --tag TAG: Only cards with this tag.
        created D: Only cards created in this period; see Dates.
        updated D: Only cards updated in this period; see Dates.
        ready: Only open cards that depend on no open or missing card.
        blocked: Only cards with the status blocked or an open or missing dependency.
        sort: Order of the list.
    """
    found = card_list.list_cards(
        call.workspace,
        status=status,
        tags=tags,
        priority=priority,
        assignee=assignee,
        created=created,
        updated=updated,
        sort=sort,
        ready=ready,
        blocked=blocked,
    )
    is_filtered = any((tags, priority, assignee, created, updated, ready, blocked))

    def text(answer: Mapping[str, Any]) -> Iterator[str]:
        for each in answer["problems"]:
            yield Note(f"warning: {each['path']}: {each['message']}; {each['hint']}")
        if answer["cards"]:
            yield _card_table(answer["cards"], shows_blockers=blocked)
        elif is_filtered:
            yield "no cards match; `cuedeck list --status all` lists every card"
        else:
            which = f" with status {status}" if status and status != "all" else ""
            advice = '; create one: `cuedeck card new -- "TITLE"`'
            if answer["problems"]:
                advice = " can be read"
            yield f"no cards{which} here{advice}"

    return Answer(found, text)


def _card_table(cards: Sequence[Mapping[str, Any]], *, shows_blockers: bool) -> str:
    columns = ",id,title~,status,priority,tags,assignee"
    if shows_blockers:
        columns += ",open dependencies~"
    rows = []
    for card in cards:
        mark = "!" if card["broken"] else ""
        if card["active"]:
            mark = "▸"
        named = [card["id"], card["title"], card["status"], card["priority"]]
        row = [mark, *named, " ".join(card["tags"]), card["assignee"] or ""]
        if shows_blockers:
            row.append(_blockers(card["blocked_by"]))
        rows.append(list(map(str, row)))
    return table(columns, rows)


def _blockers(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the open dependencies of a card: ids, and the status of those that name no
    card.
    """
    texts = []
    for row in rows:
        is_card = row["path"] is not None
        texts.append(row["id"] if is_card else f"{row['id']} ({row['status']})")
    return ", ".join(texts)
