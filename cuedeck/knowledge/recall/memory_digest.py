"""Digest of the memory for a message: one line for each unit that answers it.

The digest is empty if it is uncertain that a unit is about the subject of the message,
because an agent reads it with every prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.knowledge.recall.rank_request import Request, UnitSearch
from cuedeck.knowledge.recall.recall_query import parse_query
from cuedeck.knowledge.recall.recall_sources import IndexUnfinished
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.recall_values import KINDS, REFERENCES
from cuedeck.store.cache.unit_filters import Filters
from cuedeck.store.clock import zoned_now

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.knowledge.recall.digest_lines import DigestLine
    from cuedeck.model.ports import Json
    from cuedeck.model.recall_values import UnitRow
    from cuedeck.model.settings_schema import Settings
    from cuedeck.store.cache.recall_index import RecallIndex
    from cuedeck.store.tokens.token_counter import Tokens

TOKENS = 400
"""Default limit of a digest."""
HEAD = "## Relevant memory\n\n"
MOST_LINES = 6
_LEAST_OF_EXPERIENCE = 3
"""Least number of words that an experience shares with a message where conversations
have statements.
"""


class Digest(NamedTuple):
    """The lines for a message."""

    lines: tuple[DigestLine, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The digest as Markdown; empty without lines."""
        if not self.lines:
            return ""
        return f"{HEAD}{self.rows}\n"

    @property
    def rows(self) -> str:
        """The lines as Markdown."""
        return "".join(line.row for line in self.lines)

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
    is_current: bool = False,
) -> Digest:
    """Return the lines that answer a message, best first, in at most `tokens` tokens.

    `known` are the keys of lines that were shown before; `hidden` are paths of files
    that the reader has. `kinds` limits the search to these kinds of units. The index of
    files must be up to date; with `is_current` another search has just updated that of
    recall. Each line is counted as a hit for dreaming.

    A hook gets no lines while the index lacks more than it may read; a maintenance run
    in the background reads the rest.

    Raises: StorageError, Stale.
    """
    text = replace_surrogates(message.strip())
    today = zoned_now().date()

    def search(index: RecallIndex, notes: Sequence[str]) -> Digest:
        with index.reading():
            filters = _filters(workspace.settings, index, kinds)
            request = Request(text, today, filters)
            lines = _find_lines(workspace, index, request, hidden, known)
        return Digest(_fitting(workspace.counter, lines, tokens), tuple(notes))

    try:
        digest = with_index(workspace, search, is_current=is_current)
    except IndexUnfinished:
        # Only a memory that has just grown by megabytes needs it.
        from cuedeck.store.files.background_process import start

        start(workspace.paths, "tick", ("memory", "tick"))
        return Digest()
    if digest.lines:
        # Most digests are empty.
        from cuedeck.knowledge.dreaming.count_recalls import count_answer

        count_answer(workspace, text, answer_of_digest(digest)["lines"], today)
    return digest


class _Sessions(dict[str, set[str]]):
    """Keys of the lines that each session of a server received."""


def digest_for_session(
    workspace: Workspace,
    message: str,
    *,
    session: str = "",
    tokens: int = 0,
) -> Json:
    """Return the JSON of the lines that answer a message and that the session did not
    receive yet; `tokens` 0 means the default limit.

    A server with one client needs no name of a session. Raises: StorageError, Stale.
    """
    settings_notes = workspace.refresh_for_recall()
    known = workspace.cached(_Sessions).setdefault(session, set())
    digest = memory_digest(workspace, message, tokens=tokens or TOKENS, known=known)
    known.update(digest.keys)
    digest = digest._replace(notes=(*digest.notes, *settings_notes))
    return answer_of_digest(digest)


def answer_of_digest(digest: Digest) -> Json:
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


def _filters(settings: Settings, index: RecallIndex, kinds: Sequence[str]) -> Filters:
    """Return the conditions on units: no statements, which have their own ranking, and
    where they exist no docs and cards; no messages, because a timeline contains the
    message itself; and experiences only if the settings show them to agents.

    A condition on units that the index does not have would take the search longer.
    """
    readers = index.readers()
    hidden: tuple[str, ...] = ()
    if "statements" in readers:
        hidden = ("statement", *REFERENCES)
    if "experiences" in readers and not settings.experiences.are_shown:
        hidden = (*hidden, "experience")
    if hidden and not kinds:
        kinds = [kind for kind in KINDS if kind not in hidden]
    has_messages = not readers.isdisjoint(("cortex", "timeline"))
    return Filters(tuple(kinds), without_messages=has_messages)


def _find_lines(
    workspace: Workspace,
    index: RecallIndex,
    request: Request,
    hidden: Collection[str],
    known: Collection[str],
) -> list[DigestLine]:
    """Return the lines that answer a message, best first. The caller holds a reading of
    the index.
    """
    query = parse_query(request.text, request.today, workspace.settings.recall.synonyms)
    # Counting the units that contain `the` would take as long as the search.
    query = query._replace(terms=tuple(query.searched()))
    search = UnitSearch(workspace.settings.recall, index, request, query)
    spread = search.statistics.spread
    has_words = any(spread(stem) for stem in query.content_stems())
    if not has_words and not query.since:
        return []
    # The memory has no word of many messages.
    from cuedeck.knowledge.recall.digest_lines import (
        make_lines,
        read_sentences,
        units_about,
    )

    sentences = read_sentences(query, search.statistics)
    if not sentences and not query.since:
        return []
    about = units_about(sentences, index.rows(search.matched()))
    ranked = [each for each in search.rank(about) if each.row.number in about]
    visible = [each for each in ranked if each.row.path not in hidden]
    if "statements" in index.readers():
        words = set(query.content_stems())
        visible = [each for each in visible if _adds_to_statements(each.row, words)]
    lines = make_lines(workspace, index, visible, sentences, search.hidden_keys)
    seen = set(known)
    new: list[DigestLine] = []
    for line in lines:
        if seen.isdisjoint(line.keys):
            new.append(line)
            if len(new) == MOST_LINES:
                break
        seen.update(line.keys)
    return new


def _adds_to_statements(row: UnitRow, words: set[str]) -> bool:
    """Return whether a unit says more than statements. A summary of a turn repeats
    them, and an experience must have enough words of the message.
    """
    if row.kind == "experience":
        return len(words.intersection(row.stems)) >= _LEAST_OF_EXPERIENCE
    return row.category != "turn-summary"


def _fitting(
    counter: Callable[[], Tokens], lines: Sequence[DigestLine], tokens: int
) -> tuple[DigestLine, ...]:
    kept = tuple(lines)
    while kept:
        text = Digest(kept).text
        # A token has at least one byte, so a short text needs no token counter, which
        # is slow to load.
        is_short = len(text.encode("utf-8", "replace")) <= tokens
        if is_short or counter().count(text) <= tokens:
            break
        kept = kept[:-1]
    return kept
