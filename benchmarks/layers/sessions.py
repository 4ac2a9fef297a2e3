"""Share of the evidence turns of LoCoMo that the extract of their session contains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.layers.data import Rows
from benchmarks.layers.estimate import BytesBySize
from cuedeck.knowledge.layers.timeline_layers import (
    Message,
    extract_text,
    timeline_layers,
)
from cuedeck.text.sentences import split_sentences

_LEAST_CHARACTERS = 12
"""A shorter sentence, such as `Thanks!`, does not show that its turn is present."""
HELD_OUT = ("44", "47", "48", "49", "50")
"""Conversations that no parameter was chosen on."""
_COUNT = BytesBySize()

Turns = Sequence[tuple[str, str, str]]
View = Callable[[str, Turns], str]


class Kept(NamedTuple):
    """Mean share of evidence turns of which something is in the extract."""

    any_sentence: float
    half: float
    """The same for turns of which at least half is in the extract."""
    questions: int


def lead(limit: int) -> View:
    """Return the view that shows the first sentences."""

    def view(date: str, turns: Turns) -> str:
        text = ""
        for _, speaker, words in turns:
            for sentence in split_sentences(words):
                longer = f"{text}{speaker}: {sentence}\n"
                if _COUNT.count(longer) > limit:
                    return text
                text = longer
        return text

    return view


def extract(limit: int) -> View:
    """Return the view that shows the extract of the product."""

    def view(date: str, turns: Turns) -> str:
        return extract_text(_messages(turns), _COUNT, limit)

    return view


def abstract(date: str, turns: Turns) -> str:
    """Return the abstract of a session, with its head."""
    return timeline_layers(date, _messages(turns), _COUNT).abstract


def _messages(turns: Turns) -> list[Message]:
    return [Message(turn, "", speaker, text) for turn, speaker, text in turns]


def measure(rows: Rows, view: View, part: str) -> Kept:
    """Return the evidence kept in a part of the conversations: `tuned`, `held-out` or
    `all`.
    """
    shown: dict[str, dict[str, float]] = defaultdict(dict)
    questions: list[Mapping[str, Any]] = []
    for row in rows:
        name = row["conversation"]
        if part != "all" and (name in HELD_OUT) != (part == "held-out"):
            continue
        if "query" in row:
            questions.append(row)
        else:
            turns = [(turn, speaker, text) for turn, speaker, text in row["turns"]]
            shares = _shares(view(str(row["date"]), turns), turns)
            shown[name].update(shares)
    found = list(_found(questions, shown))
    return Kept(
        sum(one for one, _ in found) / len(found),
        sum(half for _, half in found) / len(found),
        len(found),
    )


def _shares(text: str, turns: Turns) -> Iterator[tuple[str, float]]:
    """Yield the share of each turn whose sentences are in a text."""
    for turn, _, words in turns:
        sentences = split_sentences(words)
        size = sum(map(len, sentences))
        kept = sum(
            len(each)
            for each in sentences
            if each in text and (len(each) >= _LEAST_CHARACTERS or len(sentences) == 1)
        )
        yield turn, kept / size if size else 0.0


def _found(
    questions: Sequence[Mapping[str, Any]], shown: Mapping[str, Mapping[str, float]]
) -> Iterator[tuple[float, float]]:
    for row in questions:
        evidence = row["evidence"]
        shares = [shown[row["conversation"]].get(turn, 0.0) for turn in evidence]
        total = len(evidence)
        yield (
            sum(share > 0 for share in shares) / total,
            sum(share >= 0.5 for share in shares) / total,
        )
