"""Sections of the settings: immutable values by name."""

from __future__ import annotations

import copy
import pickle

import pytest

from cuedeck.model.settings_schema import (
    RecallSettings,
    SceneSettings,
    SecretSettings,
    Settings,
)


def test_a_value_that_is_not_given_is_the_default() -> None:
    settings = SceneSettings(depth=5)
    assert (settings.budget, settings.depth) == (8_000, 5)
    assert SceneSettings.keys["depth"].default == 3
    assert SceneSettings.keys["depth"].most == 20
    assert list(SecretSettings.keys) == ["allow", "patterns"]


def test_a_copy_differs_only_in_the_given_values() -> None:
    first = SceneSettings(depth=5)
    second = first.replace(budget=900)
    assert (second.budget, second.depth, first.budget) == (900, 5, 8_000)


def test_equal_values_are_equal_settings() -> None:
    given, default = SceneSettings(depth=3), SceneSettings()
    assert given == default
    assert hash(given) == hash(default)
    assert given != SceneSettings(depth=4)
    assert SecretSettings() != RecallSettings()
    assert Settings(scene=given) == Settings()


def test_settings_cannot_be_changed() -> None:
    settings = SceneSettings()
    with pytest.raises(AttributeError):
        settings.depth = 4  # type: ignore[misc]
    with pytest.raises(AttributeError):
        del settings.depth
    assert SceneSettings().depth == 3


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(TypeError, match="SceneSettings has no key deep, wide"):
        SceneSettings(wide=1, deep=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="has no key deep"):
        SceneSettings().replace(deep=1)


def test_the_text_names_every_value() -> None:
    settings = SecretSettings(allow=("x",))
    assert repr(settings) == "SecretSettings(allow=('x',), patterns=())"


def test_copies_are_equal() -> None:
    settings = Settings(scene=SceneSettings(depth=5))
    assert copy.deepcopy(settings) == settings
    assert pickle.loads(pickle.dumps(settings)) == settings
