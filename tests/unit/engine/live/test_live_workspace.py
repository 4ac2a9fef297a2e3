"""A workspace that stays open, on a system that sends no events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sandbox import Sandbox

from cuedeck.engine.live.live_workspace import LiveWorkspace
from cuedeck.engine.open_workspace import open_ledgers
from cuedeck.model.errors import ConfigurationError
from cuedeck.store.workspace_paths import WorkspacePaths

CONFIG = ".cuedeck/config.toml"


def set_budget(sandbox: Sandbox, budget: int) -> None:
    sandbox.write(CONFIG, f"[scene]\nbudget = {budget}\n")


@pytest.fixture
def live(sandbox: Sandbox) -> Iterator[LiveWorkspace]:
    set_budget(sandbox, 300)
    paths = WorkspacePaths(str(sandbox.root))
    opened = LiveWorkspace(paths, {}, open_ledgers, lambda: None)
    opened.refresh()
    yield opened
    opened.close()


def test_changed_settings_are_read_again(live: LiveWorkspace, sandbox: Sandbox) -> None:
    known = live.settings
    live.refresh()
    assert live.settings is known
    set_budget(sandbox, 400)
    live.refresh()
    assert live.settings.scene.budget == 400


def test_invalid_settings_leave_the_last_valid_ones(
    live: LiveWorkspace, sandbox: Sandbox
) -> None:
    sandbox.write(CONFIG, "[scene\n")
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            live.refresh()
        (note,) = live.refresh_for_recall()
        assert note.startswith("the last valid settings are used: ")
        assert live.settings.scene.budget == 300
    set_budget(sandbox, 300)
    live.refresh()
    assert live.refresh_for_recall() == ()


def test_settings_that_were_never_valid_are_refused(sandbox: Sandbox) -> None:
    sandbox.write(CONFIG, "[scene\n")
    paths = WorkspacePaths(str(sandbox.root))
    opened = LiveWorkspace(paths, {}, open_ledgers, lambda: None)
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            opened.refresh_for_recall()
    set_budget(sandbox, 500)
    assert opened.refresh_for_recall() == ()
    assert opened.settings.scene.budget == 500
    opened.close()
