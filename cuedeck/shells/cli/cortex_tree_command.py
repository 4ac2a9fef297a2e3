"""The commands that show the cortex tree: `cortex ls`, `tree`, `search`, `explore`,
`abstract`, `overview`, `read` and `forget`.
"""

from __future__ import annotations

from typing import Any

import click

from cuedeck.knowledge.cortex.list_tree import list_folder
from cuedeck.model.cortex_address import LAYERS, LayerName
from cuedeck.model.errors import NotFound
from cuedeck.model.formatting import counted
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, print_note, say, write_text
from cuedeck.shells.cli.text_table import Column, printable, table

_address_argument = click.argument(
    "address", metavar="ADDRESS", shell_complete=complete_arguments.cortex
)
_folder_argument = click.argument(
    "address",
    metavar="[ADDRESS]",
    required=False,
    default="",
    shell_complete=complete_arguments.cortex,
)
_limit_option = click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=1_000,
    show_default=True,
    metavar="N",
    help="Print at most N entries.",
)
_layers_option = click.option(
    "--layer",
    "layers",
    multiple=True,
    type=click.Choice(LAYERS),
    help="Print this layer of each result. Repeatable.",
)
_scope_option = click.option(
    "--in",
    "scope",
    metavar="ADDRESS",
    default="",
    shell_complete=complete_arguments.cortex,
    help="Only below this address, such as cortex://user/default; also the name of a top"
    " folder, such as user, or the id of a session.",
)
_count_option = click.option(
    "--limit",
    type=click.IntRange(1, 500),
    default=10,
    show_default=True,
    metavar="N",
    help="Print at most N results.",
)

_LISTING = """\b
Examples:
  cuedeck cortex ls
  cuedeck cortex ls cortex://user/default --abstracts"""


@click.command("ls", epilog=_LISTING)
@_folder_argument
@click.option("--abstracts", is_flag=True, help="Print the abstract of each entry.")
@_limit_option
@common
def ls(shell: Shell, address: str, abstracts: bool, limit: int) -> int:
    """List the files and folders in a folder of the cortex tree.

    ADDRESS is cortex://user/default or .cuedeck/cortex/user/default; without it, the
    top folders are listed: resources, user, agent, session.
    """
    answer = _listed(shell, address, limit=limit, abstracts=abstracts)
    shell.answer(answer, lambda: _show_entries(answer))
    return 0


_TREE = """\b
Examples:
  cuedeck cortex tree
  cuedeck cortex tree cortex://session --depth 2"""


@click.command("tree", epilog=_TREE)
@_folder_argument
@click.option(
    "--depth",
    type=click.IntRange(0, 100),
    default=0,
    metavar="N",
    help="Print N levels.  [default: all]",
)
@_limit_option
@common
def tree(shell: Shell, address: str, depth: int, limit: int) -> int:
    """Print the cortex tree, or the part of it below ADDRESS."""
    answer = _listed(shell, address, depth=depth, limit=limit)
    shell.answer(answer, lambda: _show_tree(answer))
    return 0


_SEARCHING = """\b
Examples:
  cuedeck cortex search "which editor does Ana prefer"
  cuedeck cortex search token --in session --layer L0"""


@click.command("search", epilog=_SEARCHING)
@click.argument("query")
@_scope_option
@_layers_option
@_count_option
@common
def search(
    shell: Shell, query: str, scope: str, layers: tuple[str, ...], limit: int
) -> int:
    """Search messages, memories and resources.

    `cuedeck recall` searches everything.

    The full texts are searched. Each result is a file with the address of its best
    lines, which `cuedeck read` opens. Superseded statements are never found.
    """
    from cuedeck.knowledge.cortex.search_cortex import search_cortex

    found = search_cortex(
        shell.workspace(), query, scope=scope, limit=limit, layers=layers
    )
    answer = shell.masked_again(found)
    _check_found(shell, answer, answer["results"])
    shell.answer(answer, lambda: _show_results(answer["results"], layers))
    return 0 if answer["results"] else 1


_EXPLORING = """\b
Examples:
  cuedeck cortex explore "login token"
  cuedeck cortex explore "login token" cortex://session"""


@click.command("explore", epilog=_EXPLORING)
@click.argument("query")
@_folder_argument
@_layers_option
@_count_option
@common
def explore(
    shell: Shell, query: str, address: str, layers: tuple[str, ...], limit: int
) -> int:
    """Print the matches of a query with the folders above them.

    Begins at ADDRESS, by default at the top of the tree; prints the abstract of each
    folder.
    """
    from cuedeck.knowledge.cortex.search_cortex import explore_cortex

    found = explore_cortex(
        shell.workspace(), query, address, limit=limit, layers=layers or ("L0",)
    )
    answer = shell.masked_again(found)
    shell.answer(answer, lambda: _show_exploration(answer, layers or ("L0",)))
    return 0 if answer["matches"] else 1


_ABSTRACT = "\b\nExample:\n  cuedeck cortex abstract cortex://session/default"


@click.command("abstract", epilog=_ABSTRACT)
@_address_argument
@common
def abstract(shell: Shell, address: str) -> int:
    """Print the abstract (L0, at most 100 tokens) of an address."""
    return _read(shell, address, "L0")


_OVERVIEW = "\b\nExample:\n  cuedeck cortex overview cortex://user/default"


@click.command("overview", epilog=_OVERVIEW)
@_address_argument
@common
def overview(shell: Shell, address: str) -> int:
    """Print the overview (L1, at most 2,000 tokens) of an address."""
    return _read(shell, address, "L1")


_READING = """\b
Examples:
  cuedeck cortex read cortex://user/default/preferences/editor.md
  cuedeck cortex read cortex://resources/guide/intro.md#L3-L9"""


@click.command("read", epilog=_READING)
@_address_argument
@click.option(
    "--numbers", is_flag=True, help="Print the number of each line: `42│text`."
)
@common
def read(shell: Shell, address: str, numbers: bool) -> int:
    """Print a file, lines of a file, or the overview of a folder."""
    return _read(shell, address, None, numbers=numbers)


_FORGETTING = """\b
Examples:
  cuedeck cortex forget cortex://user/default/preferences/editor.md --dry-run
  cuedeck cortex forget cortex://session/fix-login"""


@click.command("forget", epilog=_FORGETTING)
@_address_argument
@click.option("--dry-run", is_flag=True, help="Print what would be deleted.")
@common
def forget(shell: Shell, address: str, dry_run: bool) -> int:
    """Delete a file or folder of the cortex tree with its layers.

    Backups of layers and the index of recall lose the text, too. The messages that a
    deleted memory quotes are separate files, as are the memories that quote a deleted
    message: the answer lists them.
    """
    from cuedeck.knowledge.cortex.forget_memory import forget_memory

    answer = shell.masked(forget_memory(shell.workspace(), address, dry_run=dry_run))
    shell.answer(answer, lambda: _show_forgotten(answer))
    return 0


def _listed(shell: Shell, address: str, **options: Any) -> dict[str, Any]:
    return shell.masked(list_folder(shell.workspace(), address, **options))


def _read(
    shell: Shell, address: str, layer: LayerName | None, *, numbers: bool = False
) -> int:
    from cuedeck.knowledge.cortex.read_cortex import read_cortex

    found = read_cortex(shell.workspace(), address, numbers=numbers, layer=layer)
    answer = shell.masked(found)
    shell.answer(answer, lambda: write_text(answer["text"]))
    return 0


def _check_found(shell: Shell, answer: dict[str, Any], results: list[Any]) -> None:
    """Print the notes of a search. Raises: NotFound if it found nothing."""
    if shell.json:
        return
    for note in answer["notes"]:
        print_note(f"note: {note}")
    if not results:
        raise NotFound(
            f"nothing in the cortex tree matches `{answer['query']}`",
            hint="use fewer words or other ones; `cuedeck recall WORDS` searches everything",
        )


def _show_entries(answer: dict[str, Any]) -> None:
    if not answer["entries"]:
        print_note(
            f"{answer['address']} is empty; `cuedeck cortex add TEXT` adds a message"
        )
        return
    rows = []
    for entry in answer["entries"]:
        size = f"{entry['size']:,} B"
        if entry["kind"] == "folder":
            size = f"{entry['entries']:,} inside"
        rows.append((entry["address"], size))
    click.echo(table([Column("address"), Column("size", right=True)], rows))
    for entry in answer["entries"]:
        if entry.get("abstract"):
            say(f"\n{entry['address']}")
            say(printable(_indented(entry["abstract"])))
    _show_left_out(answer)


def _show_tree(answer: dict[str, Any]) -> None:
    say(answer["address"])
    for entry in answer["entries"]:
        slash = "/" if entry["kind"] == "folder" else ""
        say(f"{'  ' * entry['level']}{entry['name']}{slash}")
    _show_left_out(answer)


def _show_left_out(answer: dict[str, Any]) -> None:
    if answer["left_out"]:
        say(f"… and {answer['left_out']:,} more; --limit shows more")


def _show_results(results: list[dict[str, Any]], layers: tuple[str, ...]) -> None:
    for number, result in enumerate(results):
        if number:
            click.echo()
        shown = (result["address"], result["date"], f"{result['score']:.3f}")
        say("  ".join(filter(None, shown)))
        say(printable(_indented(result["snippet"])))
        for layer in layers:
            say(printable(_indented(f"{layer}: {result[layer]}")))


def _show_exploration(answer: dict[str, Any], layers: tuple[str, ...]) -> None:
    for step in answer["path"]:
        matches = counted(step["matches"], "result")
        say(f"{step['address']}  {matches}")
        say(printable(_indented(step["abstract"])))
    if answer["matches"]:
        click.echo()
    _show_results(answer["matches"], layers)


def _show_forgotten(answer: dict[str, Any]) -> None:
    deleted, rebuilt = "deleted", "rebuilt"
    if answer["dry_run"]:
        deleted, rebuilt = "would delete", "would rebuild"
    for path in (*answer["files"], *answer["layers"], *answer["backups"]):
        verb = rebuilt if path in answer["rebuilt"] else deleted
        say(f"{verb} {path}")
    for path in answer["kept"]:
        say(f"kept {path}, which CueDeck did not write; it may contain the text")
    for address in answer["sources"]:
        say(f"kept {address}, which it quotes")
    for address in answer["quoted_by"]:
        say(f"kept {address}, which quotes it")


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))
