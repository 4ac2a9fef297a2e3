"""Workflows as data."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuedeck.ledger.sessions.workflow_files import Step, parse_workflow
from cuedeck.model.errors import Invalid
from cuedeck.store.files.template import template_folder

SHIPPED = sorted(Path(template_folder(), "workflows").iterdir())


def test_steps_are_read_in_their_order() -> None:
    text = '[[step]]\nname = "one"\nbudget = 800\n[[step]]\nname = " two "\ntext = """a\n b"""\n'
    assert parse_workflow(text) == (Step("one", "", 800), Step("two", "a b", 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no `[[step]]`"),
        ("step = 3", "no `[[step]]`"),
        ("[[step]]\ntext = 'x'", "step 1 has no `name`"),
        ("[[step]]\nname = 'x'\nbudget = 3", "`budget` of step 1"),
        ("[[step]]\nname = 'x'\nbudget = true", "`budget` of step 1"),
        ("[[step]]\nname = 'x'\ntext = 3", "`text` of step 1"),
        (f"[[step]]\nname = 'x'\nbudget = 0x{'f' * 9_000}", "`budget` of step 1"),
        ("[[step", "line 1: not valid TOML"),
        ("# x\nx = " + "9" * 5_000, "more digits"),
        ("x = " + "[" * 5_000, "nested too deeply"),
    ],
)
def test_an_invalid_workflow_has_a_reason(text: str, message: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse_workflow(text)
    assert message in caught.value.message


@pytest.mark.parametrize("place", SHIPPED, ids=[each.name for each in SHIPPED])
def test_the_workflows_that_are_shipped_can_be_used(place: Path) -> None:
    assert len(parse_workflow(place.read_text())) > 3
