"""The `recall` command."""

from __future__ import annotations

import click

from cuedeck.model.errors import NotFound, UsageError
from cuedeck.model.recall_values import KINDS
from cuedeck.shells.cli.command_base import (
    Shell,
    common,
    filter_option,
    print_note,
    say,
)

EPILOG = """\b
Examples:
  cuedeck recall "which database"           records, logs, decisions, cards and docs
  cuedeck recall "deploys last week"        prefers units of these days
  cuedeck recall despliegue --since 2w --kind record --explain
  cuedeck recall --digest "can we deploy on Friday?"   what an agent receives"""


@click.command(epilog=EPILOG)
@click.argument("text")
@filter_option("--since", metavar="D", help="Only from this day on: 2026-05-03, 2w.")
@filter_option("--until", metavar="D", help="Only up to this day, inclusive.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(KINDS),
    help="Only this kind. Repeatable.",
)
@click.option(
    "--limit",
    type=click.IntRange(1, 500),
    metavar="N",
    help="Print at most N hits.  [default: recall.limit of the settings; with --tokens, as many as fit]",
)
@click.option(
    "--tokens",
    type=click.IntRange(1),
    metavar="N",
    help="Print as many hits as have at most N tokens, in the form in which they are printed.",
)
@click.option("--explain", is_flag=True, help="Print the parts of each score.")
@click.option(
    "--digest",
    is_flag=True,
    help="Print the lines that agents receive with the message TEXT; nothing if no hit is certain.",
)
@common
def recall(
    shell: Shell,
    text: str,
    since: str,
    until: str,
    kinds: tuple[str, ...],
    limit: int | None,
    tokens: int | None,
    explain: bool,
    digest: bool,
) -> int:
    """Search memory, decisions, cards and docs by words.

    Searches records, daily logs, the long memory, USER.md, decisions, attempts,
    assumptions, experiences, cards, docs, the cortex tree and the files of
    files.extra.

    Words match in all forms, in English and Spanish also by synonyms. A part in double
    quotes is a phrase. `yesterday`, `la semana pasada` or `March 2026` prefer the
    units of these days. Each hit names its place, which `cuedeck read` opens. Secret
    and superseded records are never found.
    """
    if digest:
        filters = (since, until, limit, explain)
        return _digest(shell, text, kinds, tokens, has_filters=any(filters))
    from cuedeck.knowledge.recall.recall import answer_text, no_match, recall

    workspace = shell.workspace()
    answer = shell.masked_again(
        recall(
            workspace,
            text,
            since=since,
            until=until,
            kinds=kinds,
            limit=limit or 0,
            tokens=tokens or 0,
            explain=explain,
            as_json=shell.json,
        )
    )
    if not shell.json:
        for note in answer["notes"]:
            print_note(f"note: {note}")
        if not answer["total"]:
            given = (("--since", since), ("--until", until), ("--kind", kinds))
            message, advice = no_match(
                answer["query"], [name for name, value in given if value]
            )
            raise NotFound(
                message, hint=f"{advice}; `cuedeck find WORDS` searches the code"
            )
    more = "" if tokens else "; --limit and --tokens show more"
    shell.answer(answer, lambda: say(answer_text(workspace, answer, more)))
    return 0 if answer["hits"] else 1


def _digest(
    shell: Shell,
    message: str,
    kinds: tuple[str, ...],
    tokens: int | None,
    *,
    has_filters: bool,
) -> int:
    from cuedeck.knowledge.recall.memory_digest import (
        TOKENS,
        answer_of_digest,
        memory_digest,
    )

    if has_filters:
        raise UsageError(
            "--digest cannot be combined with --since, --until, --limit or --explain",
            hint="cuedeck recall --digest MESSAGE --tokens 200",
        )
    workspace = shell.workspace()
    workspace.refresh()
    found = memory_digest(workspace, message, tokens=tokens or TOKENS, kinds=kinds)
    answer = shell.masked_again(answer_of_digest(found))
    if not shell.json:
        for note in answer["notes"]:
            print_note(f"note: {note}")
        if not answer["lines"]:
            print_note("note: no line is certain to be about the message")
    shell.answer(answer, lambda: say(answer["digest"], nl=False))
    return 0
