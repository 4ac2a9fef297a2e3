"""The `config` commands."""

from __future__ import annotations

import json
from typing import Any

import click

from cuedeck.model.errors import ConfigurationError
from cuedeck.model.paths import CONFIG
from cuedeck.shells.cli.command_base import Group, Shell, common, print_note, say
from cuedeck.shells.cli.text_table import Column, place, table


@click.group(cls=Group, epilog="\b\nExample:\n  cuedeck config show")
def config() -> None:
    """Show or check the settings in .cuedeck/config.toml."""


@config.command(
    "show", epilog="\b\nExample:\n  CUEDECK_SCENE__BUDGET=8000 cuedeck config show"
)
@common
def show(shell: Shell) -> int:
    """Show every setting, its value and its source."""
    from cuedeck.engine.effective_settings import show_settings

    answer = shell.masked(show_settings(shell.workspace()))
    rows = [
        (
            each["key"],
            json.dumps(each["value"], ensure_ascii=False),
            each["source"],
            each["doc"],
        )
        for each in answer["settings"]
    ]
    for profile in answer["profiles"]:
        name = f"profile {profile['id']}"
        root = json.dumps(profile["root"], ensure_ascii=False)
        rows.append((name, root, CONFIG, "folder of an additional memory"))
    shell.answer(
        answer,
        lambda: click.echo(
            table(
                [
                    Column("key"),
                    Column("value"),
                    Column("source"),
                    Column("description", wraps=True),
                ],
                rows,
            )
        ),
    )
    return 0


@config.command("check", epilog="\b\nExample:\n  cuedeck config check")
@common
def check(shell: Shell) -> int:
    """Check the settings file.

    It lists every invalid value and unknown key. Exit code 4 if a value cannot be
    used, 1 if a key is unknown.
    """
    from cuedeck.engine.effective_settings import check_settings

    answer = shell.masked(check_settings(shell.workspace()))
    lines = [
        f"{_where(each)}{each['message']}; {each['hint']}"
        for each in answer["findings"]
    ]
    text = "\n".join(lines)
    if "error" in answer:
        shell.answer(answer, lambda: print_note(text))
        return ConfigurationError.exit_code
    shell.answer(answer, lambda: say(text or f"{answer['path']} is valid"))
    return 0 if answer["valid"] else 1


def _where(finding: dict[str, Any]) -> str:
    """Return the place of a finding with a gap after it; empty for a variable, which
    its message names.
    """
    if finding["path"] == ".":
        return ""
    return f"{place(finding['path'], finding['line'])}  "
