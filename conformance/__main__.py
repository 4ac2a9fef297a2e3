"""`python -m conformance`: run every applicable scenario; exit code 1 if one fails, 0
if the suite is not available.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from conformance.scenarios import (
    AS_IT_IS,
    DO_NOT_APPLY,
    INSPECTOR,
    INSPECTOR_VERSION,
    NODE_VERSION,
    NOT_TESTABLE,
    RENAMED,
    SUITE,
    SUITE_VERSION,
)

_INSTALL_SECONDS = 240
_SCENARIO_SECONDS = 60
_WHOLE_SECONDS = 600
_HOME = (
    Path(tempfile.gettempdir())
    / f"cuedeck-conformance-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
)
"""Packages are kept there from one run to the next."""
_CARD = "---\ntitle: Card 123\nstatus: active\nrefs: [docs/auth.md]\n---\n\nText.\n"
_PASSED = re.compile(r"Passed: (\d+)/(\d+), (\d+) failed(?:, (\d+) warnings)?")


class Tools(NamedTuple):
    """The programs of a run."""

    node: str
    suite: str
    inspector: str
    environ: dict[str, str]


def main() -> int:
    """Run the suite and print one line for each scenario."""
    tools = _install()
    if isinstance(tools, str):
        say(f"skipped: {tools}")
        return 0
    until = time.monotonic() + _WHOLE_SECONDS
    failed = 0
    with tempfile.TemporaryDirectory(prefix="cuedeck-conformance-") as folder:
        root = _write_workspace(Path(folder))
        served = [
            sys.executable,
            "-m",
            "cuedeck",
            "-C",
            str(root),
            "mcp",
            "--http",
            "--json",
        ]
        renamed = [sys.executable, "-m", "conformance.renamed", str(root)]
        for command, revisions in ((served, AS_IT_IS), (renamed, RENAMED)):
            with _serving(command) as url:
                for revision, scenarios in revisions.items():
                    for scenario in scenarios:
                        failed += not _check(tools, url, revision, scenario, until)
        failed += not _inspect(tools, root)
    for scenario, reason in DO_NOT_APPLY.items():
        say(f"{'-':8}{scenario}: {reason}")
    return int(failed > 0)


def _check(tools: Tools, url: str, revision: str, scenario: str, until: float) -> bool:
    """Run a scenario, print its result, and return whether it passed."""
    if time.monotonic() > until:
        say(
            f"{'FAILED':8}{revision} {scenario}: the run has taken {_WHOLE_SECONDS} seconds"
        )
        return False
    options = ["--url", url, "--scenario", scenario, "--spec-version", revision]
    output = _run([tools.node, tools.suite, "server", *options], tools.environ)
    found = _PASSED.search(output)
    passed = (
        found is not None
        and int(found[1]) > 0
        and int(found[3]) <= NOT_TESTABLE.get(scenario, 0)
    )
    counts = f": {found[0]}" if found else ""
    say(
        f"{'passed' if passed else 'FAILED':8}{revision} {scenario}{counts}"
        + ("" if passed else f"\n{output}")
    )
    return passed


def _inspect(tools: Tools, root: Path) -> bool:
    """List the tools and call one with the command line of the inspector; return
    whether both worked.
    """
    server = [sys.executable, "-m", "cuedeck", "-C", str(root), "mcp"]
    client = [tools.node, tools.inspector, "--cli", *server, "--method"]
    listed = _run([*client, "tools/list"], tools.environ)
    called = _run(
        [*client, "tools/call", "--tool-name", "find", "--tool-arg", "query=auth"],
        tools.environ,
    )
    passed = '"name": "scene"' in listed and "docs/auth.md" in called
    say(
        f"{'passed' if passed else 'FAILED':8}inspector"
        + ("" if passed else f"\n{listed}\n{called}")
    )
    return passed


def _install() -> Tools | str:
    """Install the packages, and Node.js if the machine has no recent version; return
    the reason of a failure.
    """
    npm = shutil.which("npm")
    node = shutil.which("node")
    if npm is None or node is None:
        return "the conformance suite needs npm and Node.js"
    packages = [f"{SUITE}@{SUITE_VERSION}", f"{INSPECTOR}@{INSPECTOR_VERSION}"]
    if _major(node) < NODE_VERSION:
        name = _node_package()
        packages.append(f"{name}@{NODE_VERSION}")
        node = str(_HOME / "node_modules" / name / "bin" / "node")
    _HOME.mkdir(mode=0o700, exist_ok=True)
    if _HOME.is_symlink() or (
        hasattr(os, "getuid") and _HOME.stat().st_uid != os.getuid()
    ):
        return f"{_HOME} belongs to another user"
    wanted = json.dumps(packages)
    mark = _HOME / "installed.json"
    if not mark.exists() or mark.read_text(encoding="utf-8") != wanted:
        (_HOME / "package.json").write_text("{}", encoding="utf-8")
        command = [
            npm,
            "install",
            "--prefix",
            str(_HOME),
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            *packages,
        ]
        try:
            ended = subprocess.run(
                command,
                capture_output=True,
                encoding="utf-8",
                timeout=_INSTALL_SECONDS,
                check=False,
                cwd=_HOME,
            )
        except subprocess.TimeoutExpired:
            return f"npm install did not end within {_INSTALL_SECONDS} seconds"
        if ended.returncode:
            return f"npm install failed: {_last_line(ended.stderr)}"
        mark.write_text(wanted, encoding="utf-8")
    environ = {
        **os.environ,
        "NO_COLOR": "1",
        "PATH": f"{Path(node).parent}{os.pathsep}{os.environ['PATH']}",
    }
    modules = _HOME / "node_modules"
    return Tools(
        node, _program(modules / SUITE), _program(modules / INSPECTOR), environ
    )


def _program(package: Path) -> str:
    """Return the script that a package installs as its command."""
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    programs = described["bin"]
    script = programs if isinstance(programs, str) else next(iter(programs.values()))
    return str(package / script)


def _node_package() -> str:
    """Return the name of the package that contains Node.js for this machine."""
    machine = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64"}.get(
        platform.machine().lower(), platform.machine()
    )
    system = {"windows": "win"}.get(
        platform.system().lower(), platform.system().lower()
    )
    return f"node-{system}-{machine}"


def _last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("npm error")]
    return lines[0] if lines else "no reason given"


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _write_workspace(folder: Path) -> Path:
    """Write a small workspace."""
    for path, text in (
        (".cuedeck/cards/card123.md", _CARD),
        ("docs/auth.md", "# Auth\n\nText.\n"),
    ):
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def _run(command: Sequence[str], environ: dict[str, str]) -> str:
    """Run a command; return its output, even after a timeout."""
    try:
        ended = subprocess.run(
            command,
            env=environ,
            capture_output=True,
            encoding="utf-8",
            timeout=_SCENARIO_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no end within {_SCENARIO_SECONDS} seconds"
    return ended.stdout + ended.stderr


@contextmanager
def _serving(command: Sequence[str]) -> Iterator[str]:
    """Start a server, which prints its address; stop it by its process id when the
    block ends.
    """
    process = subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8")
    try:
        assert process.stdout is not None
        line = process.stdout.readline().strip()
        yield json.loads(line)["url"] if line.startswith("{") else line
    finally:
        process.terminate()
        process.communicate(timeout=_SCENARIO_SECONDS)


def _major(node: str) -> int:
    """Return the major version of Node.js; 0 if it does not run."""
    found = re.match(r"v(\d+)", _run([node, "--version"], dict(os.environ)))
    return int(found[1]) if found else 0


if __name__ == "__main__":
    sys.exit(main())
