"""Opening of a file that is found by words."""

from collections.abc import Iterator, Mapping
from typing import Any

from cuedeck.model.errors import NotFound
from cuedeck.shells.call import Answer, Call
from cuedeck.shells.operation import Words, operation
from cuedeck.shells.operations.cards import OnlyAssignee, OnlyPriority, OnlyTags
from cuedeck.shells.text_table import table


@operation(
    "open",
    "cuedeck open login                  choose one of the matches and edit it\n"
    "cuedeck open login --json           only list the matches",
)
def open_file(
    call: Call,
    query: Words = "",
    *,
    tags: OnlyTags = (),
    priority: OnlyPriority = "",
    assignee: OnlyAssignee = "",
) -> Answer:
    """Find a card, doc or file by words and open it in $EDITOR.

    In a pipe the matches are listed.

    Args:
        tags --tag TAG: Only cards with this tag.
    """
    from cuedeck.context.search import fuzzy_find as work

    workspace = call.workspace
    found = work.find(workspace, query, tags=tags, priority=priority, assignee=assignee)
    results = found["results"]

    def show(answer: Mapping[str, Any]) -> Iterator[str]:
        if not results:
            raise NotFound(
                f"nothing matches `{answer['query']}`",
                hint="`cuedeck open` without a query lists cards and docs",
            )
        rows = []
        for number, each in enumerate(answer["results"], 1):
            rows.append((str(number), each["kind"], each["address"], each["title"]))
        yield table(">,kind,address,title~", rows)
        if answer["total"] > len(rows):
            yield f"… and {answer['total'] - len(rows)} more"
        number = call.choose(len(results))
        if number:
            from cuedeck.engine.open_in_editor import edit_address

            chosen = results[number - 1]
            edit_address(
                workspace.index,
                workspace.paths,
                chosen["address"],
                chosen["line"],
                call.environ,
            )

    return Answer(found, show, code=int(not results))
