"""Cache of the parsed settings."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sandbox import Sandbox

from cuedeck.model.errors import ConfigurationError
from cuedeck.model.profile import Profile
from cuedeck.model.settings_schema import Settings
from cuedeck.parse.settings_file import keys, parse_settings
from cuedeck.store.cache.settings_cache import _decode, _encode, cached_settings
from cuedeck.store.index import Index

TEXT = """
[scene]
budget = 4000
pinned = ["docs/a.md", "docs/b.md"]
related_share = 1

[[profile]]
id = "me"
root = "profiles/me"
"""
_OTHER = {int: 7, float: 0.125, bool: None, str: "other", tuple: ("one", "two")}


def parser(asked: list[str], text: str = TEXT) -> Callable[[], Settings]:
    """Return a parser of the text that records each call."""

    def parse() -> Settings:
        asked.append(text)
        return parse_settings(text)[0]

    return parse


def test_equal_bytes_are_parsed_once() -> None:
    index, asked = Index(""), list[str]()
    expected = parse_settings(TEXT)[0]
    for _ in range(3):
        assert cached_settings(index, b"one", parser(asked)) == expected
    assert asked == [TEXT]
    other = cached_settings(index, b"two", parser(asked, "[scene]\ndepth = 1\n"))
    assert (other.scene.depth, len(asked)) == (1, 2)
    assert expected.profile == (Profile("me", "profiles/me"),)
    index.close()


def test_invalid_settings_are_not_cached() -> None:
    index, asked = Index(""), list[str]()
    for _ in range(2):
        with pytest.raises(ConfigurationError):
            cached_settings(index, b"one", parser(asked, "[scene]\ndepth = -1\n"))
    assert len(asked) == 2
    index.close()


@pytest.mark.parametrize(
    "data", ["", "[]", "null", "{}", '{"profile": [], "scene": 1}', '{"profile": 3}',
             '{"profile": [], "songs": {}}', '{"profile": [], "scene": {"deep": 1}}']
)  # fmt: skip
def test_a_damaged_row_is_parsed_again(data: str) -> None:
    index, asked = Index(""), list[str]()
    cached_settings(index, b"one", parser(asked))
    index.database.execute("UPDATE settings SET data = ?", (data,))
    assert cached_settings(index, b"one", parser(asked)) == parse_settings(TEXT)[0]
    assert len(asked) == 2
    index.close()


@given(st.sets(st.sampled_from([name for name, _ in keys()])))
def test_every_value_survives_the_cache(changed: set[str]) -> None:
    settings = Settings()
    for full in sorted(changed):
        section, name = full.split(".")
        part = getattr(settings, section)
        default = part.keys[name].default
        other = _OTHER[type(default)]
        value = not default if other is None else other
        settings = settings.replace(**{section: part.replace(**{name: value})})
    assert _decode(_encode(settings)) == settings


def test_a_change_of_the_file_counts_at_once(sandbox: Sandbox) -> None:
    for depth in (1, 2, 1):
        sandbox.write(".cuedeck/config.toml", f"[scene]\ndepth = {depth}\n")
        workspace = sandbox.workspace()
        workspace.refresh()
        assert workspace.settings.scene.depth == depth
        workspace.close()
