"""The JSON report of an error."""

from __future__ import annotations

import pytest
from sandbox import Sandbox

from cuedeck.engine.mask_answers import error_report
from cuedeck.model.errors import ConfigurationError, NotFound

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"


def test_long_quoted_argument_is_cut_and_the_message_stays() -> None:
    message = error_report(
        NotFound(
            f"not found: `{'a b ' * 500}` here",
            hint=f"not {'x' * 900}",
            candidates=("y" * 900,),
        )
    )
    assert message["message"].startswith("not found: `a b ") and message[
        "message"
    ].endswith("…` here")
    assert [
        len(message["message"]) < 250,
        len(message["hint"]),
        len(message["candidates"][0]),
    ] == [True, 204, 200]


def test_short_arguments_are_unchanged() -> None:
    message = error_report(
        NotFound("`a` and `b`", hint="call again", candidates=("c",))
    )
    assert message == {
        "code": 1001,
        "message": "`a` and `b`",
        "hint": "call again",
        "candidates": ["c"],
    }


def test_secret_at_the_cut_is_masked_completely() -> None:
    message = error_report(NotFound(f"not found: `{'x ' * 92}{AWS} {'y ' * 50}`"))
    assert "AKIA" not in message["message"]


def test_error_is_reported_with_invalid_settings(sandbox: Sandbox) -> None:
    """A failure of the search for secrets used to give only a traceback."""
    sandbox.place(".cuedeck/config.toml").mkdir()
    workspace = sandbox.workspace()
    with pytest.raises(ConfigurationError):
        workspace.settings  # noqa: B018
    assert (
        error_report(NotFound(f"nothing is called {AWS}"), workspace)["message"]
        == "nothing is called <secret:aws-key:1>"
    )
