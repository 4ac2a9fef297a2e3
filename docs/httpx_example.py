"""Run the example of README.md on a clone of httpx, and write its output.

    git clone https://github.com/encode/httpx /tmp/httpx
    python docs/httpx_example.py /tmp/httpx

It rewrites the region between `<!-- example: httpx -->` and
`<!-- /example -->` in README.md.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMIT = "15187e7"
SHOWN_ROWS = 6
SHOWN_FUNCTION = "_send_handling_auth"
SHOWN_LINES = 16
CARD = (
    "card",
    "new",
    "--activate",
    "--ref",
    "httpx/_client.py",
    "--body",
    "Fixes authentication flows that need async I/O, such as taking a lock while a token is refreshed.",
    "--",
    "Add support for sync-specific or async-specific auth flows",
)
_COMMANDS = """\
$ git clone -q https://github.com/encode/httpx && cd httpx && git checkout -q 15187e7
$ cuedeck init
$ cuedeck card new --activate --ref httpx/_client.py \\
    --body "Fixes authentication flows that need async I/O, such as taking a lock while a token is refreshed." \\
    -- "Add support for sync-specific or async-specific auth flows"
$ cuedeck scene --budget 8000
"""
_REGION = re.compile(
    r"(?<=^<!-- example: httpx -->\n).*?(?=^<!-- /example -->$)",
    re.MULTILINE | re.DOTALL,
)


def run(folder: Path, *command: str) -> str:
    """Return the standard output of a command."""
    environ = os.environ | {"CUEDECK_SCENE__BUDGET": "8000"}
    ended = subprocess.run(
        command,
        cwd=folder,
        check=True,
        capture_output=True,
        encoding="utf-8",
        env=environ,
    )
    return ended.stdout


def example(folder: Path) -> str:
    """Return the Markdown of the example, run in a checkout of the commit."""
    cuedeck = (sys.executable, "-P", "-m", "cuedeck")
    run(folder, *cuedeck, "init")
    run(folder, *cuedeck, *CARD)
    *rows, total = run(folder, *cuedeck, "scene", "--budget", "8000").splitlines()
    rows = [row for row in rows if not row.startswith("… and ")]
    text = (folder / ".cuedeck/SCENE.md").read_text("utf-8")
    visits = json.loads(run(folder, *cuedeck, "scene", "--budget", "8000", "--json"))[
        "visits"
    ]
    table = [*rows[: SHOWN_ROWS + 2], f"[… {len(visits)} files in all]", total]
    lines = text.splitlines()
    (first,) = [
        at
        for at, line in enumerate(lines)
        if line.endswith(f"    def {SHOWN_FUNCTION}(")
    ]
    passage = ["[…]", *lines[first : first + SHOWN_LINES], "[…]"]
    commands = f"```text\n{_COMMANDS}" + "\n".join(table) + "\n```\n"
    return (
        f"{commands}\nFrom `.cuedeck/SCENE.md`:\n\n```text\n"
        + "\n".join(passage)
        + "\n```\n"
    )


def main() -> None:
    """Run the example in a temporary clone and rewrite README.md."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "httpx"
        run(ROOT, "git", "clone", "-q", str(Path(sys.argv[1]).resolve()), str(folder))
        run(folder, "git", "checkout", "-q", COMMIT)
        shown = example(folder)
    page = ROOT / "README.md"
    page.write_text(_REGION.sub(lambda _: shown, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
