"""Content and place of log entries."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from cuedeck.engine.live.server_setup import LOGGED, log_to_stderr, log_to_workspace

KEY = "AKIA" + "Q7ZX" * 4


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level


def test_warnings_go_to_stderr_and_to_the_workspace_masked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept: list[Mapping[str, Any]] = []
    log_to_stderr()
    log_to_workspace(kept.append)
    logger = logging.getLogger("cuedeck.shells.mcp.test")
    logger.info("nothing of note")
    logger.warning("the key is %s", KEY)
    logger.error("known already", extra=LOGGED)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "WARNING cuedeck.shells.mcp.test: the key is <secret:aws-key:1>",
        "ERROR cuedeck.shells.mcp.test: known already",
    ]
    message = {
        "level": "warning",
        "logger": "cuedeck.shells.mcp.test",
        "message": "the key is <secret:aws-key:1>",
    }
    assert kept == [{"event": "log", **message}]
