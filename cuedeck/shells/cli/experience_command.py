"""The `experience` commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

from cuedeck.ledger.records.record_lookup import with_short_ids
from cuedeck.model.record_categories import CATEGORIES
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import (
    Group,
    Shell,
    common,
    filter_option,
    print_note,
    say,
)
from cuedeck.shells.cli.memory_options import open_memory, profiled
from cuedeck.shells.cli.text_table import Column, printable, problem_line, table

_EXAMPLE = """\b
Example:
  cuedeck experience add --category learned "The login breaks when the token has no expiry"
  cuedeck experience query "login token"
  cuedeck experience list --by category"""
_MOST_SHOWN = 50
_BY = click.Choice(("category", "session"))


@click.group(cls=Group, epilog=_EXAMPLE)
def experience() -> None:
    """Add, query and list experiences.

    Experiences are distilled records without near duplicates.
    """


@experience.command(
    "add",
    epilog='\b\nExample:\n  cuedeck experience add --category user-preference "Prefers small commits"',
)
@click.argument("text", metavar="TEXT")
@click.option(
    "--category",
    default="note",
    show_default=True,
    help=f"One of {', '.join(CATEGORIES)}.",
)
@click.option(
    "--session",
    default="",
    metavar="ID",
    shell_complete=complete_arguments.session,
    help="Session of the experience.  [default: the open session]",
)
@profiled
@common
def add(shell: Shell, text: str, category: str, session: str, profile: str) -> int:
    """Add an experience, unless a similar one exists."""
    from cuedeck.knowledge.experiences.add_experience import add_experience

    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(
        add_experience(workspace, memory, text, category=category, session=session)
    )
    if not answer["added"]:
        print_note(f"a similar experience exists: {answer['text']}")
    shell.answer(answer, lambda: say(with_short_ids(memory, answer["id"])))
    return 0


@experience.command(
    "query",
    epilog='\b\nExample:\n  cuedeck experience query "how are deploys done?" --top 3',
)
@click.argument("text", metavar="TEXT")
@click.option(
    "--top",
    type=click.IntRange(1, 50),
    default=8,
    show_default=True,
    metavar="N",
    help="Number of results at most.",
)
@click.option("--by", type=_BY, help="Group the results.")
@profiled
@common
def query(shell: Shell, text: str, top: int, by: str | None, profile: str) -> int:
    """Find experiences by words, best first."""
    from cuedeck.knowledge.experiences.query_experiences import query_experiences

    workspace, memory = open_memory(shell, profile)
    _show(
        shell,
        memory,
        query_experiences(workspace, memory, text, top=top, by=by or ""),
        "results",
        "no matching experiences",
    )
    return 0


@experience.command(
    "list", epilog="\b\nExample:\n  cuedeck experience list --category learned"
)
@click.option("--by", type=_BY, help="Group the results.")
@filter_option("--category", help="Only this category.")
@filter_option(
    "--session",
    metavar="ID",
    shell_complete=complete_arguments.session,
    help="Only this session.",
)
@profiled
@common
def list_(
    shell: Shell, by: str | None, category: str, session: str, profile: str
) -> int:
    """List experiences, newest last."""
    from cuedeck.knowledge.experiences.query_experiences import list_experiences

    memory = open_memory(shell, profile)[1]
    answer = list_experiences(memory, category=category, session=session, by=by or "")
    nothing = "no matching experiences" if category or session else "no experiences"
    _show(shell, memory, answer, "experiences", nothing)
    return 0


def _show(
    shell: Shell, memory: Any, answer: dict[str, Any], name: str, nothing: str
) -> None:
    answer = shell.masked(answer)
    for problem in answer["problems"]:
        print_note(problem_line(problem))

    def text() -> str:
        ids = [each["id"] for each in answer[name]]
        short = with_short_ids(memory, "\n".join(ids)).split("\n")
        return _text(answer, name, dict(zip(ids, short, strict=False)))

    shell.answer(answer, lambda: click.echo(text() or nothing))


def _text(answer: dict[str, Any], name: str, short: Mapping[str, str]) -> str:
    rows = [{**each, "id": short[each["id"]]} for each in answer[name]]
    if "groups" not in answer:
        return _table(rows)
    known = {each["id"]: each for each in rows}
    texts = []
    for group in answer["groups"]:
        members = [known[short[identity]] for identity in group["ids"]]
        texts.append(f"{printable(group['title'])}:\n{_table(members)}")
    return "\n\n".join(texts)


def _table(rows: list[dict[str, Any]]) -> str:
    columns = [
        Column("id"),
        Column("day"),
        Column("category"),
        Column("text", wraps=True),
    ]
    cells = []
    for each in rows:
        day = (each["timestamp"] or "")[:10]
        cells.append([each["id"], day, each["category"], each["text"]])
    if rows and "score" in rows[0]:
        columns.insert(1, Column("score", right=True))
        for row, each in zip(cells, rows, strict=True):
            row.insert(1, f"{each['score']:.2f}")
    return table(columns, cells)


@experience.command("forget", epilog="\b\nExample:\n  cuedeck experience forget k3f")
@click.argument("identity", metavar="ID", shell_complete=complete_arguments.experience)
@profiled
@common
def forget(shell: Shell, identity: str, profile: str) -> int:
    """Delete an experience; its record stays.

    `cuedeck memory forget` deletes both.
    """
    from cuedeck.knowledge.experiences.delete_experience import forget_experience

    workspace, memory = open_memory(shell, profile)
    answer = shell.masked(forget_experience(workspace, memory, identity))
    done = f"{answer['id']}: forgotten"
    shell.answer(answer, lambda: say(with_short_ids(memory, done)))
    return 0


@experience.command(
    "extract",
    epilog="\b\nExamples:\n  cuedeck experience extract --dry-run\n  cuedeck experience extract --json",
)
@click.option(
    "--dry-run", is_flag=True, help="Print the outcome of each record; change no file."
)
@profiled
@common
def extract(shell: Shell, profile: str, dry_run: bool) -> int:
    """Distil experiences from the records added since the last run.

    A record similar to an experience is merged into it as a further source; chat is
    refused.
    """
    from cuedeck.knowledge.experiences.extract_experiences import extract as run

    workspace, memory = open_memory(shell, profile)
    found = run(workspace, memory, dry_run=dry_run)
    outcomes = [each._asdict() for each in found.outcomes]
    answer = shell.masked({**found._asdict(), "outcomes": outcomes, "dry_run": dry_run})
    shell.answer(
        answer,
        lambda: _show_extracted(answer, lambda text: with_short_ids(memory, text)),
    )
    return 0


def _show_extracted(answer: dict[str, Any], short: Callable[[str], str]) -> None:
    outcomes = answer["outcomes"]
    if not outcomes:
        say(
            "no experience was extracted: there are no new records since the last extraction"
        )
        return
    columns = [Column("result"), Column("experience"), Column("why"), Column("text")]
    shown = outcomes[:_MOST_SHOWN]
    texts = (f"{each['experience']}\n{each['reason']}\n" for each in shown)
    values = short("".join(texts)).split("\n")
    rows = []
    for each, identity, reason in zip(shown, values[::2], values[1::2], strict=False):
        rows.append((each["result"], identity, reason, each["text"]))
    click.echo(table(columns, rows))
    if len(outcomes) > _MOST_SHOWN:
        say(f"{len(outcomes) - _MOST_SHOWN:,} more: --json")
    refused = sum(each["result"] == "refused" for each in outcomes)
    totals = f"{answer['added']} made, {answer['duplicates']} joined, {refused} refused"
    if answer["evicted"]:
        totals += (
            f", {answer['evicted']} dropped because the limit of experiences is reached"
        )
    if answer["dry_run"]:
        totals += " (nothing was written)"
    say(totals)
