"""Cards: tasks with refs and dependencies."""

from typing import Annotated

from cuedeck.model.errors import UsageError
from cuedeck.model.file import PRIORITIES, STATUSES
from cuedeck.model.ports import Json
from cuedeck.model.settings_schema import SMALLEST_BUDGET
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import (
    Address,
    Addresses,
    Card,
    Many,
    Param,
    Words,
    operation,
    topic,
)
from cuedeck.work.cards import card_dependencies, create_card
from cuedeck.work.cards import edit_card as card_edit
from cuedeck.work.cards import list_cards as card_list

OnlyPriority = Annotated[
    str, Param(choices=PRIORITIES, help="Only cards with this priority.")
]
OnlyAssignee = Annotated[
    str,
    Param(
        metavar="WHO",
        help="Only cards assigned to WHO; case and a leading @ are ignored.",
    ),
]
OnlyTags = Annotated[Many, Param(metavar="TAG", help="Only cards with this tag.")]
Priority = Annotated[str, Param(choices=PRIORITIES)]
Status = Annotated[str, Param(choices=STATUSES)]
Cards = Annotated[Many, Param("card", "ID")]
_REPLACED = """\
?replaced it replaces {replaced[id]} {replaced[title]}, which keeps\
 the status {replaced[status]}; `cuedeck card done {replaced[id]!q}` closes it"""
"""The card that was active before, because its status stays as it is."""
_NEW = f"{{path}}{{activate:? (active)}}\n{_REPLACED}"
_STATUS = f"""{{path}}: {{status}}
?choose {{choose[why]}}; {{choose[hint]}}
*choose[cards]   - {{it}}
?active active card: {{active[id]}} {{active[title]}}{{active[by_status]:?, whose status is active}}
{_REPLACED}"""
SORTS = ("priority", "status", "created", "updated", "title", "id")

topic(
    "card",
    "Create, show and change cards.",
    'cuedeck card new --activate --ref docs/auth.md -- "Fix login"',
)


@operation(
    "card new",
    'cuedeck card new --ref docs/auth.md#LoginFlow --tag auth --activate -- "Fix login"',
    _NEW,
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
    return Answer(found, notes=warnings)


@operation(
    "card show",
    "cuedeck card show 2a9",
    """\
=card id title status priority assignee tags refs depends_on created updated path
*problems {level}: {line:?line {line}: }{message}; {hint}

{card[body]!t}""",
)
def show_card(call: Call, name: Card) -> Json:
    """Show one card."""
    return card_list.show_card(call.workspace, name)


@operation(
    "card edit",
    "cuedeck card edit 2a9\ncuedeck card edit 2a9 --priority high --add-tag auth",
    "{path}{changed:! (unchanged)}",
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
    fields: Json = {"title": title, "status": status, "priority": priority}
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
    return Answer(found, notes=warnings)


def _set_status(call: Call, card: str, status: str) -> Json:
    return card_edit.set_status(call.workspace, card, status)


@operation("card activate", "cuedeck card activate 2a9", _STATUS)
def activate(call: Call, identity: Card) -> Json:
    """Make a card the active one, for which the scene is built."""
    return _set_status(call, identity, "active")


@operation("card done", "cuedeck card done 2a9", _STATUS)
def finish(call: Call, identity: Card) -> Json:
    """Mark a card as done."""
    return _set_status(call, identity, "done")


@operation("card archive", "cuedeck card archive 2a9", _STATUS)
def archive(call: Call, identity: Card) -> Json:
    """Archive a card; its file is kept."""
    return _set_status(call, identity, "archived")


@operation("card reopen", "cuedeck card reopen 2a9", _STATUS)
def reopen(call: Call, identity: Card) -> Json:
    """Set a done or archived card to todo again."""
    return _set_status(call, identity, "todo")


@operation(
    "card delete",
    "cuedeck card delete 2a9 --dry-run\ncuedeck card delete 2a9",
    """\
{path}{was_active:?, the active card,} {dry_run:?would be }deleted
*refs   {path} line {line} links to it: {ref}
*dependents   {path} depends on it; `cuedeck card deps {id!q} --drop {answer[id]!q}` removes the dependency
?backup copy: {backup}""",
)
def delete(call: Call, name: Card, *, dry_run: bool = False) -> Json:
    """Delete a card; a copy stays in .cuedeck/cache/backup/.

    Refs and dependencies of other files that lead to it are listed and stay.

    Args:
        dry_run: List what links to the card; delete nothing.
    """
    return card_edit.delete_card(call.workspace, name, dry_run=dry_run)


@operation(
    "card validate",
    "cuedeck card validate",
    """\
%findings
!findings valid""",
)
def validate(call: Call, name: Annotated[str, Param("card", "[CARD]")] = "") -> Answer:
    """Check one card, or all: front matter, refs, dependencies."""
    from cuedeck.doctor import validate_cards as work

    found = work.validate_cards(call.workspace, name or None)
    return Answer(found, code=int(not found["valid"]))


_CARDS = """#*problems warning: {path}: {message}; {hint}
|cards ={active:?▸}{active:!{broken:?!}} | id | title~ | status | priority | tags={tags!w} | assignee"""
_ADVICE = """{problems:? can be read}{problems:!; create one: `cuedeck card new -- "TITLE"`}"""


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
    status: Annotated[str, Param(choices=(*STATUSES, "all"))] = "",
    tags: OnlyTags = (),
    priority: OnlyPriority = "",
    assignee: OnlyAssignee = "",
    created: str = "",
    updated: str = "",
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
    text = _CARDS
    if blocked:
        text = f"{_CARDS} | open dependencies~={{blocked_by!b}}"
    if any((tags, priority, assignee, created, updated, ready, blocked)):
        nothing = "no cards match; `cuedeck list --status all` lists every card"
    else:
        which = f" with status {status}" if status and status != "all" else ""
        nothing = f"no cards{which} here{_ADVICE}"
    return Answer(found, f"{text}\n!cards {nothing}")


CardId = Annotated[str, Param("card", "ID")]

topic(
    "card ref",
    "Add or remove refs of a card.",
    "cuedeck card ref add 2a9 docs/auth.md#LoginFlow",
)


@operation(
    "card ref add",
    "cuedeck card ref add 2a9 src/auth.py#Login.verify",
    "{path} → {address}{changed:! (already there)}",
)
def add_ref(call: Call, name: Card, address: Address) -> Json:
    """Add a ref; a ref without a target is refused."""
    return card_edit.add_ref(call.workspace, name, address)


@operation(
    "card ref rm", "cuedeck card ref rm 2a9 docs/auth.md", "{path}: removed {ref}"
)
def remove_ref(
    call: Call, name: Card, address: Annotated[str, Param("written address")]
) -> Json:
    """Remove a ref, given as it is written in the card."""
    change = card_edit.CardChange(drop_refs=(address,))
    return {**card_edit.update_card(call.workspace, name, change), "ref": address}


@operation(
    "card deps",
    "cuedeck card deps 2a9\ncuedeck card deps 2a9 --add 7bk",
    """\
*cards {id}  {status:<8}  {title}
!cards none""",
)
def dependencies(
    call: Call,
    name: Card,
    *,
    reverse: bool = False,
    add: CardId = "",
    drop: CardId = "",
) -> Json:
    """Show or change the dependencies of a card.

    Args:
        reverse: Show the cards that depend on this one.
        add: Add a dependency on card ID; a cycle is refused (code 1002).
        drop: Remove a dependency.
    """
    if add and drop:
        raise UsageError(
            "--add and --drop cannot be combined", hint="run the command once for each"
        )
    if add:
        change = card_edit.CardChange(add_depends_on=(add,))
        card_edit.update_card(call.workspace, name, change)
    if drop:
        change = card_edit.CardChange(drop_depends_on=(drop,))
        card_edit.update_card(call.workspace, name, change)
    return card_dependencies.dependencies(call.workspace, name, reverse=reverse)
