"""A server whose commands, qmd or a summariser, do not answer at once."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_server import ForkedProcess
from mcp_client import fill_shop
from sandbox import Sandbox, until
from test_mcp_stdio import (
    HELLO,
    PATIENCE_SECONDS,
    READY,
    call,
    is_alive,
    receive,
    send,
    start,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a script")

RECALLS = [
    {"tool": "recall", "query": "text"},
    {"tool": "cortex_search", "query": "text"},
]


class SlowQmd:
    """A qmd that answers when it may."""

    def __init__(self, folder: Path) -> None:
        self.pids = folder / "pids"
        self.pids.touch()
        self._answer = folder / "answer"
        qmd = folder / "qmd"
        qmd.write_text(
            "#!/bin/sh\n"
            f"echo $$ >> '{self.pids}'\n"
            f"until [ -e '{self._answer}' ]; do sleep 0.05; done\n"
            "echo '[]'\n"
        )
        qmd.chmod(0o755)
        self.environ = {
            "CUEDECK_MEMORY__BACKEND": "qmd",
            "CUEDECK_MEMORY__QMD_COMMAND": str(qmd),
            "CUEDECK_MEMORY__QMD_SECONDS": "600",
        }

    def started(self, count: int = 1) -> list[int]:
        """Wait for the start of that many processes; return their ids."""
        lines = until(lambda: self._lines(count), "the start of qmd")
        return [int(line) for line in lines]

    def _lines(self, count: int) -> list[str]:
        lines = self.pids.read_text().splitlines()
        return lines if len(lines) == count else []

    def answer(self) -> None:
        """Let every process answer."""
        self._answer.touch()


@pytest.fixture
def qmd(tmp_path: Path) -> Iterator[SlowQmd]:
    qmd = SlowQmd(tmp_path)
    yield qmd
    qmd.answer()


@pytest.fixture
def server(sandbox: Sandbox, qmd: SlowQmd) -> Iterator[ForkedProcess]:
    """An initialised server that uses this qmd."""
    fill_shop(sandbox)
    process = start(sandbox, environ=qmd.environ)
    send(process, HELLO, READY)
    assert receive(process)["id"] == 1
    yield process
    process.kill()
    process.communicate(timeout=PATIENCE_SECONDS)


@pytest.mark.parametrize("recall", RECALLS, ids=lambda recall: recall["tool"])
def test_other_tools_answer_while_qmd_runs(
    server: ForkedProcess, qmd: SlowQmd, recall: dict[str, Any]
) -> None:
    send(server, call(2, **recall))
    qmd.started()
    send(server, call(3, "find", query="text"))
    found = receive(server)
    assert found["id"] == 3
    assert not found["result"]["isError"]
    qmd.answer()
    recalled = receive(server)
    assert recalled["id"] == 2
    assert not recalled["result"]["isError"]


def test_a_cancelled_recall_ends_qmd(server: ForkedProcess, qmd: SlowQmd) -> None:
    send(server, call(2, **RECALLS[0]))
    (number,) = qmd.started()
    method = "notifications/cancelled"
    send(server, {"jsonrpc": "2.0", "method": method, "params": {"requestId": 2}})
    until(lambda: not is_alive(number), "the end of qmd")
    send(server, call(3, "find", query="text"))
    assert receive(server)["id"] == 3


def test_a_commit_does_not_wait_for_a_summariser(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    answer = tmp_path / "answer"
    summariser = tmp_path / "summarise"
    summariser.write_text(
        "#!/bin/sh\n"
        f"touch '{started}'\n"
        f"until [ -e '{answer}' ]; do sleep 0.05; done\n"
        "echo 'A preference about editors.'\n"
    )
    summariser.chmod(0o755)
    fill_shop(sandbox)
    environ = {
        "CUEDECK_LAYERS__SUMMARISER": str(summariser),
        "CUEDECK_LAYERS__SUMMARISER_SECONDS": "600",
    }
    process = start(sandbox, environ=environ)
    try:
        send(process, HELLO, READY)
        assert receive(process)["id"] == 1
        send(process, call(2, "cortex", action="add", text="I prefer Vim as editor."))
        assert receive(process)["id"] == 2
        send(process, call(3, "cortex", action="commit"))
        committed = receive(process)["result"]["structuredContent"]
        assert committed["layers"]["notes"] == ["layers are built in the background"]
        until(started.exists, "the start of the summariser")
        send(process, call(4, "cortex_maintenance", commands=["ensure-all"]))
        (cared,) = receive(process)["result"]["structuredContent"]["results"]
        assert "; the summariser is busy; " in cared["output"]
        abstract = sandbox.place(".cuedeck/cortex/user/default/.abstract.md")
        assert not abstract.exists()
        answer.touch()
        until(abstract.exists, "the layers")
        assert "A preference about editors." in abstract.read_text()
    finally:
        answer.touch()
        process.kill()
        process.communicate(timeout=PATIENCE_SECONDS)
