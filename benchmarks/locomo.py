"""`python -m benchmarks.locomo FOLDER`: evidence that recall finds in long
conversations, within a number of tokens.

The folder holds `corpus.jsonl` and `qrels.jsonl` of LoCoMo (Maharana et al. 2024). Its
licence allows evaluation, but no copy in this repository. The environment variable
`CUEDECK_LOCOMO` names the folder, too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.recall_steps import (
    Collection,
    Text,
    build_collection,
    search,
    settings_without,
    variants,
)
from cuedeck.model.settings_schema import RecallSettings

BARS = {500: 0.76, 1_000: 0.83, 2_000: 0.88}
"""Tokens, and the share of evidence that recall finds within them."""
CHARACTERS_PER_TOKEN = 4
_MOST_BLOCKS = 150
_LINES_BEFORE = 3


class Block(NamedTuple):
    """One turn as a reader sees it."""

    id: str
    citation: str
    text: str

    @property
    def cost(self) -> int:
        """Characters with the citation and two line ends."""
        return len(self.citation) + len(self.text) + 2


class Conversation(NamedTuple):
    """One conversation as a collection."""

    blocks: Mapping[str, Block]
    collection: Collection
    unstemmed: Collection
    today: date
    """The day after the last session."""


def main() -> int:
    """Print the table; return 1 if a bar is missed."""
    asked = _arguments()
    folder = Path(asked.folder)
    conversations = {
        row["conversation"]: _read_conversation(row)
        for row in _rows(folder / "corpus.jsonl")
    }
    questions = [row for row in _rows(folder / "qrels.jsonl") if not row["adversarial"]]
    names = sorted(conversations)
    print(f"{len(questions)} questions over {len(names)} conversations")
    print("| ranking | R@500 | R@1,000 | R@2,000 | R@1,000 by conversation |")
    print("|---|---|---|---|---|")
    is_met = True
    for label, settings in variants():
        answers = {
            row["qid"]: _answer(conversations[row["conversation"]], row, settings)
            for row in questions
        }
        whole = _recall(questions, answers)
        parts = [
            _recall([row for row in questions if row["conversation"] == name], answers)
            for name in names
        ]
        figures = " | ".join(f"{whole[tokens]:.3f}" for tokens in BARS)
        by_name = " ".join(f"{part[1_000]:.3f}" for part in parts)
        print(f"| {label} | {figures} | {by_name} |", flush=True)
        if label == "all steps":
            is_met = all(whole[tokens] >= bar for tokens, bar in BARS.items())
            if asked.only_all:
                break
    if asked.run:
        _write_run(Path(asked.run), folder, conversations)
    return int(not is_met)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo")
    folder = os.environ.get("CUEDECK_LOCOMO", "")
    parser.add_argument("folder", nargs="?" if folder else None, default=folder)
    parser.add_argument("--run", help="file for the answers, one line a question")
    parser.add_argument("--only-all", action="store_true", help="skip the other rows")
    return parser.parse_args()


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _read_conversation(row: Mapping[str, Any]) -> Conversation:
    texts = []
    blocks: dict[str, Block] = {}
    for session in row["sessions"]:
        day = session["date"]
        path = f"memory/{day}.md"
        for line, turn in enumerate(session["turns"], _LINES_BEFORE):
            text = f"{turn['speaker']}: {turn['text']}"
            if turn.get("caption"):
                text += f" (shared {turn['caption']})"
            identity = turn["dia_id"]
            citation = f"{path}#L{line}-L{line}"
            blocks[identity] = Block(identity, citation, f"- [{identity}] {text}")
            texts.append(Text(identity, path, day, text, turn["speaker"]))
    return Conversation(
        blocks,
        build_collection(texts),
        build_collection(texts, stemming=False),
        date.fromisoformat(texts[-1].date) + timedelta(days=1),
    )


def _answer(
    conversation: Conversation, row: Mapping[str, Any], settings: RecallSettings
) -> list[Block]:
    collection = (
        conversation.collection if settings.stemming else conversation.unstemmed
    )
    found = search(collection, row["question"], conversation.today, settings)
    return [conversation.blocks[identity] for identity in found[:_MOST_BLOCKS]]


def _recall(
    questions: Sequence[Mapping[str, Any]], answers: Mapping[str, Sequence[Block]]
) -> dict[int, float]:
    """Return the mean share of evidence within each number of tokens."""
    return {
        tokens: sum(
            _share(answers[row["qid"]], row["evidence"], tokens) for row in questions
        )
        / len(questions)
        for tokens in BARS
    }


def _share(blocks: Sequence[Block], evidence: Sequence[str], tokens: int) -> float:
    """Return the share of the evidence in the first blocks. The last block is cut to
    fit, and counts if half of it is left.
    """
    room = tokens * CHARACTERS_PER_TOKEN
    found = set()
    for block in blocks:
        room -= block.cost
        if room >= 0 or -room <= len(block.text) / 2:
            found.add(block.id)
        if room < 0:
            break
    return len(found.intersection(evidence)) / len(evidence)


def _write_run(
    path: Path, folder: Path, conversations: Mapping[str, Conversation]
) -> None:
    """Write the answers to all questions in the format of the scorer of LoCoMo."""
    settings = settings_without("")
    with path.open("w", encoding="utf-8") as file:
        for row in _rows(folder / "qrels.jsonl"):
            started = time.perf_counter()
            blocks = _answer(conversations[row["conversation"]], row, settings)
            milliseconds = (time.perf_counter() - started) * 1_000
            shown = [
                {"citation": block.citation, "text": block.text} for block in blocks
            ]
            answer = {"all": {"ms": round(milliseconds, 3), "blocks": shown}}
            file.write(json.dumps({"qid": row["qid"], "k": answer}) + "\n")


if __name__ == "__main__":
    sys.exit(main())
