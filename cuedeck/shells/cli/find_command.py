"""The `find` command."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from cuedeck.model.errors import NotFound
from cuedeck.model.formatting import counted
from cuedeck.shells.cli.command_base import Shell, common, say
from cuedeck.shells.cli.text_table import Column, place, printable, table

EPILOG = """\b
Examples:
  cuedeck find print0                 its address, and every line that has it
  cuedeck find AppContext.push --limit 50
  cuedeck find "expired token" --kind doc --json"""


@click.command(epilog=EPILOG)
@click.argument("text")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(("card", "doc", "source")),
    help="Only files of this kind; a doc is a Markdown file or a notebook.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    metavar="N",
    help="Print at most N addresses and N lines.  [default: 20]",
)
@common
def find(shell: Shell, text: str, kinds: tuple[str, ...], limit: int | None) -> int:
    """Find files, headings, symbols and lines by name or words.

    TEXT is an address, a name or words. If it is an identifier, every line that
    contains it is listed as `path:line: text`, in all spellings: `dead-link`,
    `dead_link`, `deadLink`, `DeadLink` and `DEAD_LINK`. Text with punctuation or
    in double quotes is searched as written: `0.0.0.0`, `--dry-run`, `"to be"`. If
    no line has it, its words with a digit or punctuation are: `login x86_64`.
    Case and accents do not matter. Words such as `the` or `add` count only if the
    query has no others; an exact name comes first. Of lock files, licences,
    and generated or vendored files, only the names are searched. Secrets are masked.
    """
    from cuedeck.context.search import find_places

    limit = limit or find_places.LIMIT
    answer = shell.masked(
        find_places.find(
            shell.workspace(or_folder=True), text, kinds=kinds, limit=limit
        )
    )
    if not answer["hits"] and not answer["occurrences"] and not shell.json:
        without_kind = "; or leave out --kind" if kinds else ""
        raise NotFound(
            f"nothing matches `{answer['query']}`",
            hint=f"{answer['hint']}{without_kind}",
        )
    shell.answer(answer, lambda: _show(answer, shell.short))
    if answer["hits"] or answer["occurrences"]:
        return 0
    return 1


def _show(answer: dict[str, Any], short: Callable[[str], str]) -> None:
    hits, lines = answer["hits"], answer["occurrences"]
    if "hint" in answer:
        say(answer["hint"])
    if hits:
        rows = [
            (
                short(each["address"]),
                each["kind"],
                each.get("cells") or f"{each['lines'][0]}-{each['lines'][1]}",
                each["why"],
            )
            for each in hits
        ]
        click.echo(
            table(
                [
                    Column("address"),
                    Column("kind"),
                    Column("lines", right=True),
                    Column("why", wraps=True),
                ],
                rows,
            )
        )
    if answer["total"] > len(hits):
        say(f"… and {answer['total'] - len(hits):,} more; --limit lists them")
    if lines:
        click.echo()
    for each in lines:
        where = place(each["path"], each["line"], each.get("cell", ""))
        click.echo(printable(f"{where}: {each['text']}", lines=False))
    if answer["occurrences_total"] > len(lines):
        say(
            f"… and {counted(answer['occurrences_total'] - len(lines), 'more line')}; --limit lists them"
        )
