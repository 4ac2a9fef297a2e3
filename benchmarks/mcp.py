"""`python -m benchmarks.mcp [--docs N] [--calls N]`: latency of `cuedeck mcp` for a
client.

A call is timed from the write of its line to the read of the answer's. Its floor is a
ping of the same server, which does nothing: the pipes, the protocol and the threads.
`after a save` means that a doc of the scene was written just before the call, which
must see it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from benchmarks.figure import Figure, format_table, quantile
from benchmarks.lab import Lab
from benchmarks.rewrite import Rewriter
from benchmarks.workspace import Workspace, files

DOCS = 8_700
"""With their sources and cards, 10,000 files."""
CALLS = 200
SAVES = 50
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


class ServerConnection:
    """A server and its connection."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._numbers = itertools.count(1)

    def request(self, method: str, params: Mapping[str, Any]) -> tuple[float, Any]:
        """Return the latency of an answer in milliseconds, and the answer."""
        number = next(self._numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        line = json.dumps(message).encode() + b"\n"
        assert self._process.stdin is not None and self._process.stdout is not None
        started = time.perf_counter()
        self._process.stdin.write(line)
        self._process.stdin.flush()
        while True:
            found = self._process.stdout.readline()
            took = (time.perf_counter() - started) * 1000
            answer = json.loads(found)
            if answer.get("id") == number:
                assert not answer["result"].get("isError"), answer
                return took, answer["result"]

    def call(self, tool: str, **arguments: Any) -> float:
        """Return the latency of a call in milliseconds."""
        return self.request("tools/call", {"name": tool, "arguments": arguments})[0]


@contextmanager
def serving(lab: Lab, workspace: Workspace) -> Iterator[ServerConnection]:
    """Start a server and initialise it."""
    process = subprocess.Popen(
        lab.launch.cuedeck("mcp"),
        cwd=workspace.root,
        env=lab.launch.environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    line = ServerConnection(process)
    try:
        line.request("initialize", HELLO)
        yield line
    finally:
        process.communicate(timeout=30)


def measure(lab: Lab, docs: int, calls: int) -> list[Figure]:
    """Measure the most frequent tools, at rest and after saves."""
    workspace = lab.indexed(docs)
    chance = random.Random(docs)
    paths = [path for path, _ in files(docs) if path.endswith(".md")]
    tools: dict[str, Callable[[ServerConnection], float]] = {
        "read": lambda line: line.call("read", address=chance.choice(paths)),
        "scene": lambda line: line.call("scene"),
        "cards": lambda line: line.call("cards"),
        "find": lambda line: line.call("find", query="token cache"),
    }
    with serving(lab, workspace) as line:
        lab.say(f"{workspace.files:,} files: warming up")
        for call in tools.values():
            call(line)
        time.sleep(2.0)
        floor = [line.request("ping", {})[0] for _ in range(calls)]
        figures = []
        for name, call in tools.items():
            lab.say(name)
            figures += _figures(
                f"{name}, at rest",
                docs,
                [call(line) for _ in range(calls)],
                floor,
            )
        rewriter = Rewriter(lab, workspace)
        for name in ("read", "scene", "cards"):
            lab.say(f"{name}, after saves")
            took = []
            for turn in range(SAVES):
                rewriter.write(rewriter.next(), whole=turn % 2 == 0)
                took.append(tools[name](line))
            figures += _figures(f"{name}, after a save", docs, took, floor)
    return figures


def _figures(
    what: str, docs: int, took: list[float], floor: list[float]
) -> list[Figure]:
    rows = []
    for share in (0.5, 0.95):
        figure = Figure(
            "mcp",
            f"{what} p{share * 100:.0f}",
            docs,
            quantile(took, share),
            "ms",
            quantile(floor, share),
        )
        rows.append(figure)
    return rows


def main() -> int:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.mcp", description="Measure calls of the MCP server."
    )
    parser.add_argument(
        "--docs",
        type=int,
        default=DOCS,
        help="docs of the workspace (default: %(default)s)",
    )
    parser.add_argument(
        "--calls",
        type=int,
        default=CALLS,
        help="calls of each tool (default: %(default)s)",
    )
    asked = parser.parse_args()
    with Lab() as lab:
        figures = measure(lab, asked.docs, asked.calls)
    print(format_table(figures), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
