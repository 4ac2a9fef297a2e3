"""Lines of a digest: for each unit that is about a message, the sentence that answers
it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.best_sentence import best_sentence
from cuedeck.knowledge.recall.message_match import stem_weights
from cuedeck.knowledge.recall.recall_answer import (
    address_of,
    citation,
    printable_citation,
    unit_path,
)
from cuedeck.knowledge.recall.search_period import local_time
from cuedeck.parse.fence import code, quoted
from cuedeck.text.bm25 import to_score
from cuedeck.text.stop_words import is_stop_word
from cuedeck.text.words import read_stems

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.message_match import Sentence
    from cuedeck.knowledge.recall.recall_candidate import RankedUnit
    from cuedeck.model.recall_values import Unit
    from cuedeck.store.cache.recall_index import RecallIndex

_READ_AT_ONCE = 6
"""Units that are read at once: most digests need no more."""
_LONGEST = 240
"""Maximum characters of a sentence."""


class DigestLine(NamedTuple):
    """One line of a digest."""

    text: str
    """The sentence that answers the message."""
    address: str
    path: str
    kind: str
    lines: tuple[int, int]
    citation: str
    """Place that `read` opens; empty if the settings hide citations."""
    date: str
    score: float
    keys: tuple[str, ...]
    """Id of the entry, if it has one, hash of the sentence, and id of the record of an
    experience: a session that knows one of them knows the line.
    """

    @property
    def row(self) -> str:
        """The line as quoted Markdown."""
        label = self.kind
        if self.date:
            label += f" {self.date}"
        if self.citation:
            label += f", {code(printable_citation(self.citation))}"
        text = quoted(self.text, _LONGEST)
        return f"- {text} ({label})\n"


def make_lines(
    workspace: Workspace,
    index: RecallIndex,
    ranked: Sequence[RankedUnit],
    sentences: Sequence[Sentence],
    secret_keys: Collection[bytes],
) -> Iterator[DigestLine]:
    """Yield the lines of units that are about a message, best first.

    `secret_keys` are the keys of secret texts, which no line shows. The caller holds a
    reading of the index.
    """
    weights = stem_weights(sentences)
    for start in range(0, len(ranked), _READ_AT_ONCE):
        read = ranked[start : start + _READ_AT_ONCE]
        units = index.units([each.candidate.number for each in read])
        for each in read:
            path, unit = units[each.candidate.number]
            line = _make_line(workspace, path, unit, each.score, weights, secret_keys)
            if line.text:
                yield line


def _with_heading(text: str, heading: str) -> str:
    """Return a text that has no word of the message below the heading that has one;
    empty if the text consists of stop words.
    """
    has_content = not all(map(is_stop_word, read_stems(text)))
    if not has_content:
        return ""
    return f"{heading}: {text}" if heading else text


def _nearest_heading(unit: Unit, weights: Mapping[str, float], stemming: bool) -> str:
    """Return the nearest heading above a unit that has a word of the message; empty if
    none has one.
    """
    for heading in reversed(unit.title.split(" > ")):
        if _has_word(heading, weights, stemming):
            return heading
    return ""


def _has_word(text: str, weights: Mapping[str, float], stemming: bool) -> bool:
    stems = read_stems(text, stemming)
    return not weights.keys().isdisjoint(stems)


def _make_line(
    workspace: Workspace,
    path: str,
    unit: Unit,
    score: int,
    weights: Mapping[str, float],
    secret_keys: Collection[bytes],
) -> DigestLine:
    """Return the line of a unit that answers a message; its text is empty if it is
    secret.
    """
    settings = workspace.settings.recall
    stemming = settings.stemming

    def best(passage: str) -> str:
        return best_sentence(passage, weights, _LONGEST, stemming, secret_keys)

    path = unit_path(path, unit)
    text = best(unit.text)
    shown = text
    # A message that names days alone has no weights.
    if weights and not _has_word(text, weights, stemming):
        heading = best(_nearest_heading(unit, weights, stemming))
        shown = _with_heading(text, heading)
    place = citation(path, unit)
    return DigestLine(
        text=shown,
        address=address_of(path, unit),
        path=path,
        kind=unit.kind,
        lines=(unit.start, unit.end),
        citation="" if settings.citations == "off" else place,
        date=local_time(unit.date)[:10],
        score=to_score(score),
        keys=_keys(workspace, unit, text),
    )


def _keys(workspace: Workspace, unit: Unit, text: str) -> tuple[str, ...]:
    stems = " ".join(read_stems(text))
    data = stems.encode("utf-8", "replace")
    # `hashlib` would load OpenSSL, which takes longer than the other lines.
    from _blake2 import blake2b

    digest = blake2b(data, digest_size=6)
    keys = [unit.id, digest.hexdigest()]
    if unit.kind == "experience":
        # The experience repeats its record, which a brief may contain. Most digests
        # contain no experience.
        from cuedeck.ledger.kinds.experience_kind import experiences_in

        same = (each for each in experiences_in(workspace) if each.id == unit.id)
        keys += [each.record for each in same]
    return tuple(filter(None, keys))
