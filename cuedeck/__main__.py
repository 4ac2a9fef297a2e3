"""`cuedeck` and `python -m cuedeck`: start a hook or the command line.

A hook does not import the modules of the command line.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

HOOK = "hook"
_UTF8 = (b"-X", b"utf8=1")
"""Options of Python for UTF-8 names and arguments; they override PYTHONUTF8."""
_ARGUMENTS = "/proc/self/cmdline"
"""Arguments of this process, byte for byte."""
_MOST_YOUNG_OBJECTS = 50_000
"""New objects after which the interpreter searches for cycles. With its default of 700,
a command that imports many modules or reads many records spends a tenth to a fifth of
its time on that search and finds none."""


def main() -> NoReturn:
    """Run the command that the arguments name."""
    if sys.getfilesystemencoding() != "utf-8":
        _restart_in_utf8()
    gc.set_threshold(_MOST_YOUNG_OBJECTS)
    try:
        _run(sys.argv[1:])
    except SystemExit as ended:
        _exit_at_once(ended.code)
        raise
    finally:
        # The end of the interpreter would search all objects for cycles several times.
        gc.freeze()


def _restart_in_utf8() -> NoReturn:
    """Replace this process by one that reads file names and arguments as UTF-8.

    With the encoding of the locale, the same files would give another scene.
    """
    # Decoding by the locale has already changed `sys.argv`, in some encodings for good.
    # In UTF-8 mode Python never gets here a second time.
    try:
        with open(_ARGUMENTS, "rb") as file:
            python, *rest = file.read().split(b"\0")[:-1]
        os.execv(sys.executable, [python, *_UTF8, *rest])
    except (OSError, ValueError):
        sys.exit(
            "error: file names are not UTF-8 in this locale\n"
            "hint: set the environment variable PYTHONUTF8=1"
        )


def _run(arguments: list[str]) -> NoReturn:
    at = 2 if arguments[:1] == ["-C"] else 0
    if arguments[at : at + 1] == [HOOK] and not {"--help", "-h"} & set(arguments):
        from cuedeck.shells.hook.hook_main import main as answer

        code = answer([*arguments[:at], *arguments[at + 1 :]])
        # The answer is written and nothing is open. Freeing every object would take
        # longer than a hook without work.
        os._exit(code)
    from cuedeck.shells.cli.cli_main import main as run

    run()


def _exit_at_once(code: object) -> None:
    """End the process without freeing every object, which takes a short command longer
    than its work.

    A process that still has something to do at its end is left to the interpreter:
    other threads, functions to call at exit, a profiler, or output that cannot be
    written.
    """
    if not isinstance(code, int) or _thread._count() or atexit._ncallbacks():
        return
    if sys.getprofile() is not None or sys.gettrace() is not None:
        return
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code & 0xFF)


if __name__ == "__main__":
    main()
