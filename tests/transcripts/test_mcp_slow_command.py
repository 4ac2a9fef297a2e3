"""A server whose summariser does not answer at once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from mcp_client import fill_shop
from sandbox import Sandbox, until
from test_mcp_stdio import (
    HELLO,
    PATIENCE_SECONDS,
    READY,
    call,
    receive,
    send,
    start,
)

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a script")


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
