"""Settings, of a file and of the environment."""

from __future__ import annotations

import pytest

from cuedeck.model.cortex_address import CortexAddressError, checked_id
from cuedeck.model.errors import ConfigurationError
from cuedeck.model.settings_schema import SceneSettings
from cuedeck.parse.settings_file import find_sources, parse_settings


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (
            "[compaction]\nenabled = true\n[experiences]\nenabled = 3\n",
            " line 4: experiences.enabled must be",
        ),
        (
            "[experiences]\n\n[compaction]\nenabled = 3\n",
            " line 4: compaction.enabled must be",
        ),
        (
            "[memory]\ncap = 900\n# enabled = 1\n[ \"experiences\" ]\n'enabled' = 3\n",
            " line 5: experiences.enabled",
        ),
        (
            "compaction.enabled = true\nexperiences . enabled = 3\n",
            " line 2: experiences.enabled must be",
        ),
        (
            "compaction = {enabled = true}\nexperiences = {max_count = 9, enabled = 3}\n",
            " line 2: experiences.enabled",
        ),
        (
            "[secrets]\nallow = [\n'''\nenabled = 1\n''']\n[compaction]\nenabled = 3\n",
            " line 7: compaction.enabled",
        ),
        (
            "[memory]\ncap = 900\n\n\n[scene]\r\nbudget = 'x'\r\n",
            " line 6: scene.budget must be",
        ),
        ("[scene]\nbudget.x = 1\n", " line 2: scene.budget must be"),
        ("# scene\nscene = 3\n", " line 2: `scene` must be a table"),
        ("[memory]\ncap = 900\n[[profile]]\nid = 3\n", " line 3: profile"),
        (
            "[secrets]\nallow = ['a']\npatterns = ['x: (']\n",
            " line 3: secrets.patterns",
        ),
    ],
)
def test_an_invalid_value_is_reported_with_its_line(text: str, place: str) -> None:
    """The message named the first line with a key of that name, even in another section
    or in a string.
    """
    with pytest.raises(ConfigurationError) as raised:
        parse_settings(text)
    assert f"config.toml{place}" in raised.value.message


@pytest.mark.parametrize("key", ["scene.budget", "scene.related_share"])
def test_a_number_of_thousands_of_digits_is_named_as_such(key: str) -> None:
    section, _, name = key.partition(".")
    with pytest.raises(
        ConfigurationError, match=f"{key} must .*, not a number of thousands of digits"
    ):
        parse_settings(f"[{section}]\n{name} = 0x{'f' * 5_000}\n", {})


def test_a_truncated_value_contains_no_part_of_a_secret() -> None:
    """A value was truncated before it was masked, and the mask does not recognise the
    rest of a truncated secret.
    """
    secret = "ghp_" + "a1" * 18
    with pytest.raises(ConfigurationError) as raised:
        parse_settings(f"[scene]\nbudget = '{'x ' * 90}{secret}'\n")
    assert raised.value.message.endswith(
        "must be a whole number, not … (222 characters)"
    )


def test_a_variable_that_cannot_be_used_does_not_blame_the_file() -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_settings("", {"CUEDECK_SCENE__BUDGET": "x"})
    assert (
        raised.value.message
        == "CUEDECK_SCENE__BUDGET: scene.budget must be a whole number, not 'x'"
    )


def test_an_unknown_key_is_reported_with_its_line() -> None:
    text = '[scene]\nbudget = 900\n[memory]\nbudget = 3\n["a.b"]\nx = 1\n[c.d]\n'
    assert [(each.line, each.message) for each in parse_settings(text)[1]] == [
        (4, "unknown key `memory.budget`"),
        (5, "unknown key `a.b`"),
        (7, "unknown key `c`"),
    ]


def test_a_section_of_cursorclaw_is_reported_with_a_reference() -> None:
    """`compaction` was meant to be the word that was meant."""
    (found,) = parse_settings("[continuity]\nsessionMemoryCap = 900\n")[1]
    assert "CursorClaw" in found.hint and "docs/memory.md" in found.hint


def test_the_source_of_a_key_is_known_even_for_the_default() -> None:
    """`config show` reported `default` as the source of a value that equals the
    default.
    """
    text = "scene = {budget = 16000, depth = 3}\nmemory.cap = 32000\n[x]\ny = 1\n"
    assert find_sources(
        text,
        {
            "CUEDECK_SCENE__DEPTH": "3",
            "CUEDECK_scene__related": "true",
            "OTHER__A": "1",
        },
    ) == {
        "scene.budget": ".cuedeck/config.toml",
        "scene.depth": "CUEDECK_SCENE__DEPTH",
        "scene.related": "CUEDECK_scene__related",
        "memory.cap": ".cuedeck/config.toml",
        "x.y": ".cuedeck/config.toml",
    }


def scene_settings(text: str = "", **environ: str) -> SceneSettings:
    return parse_settings(text, environ)[0].scene


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", 0.25), ("0", 0.0), ("1", 1.0), ("1.0", 1.0), ("5e-1", 0.5)],
)
def test_related_share_is_a_float_even_if_written_as_an_integer(
    text: str, value: float
) -> None:
    share = scene_settings(f"[scene]\nrelated_share = {text}\n").related_share
    assert (share, type(share)) == (value, float)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("related = 1", "scene.related must be true or false, not 1"),
        ('related = "yes"', "scene.related must be true or false, not 'yes'"),
        ("related_share = 1.5", "scene.related_share must be between 0 and 1, not 1.5"),
        ("related_share = -0.1", "scene.related_share must be between 0 and 1, not -0.1"),
        ("related_share = nan", "scene.related_share must be between 0 and 1, not nan"),
        ("related_share = inf", "scene.related_share must be between 0 and 1, not inf"),
        ("related_share = true", "scene.related_share must be a number, not True"),
        ('related_share = "0.5"', "scene.related_share must be a number, not '0.5'"),
    ],
)  # fmt: skip
def test_invalid_value_is_reported_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        scene_settings(f"[scene]\nbudget = 500\n{text}\n")
    assert caught.value.message == f".cuedeck/config.toml line 3: {problem}"
    assert "default" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("related", "false", False), ("related", "FALSE", False), ("related", "true", True),
        ("related_share", "0.25", 0.25), ("related_share", "0", 0.0), ("related_share", "1", 1.0),
    ],
)  # fmt: skip
def test_environment_variables_override_the_file(
    name: str, text: str, value: object
) -> None:
    config = "[scene]\nrelated = true\nrelated_share = 0.75\n"
    found = getattr(
        scene_settings(config, **{f"CUEDECK_SCENE__{name.upper()}": text}), name
    )
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RELATED", "0"), ("RELATED", "no"), ("RELATED", ""), ("RELATED_SHARE", "half"), ("RELATED_SHARE", "2"),
        ("RELATED_SHARE", "-1"), ("RELATED_SHARE", "nan"), ("RELATED_SHARE", ""),
    ],
)  # fmt: skip
def test_invalid_variable_is_reported_by_its_name(name: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=f"CUEDECK_SCENE__{name}: "):
        scene_settings(**{f"CUEDECK_SCENE__{name}": text})


@pytest.mark.parametrize("text", ["", ",", " ", " , "])
def test_an_empty_command_of_qmd_is_refused(text: str) -> None:
    """The mode of qmd was run as the command."""
    with pytest.raises(ConfigurationError) as caught:
        parse_settings("", {"CUEDECK_MEMORY__QMD_COMMAND": text})
    assert caught.value.message == (
        "CUEDECK_MEMORY__QMD_COMMAND: memory.qmd_command must have at least 1 item,"
        " not ()"
    )
    assert 'default ["qmd"]' in caught.value.hint


@pytest.mark.parametrize("name", ["user", "agent"])
@pytest.mark.parametrize("identity", ["a/b", "..", "", "con", "x" * 300])
def test_an_owner_is_refused_as_the_option_refuses_it(name: str, identity: str) -> None:
    with pytest.raises(CortexAddressError) as refused:
        checked_id("user" if name == "user" else "agent", identity)
    config = f'[cortex]\n{name} = "{identity}"\n'
    for text, environ in (
        (config, {}),
        ("", {f"CUEDECK_CORTEX__{name.upper()}": identity}),
    ):
        with pytest.raises(ConfigurationError) as caught:
            parse_settings(text, environ)
        assert f"cortex.{name}: {refused.value.message}" in caught.value.message
        assert caught.value.hint == refused.value.hint


def test_an_owner_that_names_a_folder_is_kept() -> None:
    settings, _ = parse_settings('[cortex]\nuser = "Ana Ruiz"\nagent = "日本語"\n')
    assert (settings.cortex.user, settings.cortex.agent) == ("Ana Ruiz", "日本語")
