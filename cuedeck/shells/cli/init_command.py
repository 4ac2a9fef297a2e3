"""The `init` command."""

from __future__ import annotations

import os

import click

from cuedeck.shells.cli.command_base import Shell, common, say

EPILOG = """\b
Examples:
  cuedeck init                 in the current folder
  cuedeck init --stealth       let git ignore it, without a change to .gitignore"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="[DIR]", required=False)
@click.option(
    "--force",
    is_flag=True,
    help="Overwrite the template's files; the old ones are kept as .bak. USER.md, cards and docs are not touched.",
)
@click.option(
    "--stealth",
    is_flag=True,
    help="Add .cuedeck/ to .git/info/exclude, so that git ignores it without a change to .gitignore.",
)
@common
def init(shell: Shell, folder: str | None, force: bool, stealth: bool) -> int:
    """Create a workspace: .cuedeck/ with settings, cards, docs."""
    from cuedeck.engine.init_workspace import init_workspace
    from cuedeck.engine.mask_answers import mask_value
    from cuedeck.engine.open_workspace import open_workspace

    done = init_workspace(
        os.path.join(shell.start, folder or ""), force=force, stealth=stealth
    )
    answer = mask_value(done, open_workspace(done["root"], os.environ))

    def show() -> None:
        for each in answer["created"]:
            say(f"created  {each}")
        for each in answer["replaced"]:
            say(f"replaced {each['path']} (the old one is {each['backup']})")
        for each in answer["extended"]:
            say(f"extended {each['path']} ({', '.join(each['lines'])})")
        for each in answer["kept"]:
            say(f"kept     {each}")
        if answer["excluded_by"]:
            say(
                f"{'ignored ' if answer['exclude_added'] else 'kept    '} .cuedeck/ in {answer['excluded_by']}"
            )
        readme = _find_readme(done["root"])
        ref = f"--ref {readme} " if readme else ""
        say(
            "\nNothing of your sessions is recorded until `cuedeck setup HOST` or `cuedeck capture on`."
        )
        say(
            f'\nNext: cuedeck card new --activate {ref}-- "My first task"\n      cuedeck scene'
        )

    shell.answer(answer, show)
    return 0


def _find_readme(root: str) -> str:
    """Return the name of the README of a folder as it is written; empty without one."""
    wanted = ("readme.md", "readme.rst", "readme.txt", "readme")
    names = [name for name in sorted(os.listdir(root)) if name.casefold() in wanted]
    return min(names, key=lambda name: wanted.index(name.casefold()), default="")
