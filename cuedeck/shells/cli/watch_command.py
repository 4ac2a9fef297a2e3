"""The `watch` command."""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

import click

from cuedeck.shells.cli.command_base import Shell, common, output, print_note, say

EPILOG = """\b
Examples:
  cuedeck watch                  rebuild SCENE.md after every save and commit, until Ctrl-C
  cuedeck watch --json           one JSON object a line, for editors and tools"""


@click.command(epilog=EPILOG)
@click.option("--copy", is_flag=True, help="Copy every new scene to the clipboard.")
@common
def watch(shell: Shell, copy: bool) -> int:
    """Rebuild SCENE.md after every save, commit and checkout.

    If another process already writes SCENE.md, such as a second watcher or a server,
    only report changes.
    """
    from cuedeck.context.scene.deliver_scene import copy_text
    from cuedeck.engine.live.watch import watch_forever

    # Handle SIGTERM as Ctrl-C, so that cleanup runs and the writer lock is released.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    copier = (lambda text: copy_text(text, os.environ)) if copy else None
    tell = _tell_json if shell.json else _tell_person
    return watch_forever(shell.workspace, tell, copier)


def _tell_json(event: dict[str, Any]) -> None:
    import json

    with output():
        sys.stdout.write(json.dumps({"schema": 1, **event}, ensure_ascii=False) + "\n")
        sys.stdout.flush()


def _tell_person(event: dict[str, Any]) -> None:
    if event["event"] == "ready":
        how = " by polling" if event["polling"] else ""
        how += (
            ""
            if event["writes"]
            else "; another process writes SCENE.md, so this watcher only reports changes"
        )
        say(
            f"watching {event['files']:,} files in {event['root']}{how}; Ctrl-C ends it"
        )
    elif event["event"] == "error":
        print_note(
            f"{event['message']}" + (f"; {event['hint']}" if event["hint"] else "")
        )
    else:
        paths = ", ".join(event["changed"][:3])
        if len(event["changed"]) > 3:
            paths += " …"
        state = "up to date" if event["writes"] else "read"
        if event["written"]:
            state = "written"
        say(
            f"{event['ms']['all']:7.1f} ms  {event['tokens']:>7,} tokens  {state:<10}  {paths}"
        )
