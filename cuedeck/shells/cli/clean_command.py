"""The `clean` command."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.shells.cli.command_base import Shell, common, say


@click.command(epilog="\b\nExample:\n  cuedeck clean --dry-run")
@click.option(
    "--dry-run", is_flag=True, help="List what would be deleted; delete nothing."
)
@common
def clean(shell: Shell, dry_run: bool) -> int:
    """Delete the index and caches; the next command rebuilds them.

    In a folder without .cuedeck/, delete its index in the user's cache folder.
    """
    from cuedeck.doctor.clean_caches import clean as remove

    answer = remove(shell.workspace(or_folder=True), dry_run=dry_run)
    shell.answer(answer, lambda: say(_text(answer)))
    return 0


def _text(answer: dict[str, Any]) -> str:
    if not answer["removed"]:
        return "nothing to delete"
    done = "would delete" if answer["dry_run"] else "deleted"
    rows = [f"{done}  {each}" for each in answer["removed"]]
    return "\n".join([*rows, f"{answer['bytes']:,} bytes"])
