"""The `completion` command: print a shell completion script."""

from __future__ import annotations

import click

from cuedeck.shells.cli.cli_main import cuedeck
from cuedeck.shells.cli.command_base import Shell, common

EPILOG = """\b
Examples:
  cuedeck completion bash >> ~/.bashrc
  cuedeck completion zsh > ~/.zfunc/_cuedeck
  cuedeck completion fish > ~/.config/fish/completions/cuedeck.fish"""


@click.command(epilog=EPILOG)
@click.argument("name", metavar="SHELL", type=click.Choice(["bash", "zsh", "fish"]))
@common
def completion(shell: Shell, name: str) -> int:
    """Print the completion script of a shell."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(name)
    assert kind is not None
    script = kind(cuedeck, {}, "cuedeck", "_CUEDECK_COMPLETE").source()
    shell.answer({"shell": name, "script": script}, lambda: click.echo(script))
    return 0
