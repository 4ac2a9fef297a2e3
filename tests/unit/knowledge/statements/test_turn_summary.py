"""The summary of a turn: request, results, decisions, findings and open steps."""

from __future__ import annotations

import pytest

from cuedeck.knowledge.statements.turn_summary import CHARACTERS, summarize_turn
from cuedeck.model.statement import LONGEST, Speaker, Statement


def said(kind: str, text: str, speaker: Speaker = "agent") -> Statement:
    return Statement(kind, speaker, text, 1)


ASK = said("message", "Print the pricelist in two columns", "user")
DONE = said("done", "Fixed the layout of the pricelist.")


@pytest.mark.parametrize(
    ("statements", "summary"),
    [
        (
            [
                ASK,
                said("message", "The pricelist is a table."),
                said("open", "The page break is missing."),
                DONE,
                said("decision", "CSS columns instead of a table."),
                said("failed", "Last test result: 2 failed", "tool"),
                said("done", "Edited `src/pricelist.ts`", "tool"),
                said("open", "To do: Test it", "tool"),
            ],
            (
                "Asked: Print the pricelist in two columns."
                " Done: Fixed the layout of the pricelist. Edited `src/pricelist.ts`."
                " Decided: CSS columns instead of a table."
                " Found: Last test result: 2 failed."
                " To do: The page break is missing. To do: Test it."
            ),
        ),
        (
            [ASK, said("message", "It has two already.")],
            "Asked: Print the pricelist in two columns. It has two already.",
        ),
        ([said("message", "ok, go on", "user"), DONE], f"Done: {DONE.text}"),
        (
            [said("rule", "Always use pnpm in this repository.", "user")],
            "Asked: Always use pnpm in this repository.",
        ),
        ([ASK], ""),
        ([], ""),
    ],
)
def test_a_turn_of_substance_has_a_summary(
    statements: list[Statement], summary: str
) -> None:
    assert summarize_turn(statements) == summary


def test_a_summary_is_limited_and_cuts_no_statement() -> None:
    asked = said("message", "a " * (LONGEST // 2), "user")
    kinds = ("done", "decision", "finding", "open")
    every = [said(kind, f"{kind} {'x ' * 50}end.") for kind in kinds]
    summary = summarize_turn([asked, *every])
    assert asked.text in summary and len(summary) <= CHARACTERS
    assert [each.text in summary for each in every] == [True, True, False, False]
