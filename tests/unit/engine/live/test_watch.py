"""The loop of `cuedeck watch`."""

from __future__ import annotations

from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.engine.live.engine import watch_forever


def test_every_new_scene_is_copied_and_a_missing_clipboard_is_reported(
    sandbox: Sandbox,
) -> None:
    sandbox.card("aaaaaa", "status: active")
    copied: list[str] = []
    reports: list[dict[str, Any]] = []

    def report(event: dict[str, Any]) -> None:
        reports.append(event)
        if event["event"] == "ready":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        watch_forever(
            sandbox.workspace(),
            report,
            lambda text: copied.append(text) or "warning: none",
        )
    assert copied == [sandbox.scene.read_text()]
    assert [event["event"] for event in reports] == ["scene", "error", "ready"]
    assert reports[1]["message"] == "warning: none"
