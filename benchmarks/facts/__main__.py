"""`python -m benchmarks.facts FOLDER`: facts that were remembered in a repository with
docs of its own, asked in other words.

The folder holds a clone or a checkout of each repository, named `owner+name`. Its
Markdown files are the docs of a workspace; the facts of the repository are remembered
in it, each as a record, preference, experience, decision or failed attempt. The figures
are the shares of the facts that are the first hit of their question, and one of the
first three. Even rows of `facts.jsonl` are for tuning, odd ones for checking.

The same is measured for every entry of ten daily logs, asked with its first words.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.lab import Lab
from benchmarks.recall_client import RecallClient

BARS = {1: 0.85, 3: 0.95}
"""Number of hits, and the share of the facts that are among them."""
_MOST = 10
_FIRST_WORDS = 5
_LOGS = Path(__file__).parent / "logs.md"
_DOCS = (".md", ".rst", ".txt")
Fact = Mapping[str, Any]


def main() -> int:
    """Print the table; return 1 if a bar is missed."""
    asked = _arguments()
    lines = (Path(__file__).parent / "facts.jsonl").read_text("utf-8").splitlines()
    facts = [json.loads(line) for line in lines]
    print("| first | three | first, by half | three, by half | logs |")
    print("|---|---|---|---|---|")
    is_met = True
    with Lab() as lab:
        clients = {
            name: _remember(lab, Path(asked.folder), name, facts)
            for name in dict.fromkeys(fact["repository"] for fact in facts)
        }
        logs = _write_logs(Path(lab.folder) / "logs")
        places = [_place(clients[fact["repository"]], fact) for fact in facts]
        shown = []
        for most, bar in BARS.items():
            whole = _share(places, most)
            is_met &= whole >= bar
            shown.append(f"{whole:.3f}")
        for most in BARS:
            one, two = (_share(places[half::2], most) for half in (0, 1))
            shown.append(f"{one:.2f} {two:.2f}")
        of_logs = [_place(logs, entry) for entry in _log_entries()]
        shown.append(" ".join(f"{_share(of_logs, most):.2f}" for most in BARS))
        print(f"| {' | '.join(shown)} |")
        if asked.misses:
            _print_misses(facts, places)
    return int(not is_met)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.facts")
    parser.add_argument("folder")
    parser.add_argument("--misses", action="store_true", help="print the others")
    return parser.parse_args()


def _remember(lab: Lab, folder: Path, name: str, facts: Sequence[Fact]) -> RecallClient:
    """Make the workspace of a repository, with its docs and its facts."""
    root = Path(lab.folder) / name.replace("/", "+")
    source = folder / root.name
    for place in source.rglob("*"):
        if place.suffix in _DOCS and ".git" not in place.parts and place.is_file():
            target = root / place.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(place, target)
    lab.launch.run(lab.launch.cuedeck("init"), str(root))
    for fact in facts:
        if fact["repository"] == name:
            lab.launch.run(lab.launch.cuedeck(*_command(fact)), str(root))
    return RecallClient(root)


def _write_logs(root: Path) -> RecallClient:
    """Make a workspace with the daily logs."""
    memory = root / ".cuedeck/memory"
    memory.mkdir(parents=True)
    for section in _LOGS.read_text("utf-8").split("\n# "):
        text = section.removeprefix("# ")
        day = text.partition("\n")[0]
        (memory / f"{day}.md").write_text(f"# {text}", "utf-8")
    return RecallClient(root)


def _log_entries() -> list[Fact]:
    """Return each entry of the logs with its first words as the question."""
    entries = []
    for line in _LOGS.read_text("utf-8").splitlines():
        if line.startswith("- "):
            text = line.removeprefix("- ")
            question = " ".join(text.split()[:_FIRST_WORDS])
            entries.append({"text": text, "question": question})
    return entries


def _command(fact: Fact) -> list[str]:
    text, reason = fact["text"], fact.get("reason", "")
    return {
        "record": ["remember", text],
        "preference": ["memory", "add", "--category", "user-preference", text],
        "experience": ["experience", "add", "--category", "learned", text],
        "decision": ["decide", text, "--because", reason],
        "attempt": [
            "attempt",
            "add",
            "--on",
            "README.md",
            "--tried",
            text,
            "--failed",
            reason,
        ],
    }[fact["kind"]]


def _place(client: RecallClient, fact: Fact) -> int:
    """Return the place of a fact among the hits of its question, 0 if it is none."""
    hits = client.answer(fact["question"], limit=_MOST)["hits"]
    for place, hit in enumerate(hits, 1):
        if fact["text"] in hit["snippet"]:
            return place
    return 0


def _share(places: Sequence[int], most: int) -> float:
    return sum(0 < place <= most for place in places) / len(places)


def _print_misses(facts: Sequence[Fact], places: Sequence[int]) -> None:
    for fact, place in zip(facts, places, strict=True):
        if place != 1:
            print(f"    {place or '-'}: {fact['question']} <- {fact['text']}")


if __name__ == "__main__":
    sys.exit(main())
