"""The open workspace: caches of capabilities, and settings that need not be parsed."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.engine.open_workspace import open_workspace


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", False),
        (
            "# sessions are closed after 7 days\n[scene]\nbudget = 900 # of a session\n",
            False,
        ),
        ("[session]\ncompress_kib = 1\n", True),
        ("session.compress_kib = 1\n", True),
        ('["session"]\n', True),
    ],
)
def test_settings_are_parsed_only_if_a_section_may_exist(
    sandbox: Sandbox, config: str, expected: bool
) -> None:
    sandbox.write(".cuedeck/config.toml", config)
    assert sandbox.workspace().may_configure("session") is expected


def test_environment_variable_implies_its_section(sandbox: Sandbox) -> None:
    sandbox.write(".cuedeck/config.toml")
    workspace = open_workspace(
        str(sandbox.root), {"CUEDECK_SESSION__COMPRESS_KIB": "1"}
    )
    assert workspace.may_configure("session") and not workspace.may_configure("scene")


def test_cache_is_reused_until_the_settings_change(sandbox: Sandbox) -> None:
    workspace = sandbox.workspace()
    cache = workspace.cached(dict)
    assert workspace.cached(dict) is cache and workspace.cached(list) is not cache
    workspace.forget_settings()
    assert workspace.cached(dict) is not cache


def test_block_of_one_scan_sees_later_changes_of_own_files_only(
    sandbox: Sandbox,
) -> None:
    sandbox.write("src/first.py")
    workspace = sandbox.workspace()
    with workspace.one_scan():
        workspace.refresh()
        sandbox.write("src/second.py")
        sandbox.card("aaaaaa", "title: Tokens", "status: active")
        workspace.refresh()
        assert workspace.index.paths() == [".cuedeck/cards/aaaaaa.md", "src/first.py"]
    workspace.refresh()
    assert "src/second.py" in workspace.index.paths()
