"""`python -m conformance.hosts [HOST …]`: run each installed host against a mock model;
print the context that arrives.

Hosts are looked for in the folders of HOSTS_BIN, then on PATH. Nothing is installed.
Requests to models go to loopback. With HOSTS_LOG, a folder, the commands and the
requests of each host are kept there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conformance.hosts.programs import PROGRAMS
from conformance.hosts.trial import Result, run

_HEADS = (
    "host",
    "version",
    "start",
    "resumed; after a change",
    "digest with the prompt",
    "after file use",
    "subagent",
    "after compaction",
    "capture",
    "MCP tools",
    "after `--remove`",
)


def main(names: list[str]) -> int:
    """Run the hosts with these names, or all; return 1 if one cannot be run to
    its end.
    """
    path = os.pathsep.join(
        [*filter(None, [os.environ.get("HOSTS_BIN", "")]), os.environ.get("PATH", "")]
    )
    failed = False
    sys.stdout.write(f"| {' | '.join(_HEADS)} |\n|{'---|' * len(_HEADS)}\n")
    for program in PROGRAMS:
        if names and program.host not in names:
            continue
        executable = shutil.which(program.command, path=path)
        if executable is None:
            _row(program.host, "skipped: not installed")
            continue
        with tempfile.TemporaryDirectory(
            prefix="cuedeck-hosts-", ignore_cleanup_errors=True
        ) as folder:
            try:
                _row(*run(program, executable, Path(folder)))
            except (OSError, subprocess.SubprocessError) as error:
                _row(program.host, f"failed: {error}")
                failed = True
            if os.environ.get("HOSTS_LOG"):
                place = Path(os.environ["HOSTS_LOG"]) / program.host
                shutil.copytree(Path(folder) / "log", place, dirs_exist_ok=True)
    return int(failed)


def _row(*cells: str) -> None:
    filled = [*cells, *[""] * (len(Result._fields) - len(cells))]
    sys.stdout.write(f"| {' | '.join(filled)} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
