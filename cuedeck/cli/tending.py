"""`cuedeck memory compact` and `cuedeck memory tick`: what tends a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from cuedeck.cli.command import Shell, common


@click.command("tick", epilog="\b\nExample:\n  cuedeck memory tick\n  0 * * * * cuedeck -C ~/work memory tick")
@click.option("--profile", default="", metavar="ID", help="Only this memory; else all of them.")
@common
def tick_(shell: Shell, profile: str) -> int:
    """Do what is due: records become experiences, old ones are merged. Nothing is done twice."""
    from cuedeck.app.memory.tick import tick

    done = tick(shell.project(), profile=profile)
    shell.answer(done.answer, lambda: click.echo(ticked(done.answer)))
    return int(done.failed)


def ticked(answer: Mapping[str, Any]) -> str:
    """Return what a tick did, a line for each memory and job that is on."""
    return "\n".join(_lines(answer)) or answer["reason"] or "nothing is due"


def _lines(answer: Mapping[str, Any]) -> Iterator[str]:
    for row in answer["profiles"]:
        for job in ("extraction", "compaction"):
            step = row[job]
            if step["error"]:
                yield f"{row['profile']}: {job} failed: {step['error']['message']}"
            elif step["ran"] or step["reason"] != "off":
                counts = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in step["counts"].items())
                yield f"{row['profile']}: {job}: {step['reason']}" + (f" ({counts})" if step["ran"] and counts else "")
