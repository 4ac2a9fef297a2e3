"""`python -m benchmarks.locomo FOLDER`: evidence that recall finds in long
conversations, within a number of tokens.

The conversations are daily logs of a workspace. Every question is asked by `cuedeck
recall --tokens` and by the tool of an MCP client, and the printed text is scored.

The folder holds `corpus.jsonl` and `qrels.jsonl` of LoCoMo (Maharana et al. 2024). Its
licence allows evaluation, but no copy in this repository. The environment variable
`CUEDECK_LOCOMO` names the folder, too.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.lab import Lab
from benchmarks.recall_client import RecallClient, asked_by_tool

BARS = {500: 0.77, 1_000: 0.83, 2_000: 0.88}
"""Tokens of the printed text, and the share of evidence that it contains."""
_MARK = re.compile(r"\[(D\d+:\d+)\] ")
Ask = Callable[[str, int], str]
Question = Mapping[str, Any]


def main() -> int:
    """Print the table; return 1 if a bar is missed."""
    asked = _arguments()
    folder = Path(asked.folder)
    rows = _rows(folder / "corpus.jsonl")
    lengths = {row["conversation"]: _lengths(row) for row in rows}
    questions = [row for row in _rows(folder / "qrels.jsonl") if not row["adversarial"]]
    questions = questions[:: asked.every]
    print(f"{len(questions)} questions over {len(rows)} conversations")
    print("| asked by | R@500 | R@1,000 | R@2,000 |")
    print("|---|---|---|---|")
    with Lab() as lab:
        clients = {
            row["conversation"]: _write(Path(lab.folder) / row["conversation"], row)
            for row in rows
        }
        with _ways(clients, lab) as ways:
            rows_met = _print_rows(ways, questions, lengths)
    return int(not rows_met)


def _print_rows(
    ways: Mapping[str, Mapping[str, Ask]],
    questions: Sequence[Question],
    lengths: Mapping[str, Mapping[str, int]],
) -> bool:
    """Print a row for each way of asking; return whether all meet the bars."""
    is_met = True
    for label, ask in ways.items():
        shares = []
        for row in questions:
            name = row["conversation"]
            texts = (ask[name](row["question"], tokens) for tokens in BARS)
            shares.append([_share(text, row, lengths[name]) for text in texts])
        figures = [sum(each) / len(each) for each in zip(*shares, strict=True)]
        for figure, bar in zip(figures, BARS.values(), strict=True):
            is_met = is_met and figure >= bar
        shown = " | ".join(f"{figure:.3f}" for figure in figures)
        print(f"| {label} | {shown} |", flush=True)
    return is_met


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.locomo")
    folder = os.environ.get("CUEDECK_LOCOMO", "")
    parser.add_argument("folder", nargs="?" if folder else None, default=folder)
    parser.add_argument("--every", type=int, default=1, help="every Nth question")
    return parser.parse_args()


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _lengths(row: Mapping[str, Any]) -> dict[str, int]:
    """Return the number of characters of each turn."""
    return {
        turn["dia_id"]: len(_text(turn))
        for session in row["sessions"]
        for turn in session["turns"]
    }


def _text(turn: Mapping[str, Any]) -> str:
    text = f"{turn['speaker']}: {turn['text']}"
    return f"{text} (shared {turn['caption']})" if turn.get("caption") else text


def _write(root: Path, row: Mapping[str, Any]) -> RecallClient:
    """Write a conversation as a workspace, each session as a daily log."""
    memory = root / ".cuedeck/memory"
    memory.mkdir(parents=True)
    for session in row["sessions"]:
        turns = (f"- [{turn['dia_id']}] {_text(turn)}\n" for turn in session["turns"])
        day = session["date"]
        (memory / f"{day}.md").write_text(f"# {day}\n\n{''.join(turns)}", "utf-8")
    return RecallClient(root)


@contextmanager
def _ways(
    clients: Mapping[str, RecallClient], lab: Lab
) -> Iterator[Mapping[str, Mapping[str, Ask]]]:
    """Give the ways of asking, each as a function by conversation."""
    with ExitStack() as stack:
        servers = {
            name: stack.enter_context(client.server(lab))
            for name, client in clients.items()
        }
        yield {
            "command": {name: each.command for name, each in clients.items()},
            "MCP tool": {
                name: partial(asked_by_tool, each) for name, each in servers.items()
            },
        }


def _share(text: str, row: Question, lengths: Mapping[str, int]) -> float:
    """Return the share of the evidence in a text; a turn counts if at least half of it
    is there.
    """
    marks = list(_MARK.finditer(text))
    found = set()
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(text)
        turn = text[mark.end() : end].partition("\n")[0]
        length = lengths.get(mark[1], 0)
        if length and 2 * len(turn) >= length:
            found.add(mark[1])
    evidence: Sequence[str] = row["evidence"]
    return len(found.intersection(evidence)) / len(evidence)


if __name__ == "__main__":
    sys.exit(main())
