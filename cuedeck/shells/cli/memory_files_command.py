"""The `memory` commands for whole files: read and write."""

from __future__ import annotations

from typing import Any

import click

from cuedeck.model.formatting import counted
from cuedeck.shells.cli import complete_arguments
from cuedeck.shells.cli.command_base import Shell, common, print_note, say, write_text
from cuedeck.shells.cli.memory_options import profiled
from cuedeck.shells.cli.read_stdin import read_stdin

_READING = """\b
Examples:
  cuedeck memory read
  cuedeck memory read memory/2026-11-21.md#L3-L9
  cuedeck memory read USER.md | tee user.md"""
_WRITING = """\b
Example:
  cat user.md | cuedeck memory write USER.md --if-hash 9f86d081884c7d65"""


@click.command("read", epilog=_READING)
@click.argument(
    "file",
    metavar="[FILE][#L3-L9]",
    shell_complete=complete_arguments.memory_file,
    required=False,
    default="",
)
@profiled
@common
def read_(shell: Shell, file: str, profile: str) -> int:
    """Print a memory file, or some of its lines.

    Prints the hash of the file on stderr.

    FILE is MEMORY.md (the default), LONGMEMORY.md, USER.md, a daily log or the archive.
    Secrets are masked, and each hidden record is one placeholder line, so that line
    numbers are those of the file.
    """
    from cuedeck.knowledge.memory.read_memory_file import read_named_file

    workspace = shell.workspace()
    found = read_named_file(workspace, shell.address(file), profile)
    text = found.pop("text")  # already masked, and it may be long
    answer = {**shell.masked(found), "text": text}
    ending = "" if text.endswith("\n") or not text else "\n"
    shell.answer(answer, lambda: write_text(text + ending))
    if not shell.json:
        print_note(_about(answer))
    return 0


def _about(answer: dict[str, Any]) -> str:
    note = f"{answer['path']}: {counted(answer['total_lines'], 'line')}"
    if answer["hidden"]:
        note += f", {answer['hidden']:,} hidden"
    return f"{note}, hash {answer['hash']}"


@click.command("write", epilog=_WRITING)
@click.argument("file", metavar="FILE", shell_complete=complete_arguments.memory_file)
@click.option(
    "--if-hash",
    "known",
    required=True,
    metavar="HASH",
    help="Hash that `cuedeck memory read FILE` printed, or `none` for a new file.",
)
@profiled
@common
def write_(shell: Shell, file: str, known: str, profile: str) -> int:
    """Replace the text of a memory file by the text from stdin.

    The text is the whole text that `memory read` printed, edited; the text that a
    placeholder hides is written back as it was. The file must still be the
    version with the hash, and its old text is kept as a backup. A text that loses a
    record is refused: `cuedeck memory forget ID` deletes one. A changed record is
    changed in every file that contains it.
    """
    from cuedeck.knowledge.memory.write_memory_file import write_memory_file

    workspace = shell.workspace()
    given = read_stdin()
    answer = shell.masked(
        write_memory_file(workspace, shell.address(file), given, known, profile)
    )
    if answer["masked"]:
        print_note(
            f"warning: {counted(answer['masked'], 'new secret')} masked before the "
            "text was written; rotate it"
        )
    shell.answer(answer, lambda: say(_written(answer)))
    return 0


def _written(answer: dict[str, Any]) -> str:
    if not answer["written"]:
        return f"{answer['path']} has this text already, hash {answer['hash']}"
    lines = [f"{answer['path']} written, hash {answer['hash']}"]
    if answer["changed"]:
        lines.append(f"changed in every file: {', '.join(answer['changed'])}")
    if answer["backup"]:
        lines.append(f"the old text is in {answer['backup']}")
    return "\n".join(lines)
