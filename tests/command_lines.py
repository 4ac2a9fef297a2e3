"""Parsing of command lines as the program does, without running them."""

from __future__ import annotations

import shlex

import click

from cuedeck.shells.cli.cli_main import cuedeck


def parse(line: str) -> None:
    """Parse a command line as the program does. Raises: click.ClickException,
    ValueError for a broken quote.
    """
    _, *words = shlex.split(line)
    context = click.Context(cuedeck, info_name="cuedeck")
    node: click.Command = cuedeck
    while isinstance(node, click.Group) and words and not words[0].startswith("-"):
        found = node.get_command(context, words[0])
        if found is None and node.name == "scene":
            break  # the text of a task
        if found is None:
            raise click.UsageError(f"no command {words[0]}")
        node = found
        context = click.Context(node, parent=context, info_name=words.pop(0))
    if (
        words in (["--help"], [])
        and isinstance(node, click.Group)
        and node.name != "scene"
    ):
        if words == []:
            raise click.UsageError(f"{line} names a group")
        return
    if words != ["--help"]:
        node.make_context(node.name or "", words, parent=context.parent)
