"""`cuedeck` and `python -m cuedeck`: the command line, or the way in of the hooks, which must not pay for it."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HOOK = "hook"


def main() -> NoReturn:
    """Run what the command line asks for."""
    arguments = sys.argv[1:]
    at = 2 if arguments[:1] == ["-C"] else 0
    if arguments[at : at + 1] == [HOOK] and not {"--help", "-h"} & set(arguments):
        from cuedeck.cli.hook.hook_main import main as answer

        sys.exit(answer([*arguments[:at], *arguments[at + 1 :]]))
    from cuedeck.cli.cli_main import main as run

    run()


if __name__ == "__main__":
    main()
