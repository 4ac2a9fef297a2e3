"""The user's cache folder on each system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cuedeck.store.files.user_cache import user_cache


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder, on a system that follows the XDG specification."""
    place = Path(os.path.realpath(tmp_path))
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    return place


def test_default_is_in_the_home_folder(home: Path) -> None:
    assert user_cache() == str(home / ".cache/cuedeck")


@pytest.mark.parametrize("ignored", ["", "relative/cache"])
def test_relative_path_is_ignored(
    home: Path, monkeypatch: pytest.MonkeyPatch, ignored: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", ignored)
    assert user_cache() == str(home / ".cache/cuedeck")


def test_folder_of_macos(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert user_cache() == str(home / "Library/Caches/cuedeck")
