"""`python -m conformance`: run every scenario that applies; exit 1 when one fails, 0 when there is no Node.js."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from conformance.scenarios import AS_IT_IS, DO_NOT_APPLY, INSPECTOR, RENAMED, SUITE

_LEAST_NODE = 20
_PATIENCE_SECONDS = 300
_CARD = "---\ntitle: Card 123\nstatus: active\nrefs: [docs/auth.md]\n---\n\nText.\n"
_PASSED = re.compile(r"Passed: (\d+)/\1, 0 failed")


def main() -> int:
    """Run the suite and print one line a scenario."""
    npx = shutil.which("npx")
    if npx is None or _node() < _LEAST_NODE:
        say(f"skipped: the conformance suite needs Node.js {_LEAST_NODE} or newer")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cuedeck-conformance-") as folder:
        root = _lay_out(Path(folder))
        environ = {**os.environ, "NO_COLOR": "1"}
        served = [sys.executable, "-m", "cuedeck", "-C", str(root), "mcp", "--http", "--json"]
        renamed = [sys.executable, "-m", "conformance.renamed", str(root)]
        for command, scenarios in ((served, AS_IT_IS), (renamed, RENAMED)):
            with _serving(command) as url:
                for scenario in scenarios:
                    said = _run([npx, "--yes", SUITE, "server", "--url", url, "--scenario", scenario], environ)
                    passed = _PASSED.search(said) is not None
                    failed += not passed
                    say(f"{'passed' if passed else 'FAILED':8}{scenario}" + ("" if passed else f"\n{said}"))
        failed += not _inspect(npx, root, environ)
    for scenario, reason in DO_NOT_APPLY.items():
        say(f"{'-':8}{scenario}: {reason}")
    return int(failed > 0)


def _inspect(npx: str, root: Path, environ: dict[str, str]) -> bool:
    """List the tools and call one with the inspector's command line; tell whether both worked."""
    client = [npx, "--yes", INSPECTOR, "--cli", sys.executable, "-m", "cuedeck", "-C", str(root), "mcp", "--method"]
    listed = _run([*client, "tools/list"], environ)
    called = _run([*client, "tools/call", "--tool-name", "find", "--tool-arg", "query=auth"], environ)
    passed = '"name": "scene"' in listed and "docs/auth.md" in called
    say(f"{'passed' if passed else 'FAILED':8}inspector" + ("" if passed else f"\n{listed}\n{called}"))
    return passed


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _lay_out(folder: Path) -> Path:
    """Write a small workspace."""
    for path, text in ((".cuedeck/cards/card123.md", _CARD), ("docs/auth.md", "# Auth\n\nText.\n")):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def _run(command: Sequence[str], environ: dict[str, str]) -> str:
    ended = subprocess.run(
        command, env=environ, capture_output=True, encoding="utf-8", timeout=_PATIENCE_SECONDS, check=False
    )
    return ended.stdout + ended.stderr


@contextmanager
def _serving(command: Sequence[str]) -> Iterator[str]:
    """Start a server, which prints its address; end it, by its id, when the block ends."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        yield json.loads(line)["url"] if line.startswith("{") else line
    finally:
        process.terminate()
        process.communicate(timeout=_PATIENCE_SECONDS)


def _node() -> int:
    """Return the major version of Node.js; 0 when there is none."""
    node = shutil.which("node")
    said = _run([node, "--version"], dict(os.environ)) if node else ""
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


if __name__ == "__main__":
    sys.exit(main())
