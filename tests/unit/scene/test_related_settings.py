"""`[scene] related` and `related_share`: from TOML and from the environment."""

from __future__ import annotations

import pytest

from cuedeck.model.errors import ConfigurationError
from cuedeck.model.settings_schema import SceneSettings
from cuedeck.parse.settings_file import keys, parse_settings


def scene(text: str = "", **environ: str) -> SceneSettings:
    return parse_settings(text, environ)[0].scene


def test_the_related_tier_is_on_and_may_fill_what_is_left() -> None:
    assert scene().related is True
    assert 0 < scene().related_share <= 1


@pytest.mark.parametrize(
    ("text", "value"), [("related = false", False), ("related = true", True)]
)
def test_the_related_tier_can_be_turned_off(text: str, value: bool) -> None:
    settings, warnings = parse_settings(f"[scene]\n{text}\n")
    assert settings.scene.related is value and warnings == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.25", 0.25), ("0", 0.0), ("1", 1.0), ("1.0", 1.0), ("5e-1", 0.5)],
)
def test_its_share_is_a_number_also_when_it_is_written_whole(
    text: str, value: float
) -> None:
    share = scene(f"[scene]\nrelated_share = {text}\n").related_share
    assert (share, type(share)) == (value, float)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("related = 1", "scene.related must be true or false, not 1"),
        ('related = "yes"', "scene.related must be true or false, not 'yes'"),
        ("related_share = 1.5", "scene.related_share must be between 0 and 1, not 1.5"),
        (
            "related_share = -0.1",
            "scene.related_share must be between 0 and 1, not -0.1",
        ),
        ("related_share = nan", "scene.related_share must be between 0 and 1, not nan"),
        ("related_share = inf", "scene.related_share must be between 0 and 1, not inf"),
        ("related_share = true", "scene.related_share must be a number, not True"),
        ('related_share = "0.5"', "scene.related_share must be a number, not '0.5'"),
    ],
)
def test_a_bad_value_is_told_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        scene(f"[scene]\nbudget = 500\n{text}\n")
    assert caught.value.message == f".cuedeck/config.toml line 3: {problem}"
    assert "default" in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("related", "false", False),
        ("related", "FALSE", False),
        ("related", "true", True),
        ("related_share", "0.25", 0.25),
        ("related_share", "0", 0.0),
        ("related_share", "1", 1.0),
    ],
)
def test_variables_of_the_environment_come_last(
    name: str, text: str, value: object
) -> None:
    config = "[scene]\nrelated = true\nrelated_share = 0.75\n"
    found = getattr(scene(config, **{f"CUEDECK_SCENE__{name.upper()}": text}), name)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("RELATED", "0"),
        ("RELATED", "no"),
        ("RELATED", ""),
        ("RELATED_SHARE", "half"),
        ("RELATED_SHARE", "2"),
        ("RELATED_SHARE", "-1"),
        ("RELATED_SHARE", "nan"),
        ("RELATED_SHARE", ""),
    ],
)
def test_a_bad_variable_is_told_by_its_name(name: str, text: str) -> None:
    with pytest.raises(ConfigurationError, match=f"CUEDECK_SCENE__{name}: "):
        scene(**{f"CUEDECK_SCENE__{name}": text})


def test_both_are_described() -> None:
    described = dict(keys())
    for name in ("scene.related", "scene.related_share"):
        assert described[name].metadata["doc"]
