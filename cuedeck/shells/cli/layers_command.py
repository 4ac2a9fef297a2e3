"""The `layers` command group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from cuedeck.knowledge.layers.build_layers import build_layers_of
from cuedeck.knowledge.layers.layer_status import layer_status, verify_layers
from cuedeck.model.formatting import counted
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Group, Shell, common, say_lines
from cuedeck.shells.cli.text_table import Column, table

_EXAMPLE = """\b
Example:
  cuedeck layers status
  cuedeck layers build"""
_MOST_ROWS = 50
"""Layers that are printed; `--json` has all."""


@click.group(cls=Group, epilog=_EXAMPLE)
def layers() -> None:
    """Build and check layers: abstracts (L0) and overviews (L1).

    A layer is computed from the files alone and written below .cuedeck/cortex/. A text
    that fits the limit of a layer (100 and 2,000 tokens) needs no layer file. `cuedeck
    read ADDRESS --layer L0` reads the layer of any address, also before a build.
    """


_BUILD_EXAMPLE = """\b
Example:
  cuedeck layers build
  cuedeck layers build cortex://session/default --dry-run"""


@layers.command("build", epilog=_BUILD_EXAMPLE)
@click.argument(
    "address",
    required=False,
    default="",
    shell_complete=complete_arguments.cortex,
)
@click.option(
    "--adopt",
    is_flag=True,
    help="Replace edited and foreign layers, too; the old files are backed up.",
)
@click.option(
    "--rebuild",
    is_flag=True,
    help="Write fresh layers again, for example by a new summariser command.",
)
@click.option("--dry-run", is_flag=True, help="Print the changes; write no file.")
@common
def build(shell: Shell, address: str, adopt: bool, rebuild: bool, dry_run: bool) -> int:
    """Build the layers that are stale.

    ADDRESS limits the build to the tree below it. A file or folder outside the cortex
    tree needs no build: `cuedeck read ADDRESS --layer L0` computes its layers.

    Layers that were edited by hand or written by another program are kept and listed.
    Symbolic links, and files whose names cannot be in an address, are left out and
    listed. Exit code 1 if a file could not be read.
    """
    workspace = shell.workspace()
    receipt = build_layers_of(
        workspace, address, adopt=adopt, rebuild=rebuild, dry_run=dry_run
    )
    answer = shell.masked({"dry_run": dry_run, **receipt.as_json()})
    shell.answer(answer, lambda: say_lines(_built(answer)))
    return 1 if receipt.failed else 0


def _built(answer: Mapping[str, Any]) -> Iterator[str]:
    verb = "would make" if answer["dry_run"] else "made"
    made = len(answer["made"])
    if answer["outside"] is None:
        yield (
            f"{verb} {counted(made, 'layer')}, reused {answer['reused']:,}; "
            f"{answer['whole']:,} need no file"
        )
    rows = [*answer["removed"], *answer["kept"], *answer["failed"]]
    labels = (
        ["removed"] * len(answer["removed"])
        + ["kept"] * len(answer["kept"])
        + ["failed"] * len(answer["failed"])
    )
    shown = zip(labels, rows, strict=True)
    yield from _row_lines([(label, row) for label, row in shown])
    yield from answer["notes"]
    if answer["kept"]:
        yield "`cuedeck layers build --adopt` replaces kept layers"


_STATUS_EXAMPLE = """\b
Example:
  cuedeck layers status
  cuedeck layers status --verify --json"""


@layers.command("status", epilog=_STATUS_EXAMPLE)
@click.option(
    "--verify", is_flag=True, help="Read every file instead of trusting the cache."
)
@common
def status(shell: Shell, verify: bool) -> int:
    """Count the layers by status, and list those that are not fresh.

    A layer is fresh, stale (it is missing, or its text has changed) or kept (edited by
    hand, or written by another program); `failed` is a file that cannot be read.
    """
    answer = shell.masked(layer_status(shell.workspace(), use_cache=not verify))
    shell.answer(answer, lambda: say_lines(_status_lines(answer)))
    return 0


_VERIFY_EXAMPLE = """\b
Example:
  cuedeck layers verify"""


@layers.command("verify", epilog=_VERIFY_EXAMPLE)
@common
def verify(shell: Shell) -> int:
    """Compute every layer again and compare it with its file.

    Exit code 1 if a layer is not fresh or differs.
    """
    answer = shell.masked(verify_layers(shell.workspace()))
    shell.answer(answer, lambda: say_lines(_status_lines(answer)))
    return 0 if answer["verified"] else 1


def _status_lines(answer: Mapping[str, Any]) -> Iterator[str]:
    files, folders = answer["files"], answer["folders"]
    yield f"{counted(files, 'file')} in {counted(folders, 'folder')}"
    statuses = ("fresh", "stale", "kept", "failed")
    counts = [f"{answer[name]:,} {name}" for name in statuses if answer[name]]
    counts.append(f"{answer['whole']:,} need no file")
    yield ", ".join(counts)
    yield from _row_lines([(row["status"], row) for row in answer["layers"]])
    if answer["stale"]:
        yield "`cuedeck layers build` builds stale layers"
    if answer["kept"]:
        yield "`cuedeck layers build --adopt` replaces edited and foreign layers"


def _row_lines(rows: list[tuple[str, Mapping[str, Any]]]) -> Iterator[str]:
    if not rows:
        return
    columns = [
        Column("status"),
        Column("layer"),
        Column("address", wraps=True),
        Column("reason", wraps=True),
    ]
    cells = [
        (label, row["layer"], row["address"], row["reason"])
        for label, row in rows[:_MOST_ROWS]
    ]
    yield table(columns, cells)
    left_out = len(rows) - len(cells)
    if left_out:
        yield f"+{left_out:,} more; `--json` lists all"
