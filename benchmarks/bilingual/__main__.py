"""`python -m benchmarks.bilingual`: entries of a bilingual log that recall finds among
its first hits, by kind of question.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.recall_steps import Text, build_collection, search

FOLDER = Path(__file__).parent
TODAY = date(2026, 11, 21)
"""The Saturday after the last entry, on which all questions are asked."""
KINDS = ("words", "stems", "synonyms", "dates", "names")
HITS = 5
"""Hits of an answer that count."""
BAR = 0.85


def main() -> int:
    """Print the table; return 1 if the bar is missed."""
    texts = read_log()
    questions = read_questions()
    print(
        f"{len(questions)} questions over {len(texts)} entries: "
        f"share of the relevant entries among the first {HITS} hits\n"
    )
    print(f"| all | {' | '.join(KINDS)} | first hit relevant |")
    print("|---|" + "---|" * (len(KINDS) + 1))
    answers = answer_all(texts, questions)
    whole = recall_of(questions, answers)
    figures = [whole]
    for kind in KINDS:
        asked = [row for row in questions if row["kind"] == kind]
        figures.append(recall_of(asked, answers))
    firsts = [answers[row["question"]][:1] for row in questions]
    right = sum(
        bool(set(first).intersection(row["relevant"]))
        for first, row in zip(firsts, questions, strict=True)
    )
    figures.append(right / len(questions))
    print(f"| {' | '.join(f'{each:.3f}' for each in figures)} |")
    return int(whole < BAR)


def read_log() -> list[Text]:
    """Return the entries of the log; the id of an entry is its day and its place."""
    texts: list[Text] = []
    day, place = "", 0
    for line in (FOLDER / "log.md").read_text("utf-8").splitlines():
        if line.startswith("# "):
            day, place = line.removeprefix("# "), 0
        else:
            place += 1
            text = line.removeprefix("- ")
            texts.append(Text(f"{day}/{place}", f"memory/{day}.md", day, text))
    return texts


def read_questions() -> list[dict[str, Any]]:
    """Return the questions: `kind`, `question`, `relevant`."""
    lines = (FOLDER / "questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def answer_all(
    texts: Sequence[Text], questions: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """Return the ids of the hits of each question, best first."""
    collection = build_collection(texts)
    asked = [row["question"] for row in questions]
    return {each: search(collection, each, TODAY) for each in asked}


def recall_of(
    questions: Sequence[Mapping[str, Any]], answers: Mapping[str, Sequence[str]]
) -> float:
    """Return the mean share of the relevant entries among the first hits."""
    shares = []
    for row in questions:
        found = set(answers[row["question"]][:HITS])
        shares.append(len(found.intersection(row["relevant"])) / len(row["relevant"]))
    return sum(shares) / len(shares)


if __name__ == "__main__":
    sys.exit(main())
