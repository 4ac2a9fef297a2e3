"""Digest of the memory for a message: one line for each unit that answers it.

The digest is empty if it is uncertain that a unit is about the subject of the message,
because an agent reads it with every prompt.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from cuedeck.app.dream.count_recalls import count_answer
from cuedeck.app.recall.recall import with_index
from cuedeck.app.recall.recall_answer import citation
from cuedeck.app.recall.search_period import local_time
from cuedeck.app.recall.search_units import Ranking, Request, rank_request
from cuedeck.app.search.search_hit import to_score
from cuedeck.model.entry_node import ENTRY_KINDS
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.recall_values import KINDS, Unit
from cuedeck.records.recall.best_sentence import best_sentence
from cuedeck.records.recall.recall_terms import read_stems
from cuedeck.records.recall.small_talk import needs_recall
from cuedeck.records.recall.sure_match import MessageWords, message_words
from cuedeck.scene.fence import code, quoted
from cuedeck.store.cache.recall_index import Filters
from cuedeck.store.clock import zoned_now

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.records.recall.rank_units import RankedUnit
    from cuedeck.store.cache.recall_index import RecallIndex

TOKENS = 400
"""Default limit of a digest."""
HEAD = "## Relevant memory\n\n"
MOST_LINES = 6
MOST_SESSIONS = 64
"""Sessions whose lines are kept; the one that asked least recently is forgotten."""
_MOST_LOOKED_AT = 30
"""Best units that are checked."""
_LEAST_SHARE = 0.8
"""Least share of the weight of the words that the best unit for a sentence covers."""
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
            label += f", {code(self.citation)}"
        text = quoted(self.text, _LONGEST)
        return f"- {text} ({label})\n"


class Digest(NamedTuple):
    """The lines for a message."""

    lines: tuple[DigestLine, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The digest as Markdown; empty without lines."""
        if not self.lines:
            return ""
        rows = "".join(line.row for line in self.lines)
        return f"{HEAD}{rows}\n"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(key for line in self.lines for key in line.keys)


def memory_digest(
    workspace: Workspace,
    message: str,
    *,
    tokens: int = TOKENS,
    known: Collection[str] = (),
    hidden: Collection[str] = (),
    kinds: Sequence[str] = (),
) -> Digest:
    """Return the lines that answer a message, best first, in at most `tokens` tokens.

    `known` are the keys of lines that were shown before; `hidden` are paths of files
    that the reader has. `kinds` limits the search to these kinds of units. The index of
    files must be up to date. Each line is counted as a hit for dreaming.

    Raises: StorageError, Stale.
    """
    if not needs_recall(message):
        return Digest()
    filters = Filters(_kinds(workspace, kinds))
    text = replace_surrogates(message.strip())
    request = Request(text, zoned_now().date(), filters, 0, 0, 0, False)

    def search(index: RecallIndex, notes: Sequence[str]) -> Digest:
        lines = _new_lines(_find_lines(workspace, index, request, hidden), known)
        return Digest(_fitting(workspace, lines[:MOST_LINES], tokens), tuple(notes))

    digest = with_index(workspace, search)
    shown = answer_of_digest(digest)["lines"]
    if shown:
        count_answer(workspace, text, shown, request.today)
    return digest


class DigestSessions:
    """Keys of the lines that each session of a server received."""

    def __init__(self) -> None:
        self._keys: OrderedDict[str, set[str]] = OrderedDict()

    def keys(self, session: str) -> set[str]:
        """Return the keys of a session, which the caller extends."""
        keys = self._keys.setdefault(session, set())
        self._keys.move_to_end(session)
        if len(self._keys) > MOST_SESSIONS:
            self._keys.popitem(last=False)
        return keys


def digest_for_session(
    workspace: Workspace, message: str, *, session: str = "", tokens: int = 0
) -> dict[str, Any]:
    """Return the JSON of the lines that answer a message and that the session did not
    receive yet; `tokens` 0 means the default limit.

    A server with one client needs no name of a session. Raises: StorageError, Stale.
    """
    settings_notes = workspace.refresh_for_recall()
    known = workspace.cached(DigestSessions).keys(session)
    digest = memory_digest(workspace, message, tokens=tokens or TOKENS, known=known)
    known.update(digest.keys)
    digest = digest._replace(notes=(*digest.notes, *settings_notes))
    return answer_of_digest(digest)


def answer_of_digest(digest: Digest) -> dict[str, Any]:
    """Return a digest as JSON."""
    lines = []
    for line in digest.lines:
        row = line._asdict()
        row["lines"] = list(line.lines)
        del row["keys"]
        if not line.citation:
            del row["citation"]
        lines.append(row)
    notes = list(digest.notes)
    return {"lines": lines, "digest": digest.text, "notes": notes}


def _new_lines(lines: Sequence[DigestLine], known: Collection[str]) -> list[DigestLine]:
    """Return the lines that have no known key, each text once."""
    seen = set(known)
    new = []
    for line in lines:
        if seen.isdisjoint(line.keys):
            new.append(line)
        seen.update(line.keys)
    return new


def _kinds(workspace: Workspace, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return the kinds to search, none for all; experiences only if the settings show
    them to agents.
    """
    if kinds or workspace.settings.experiences.are_shown:
        return tuple(kinds)
    return tuple(kind for kind in KINDS if kind != "experience")


def _find_lines(
    workspace: Workspace,
    index: RecallIndex,
    request: Request,
    hidden: Collection[str],
) -> list[DigestLine]:
    settings = workspace.settings.recall
    with index.reading():
        ranking = rank_request(workspace, index, request)
        words = message_words(ranking.query, ranking.statistics, settings.stemming)
        sure = _sure_units(ranking, words, hidden)
        units = index.units([each.candidate.number for each in sure])
    lines = []
    for each in sure:
        path, unit = units[each.candidate.number]
        text = best_sentence(unit.text, words.weights, _LONGEST, settings.stemming)
        place = citation(path, unit)
        address = place
        if unit.kind in ENTRY_KINDS and unit.id:
            address = f"{unit.kind}:{unit.id}"
        lines.append(
            DigestLine(
                text=text,
                address=address,
                path=path,
                kind=unit.kind,
                lines=(unit.start, unit.end),
                citation="" if settings.citations == "off" else place,
                date=local_time(unit.date)[:10],
                score=to_score(each.score),
                keys=_keys(workspace, unit, text),
            )
        )
    return lines


def _sure_units(
    ranking: Ranking, words: MessageWords, hidden: Collection[str]
) -> list[RankedUnit]:
    """Return the units that are about the message; all of the days that it names, if it
    consists of dates.
    """
    visible = [each for each in ranking.ranked if each.candidate.path not in hidden]
    ranked = visible[:_MOST_LOOKED_AT]
    if ranking.query.since and not words.sentences:
        return ranked
    covered = [words.covered(each.candidate.stems) for each in ranked]
    best = [max(row) for row in zip(*covered, strict=True)]
    return [
        each
        for each, row in zip(ranked, covered, strict=True)
        if any(
            weight and weight >= _LEAST_SHARE * most
            for weight, most in zip(row, best, strict=True)
        )
    ]


def _keys(workspace: Workspace, unit: Unit, text: str) -> tuple[str, ...]:
    stems = " ".join(read_stems(text))
    data = stems.encode("utf-8", "replace")
    digest = blake2b(data, digest_size=6)
    keys = [unit.id, digest.hexdigest()]
    if unit.kind == "experience":
        # The experience repeats its record, which a brief may contain. Most digests
        # contain no experience.
        from cuedeck.app.experiences.experience_repository import experiences_in

        same = (each for each in experiences_in(workspace) if each.id == unit.id)
        keys += [each.record for each in same]
    return tuple(filter(None, keys))


def _fitting(
    workspace: Workspace, lines: Sequence[DigestLine], tokens: int
) -> tuple[DigestLine, ...]:
    """Return the first lines that fit into the limit together."""
    kept = tuple(lines)
    while kept:
        text = Digest(kept).text
        if _fits(workspace, text, tokens):
            break
        kept = kept[:-1]
    return kept


def _fits(workspace: Workspace, text: str, tokens: int) -> bool:
    # A token has at least one byte, so a short text needs no token counter, which is
    # slow to load.
    if len(text.encode("utf-8", "replace")) <= tokens:
        return True
    return workspace.counter().count(text) <= tokens
