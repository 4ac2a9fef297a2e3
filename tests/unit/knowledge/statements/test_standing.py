"""Which rules and results are valid after later words of the user."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.statements.brief_rows import holding, not_corrected
from cuedeck.knowledge.statements.cue_words import is_rule
from cuedeck.model.recall_values import Unit


def rule(text: str) -> Unit:
    return Unit(**{**_EMPTY, "text": text})  # type: ignore[arg-type]


_EMPTY = {
    name: {"int": 0, "str": "", "bool": False}.get(str(kind), "")
    for name, kind in Unit.__annotations__.items()
}
REPLACED = [
    ("Always use npm.", "Use pnpm instead of npm from now on."),
    ("Never use npm.", "From now on use npm."),
    (
        "Always run the linter before you commit.",
        "No need to lint before commit any more.",
    ),
    ("Never edit the railway config.", "You can edit the railway config again."),
    ("Never edit the railway config.", "Forget the rule about the railway config."),
    (
        "Keep commit subjects under 50 characters, always.",
        "Always keep commit subjects under 72 characters.",
    ),
    ("Siempre usa npm.", "De ahora en adelante usa pnpm en vez de npm."),
    (
        "Schreibe die Tests immer auf Deutsch.",
        "Vergiss die Regel, Tests auf Deutsch zu schreiben.",
    ),
    ("N'utilise jamais yarn.", "Tu peux utiliser yarn à nouveau."),
    (
        "Всегда запускай линтер перед коммитом.",
        "Больше не нужно запускать линтер перед коммитом.",
    ),
    ("dont add comments", "Don't add comments!"),
]
BESIDE = [
    ("Never commit to main.", "Never commit .env files to main."),
    ("Don't use any in TypeScript.", "Don't use enums in TypeScript."),
    (
        "Always add a docstring to public functions.",
        "Always add type hints to public functions.",
    ),
    ("Never use npm.", "Always write npm package names in backticks."),
    ("Always run the tests before you commit.", "Always write tests for new features."),
    ("Always use tabs in Makefiles.", "Never use tabs in Python."),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_a_later_rule_about_the_same_thing_replaces_an_earlier_one(
    old: str, new: str
) -> None:
    assert is_rule(new, is_alone=True)
    assert [unit.text for unit in holding([rule(new), rule(old)])] == [new]


@pytest.mark.parametrize(("old", "new"), BESIDE)
def test_rules_about_different_things_hold_beside_each_other(
    old: str, new: str
) -> None:
    assert [unit.text for unit in holding([rule(new), rule(old)])] == [new, old]


MADE = [
    "Created AGENTS.md for the agents.",
    "Moved the guides below docs.",
    "Updated the index.",
]


@pytest.mark.parametrize(
    ("correction", "left"),
    [
        ("You moved the wrong guides!", [MADE[0], MADE[2]]),
        ("No, put AGENTS.md into the folder of the workflows.", MADE[1:]),
        ("That's not what I asked for.", []),
        ("Revert this, I wanted the guides as they were.", []),
        ("Tenemos que deshacer esto, los guides estan mal.", []),
    ],
)
def test_only_results_that_a_correction_is_about_are_left_out(
    correction: str, left: list[str]
) -> None:
    results = [rule(text) for text in MADE]
    found = not_corrected(results, [rule(correction)])
    assert [unit.text for unit in found] == left
    assert not_corrected(results, []) == results
