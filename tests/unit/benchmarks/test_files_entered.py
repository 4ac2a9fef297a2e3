"""The number of source files that one save enters."""

from __future__ import annotations

import subprocess
import sys


def test_one_save_enters_few_files() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.files_entered"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
