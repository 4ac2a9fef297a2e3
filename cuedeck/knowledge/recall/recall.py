"""One search over everything that holds knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cuedeck.knowledge.dreaming.count_recalls import count_answer
from cuedeck.knowledge.recall.rank_request import Request
from cuedeck.knowledge.recall.recall_answer import answer_text, no_match
from cuedeck.knowledge.recall.search_period import search_period
from cuedeck.knowledge.recall.search_units import search_units
from cuedeck.knowledge.recall.sync_index import with_index
from cuedeck.model.errors import UsageError
from cuedeck.model.formatting import replace_surrogates
from cuedeck.store.cache.unit_filters import Filters
from cuedeck.store.clock import zoned_now
from cuedeck.text.plain_text import is_blank

__all__ = ["answer_text", "no_match", "recall"]

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

_MOST_HITS = 500
"""Largest number of hits of one answer."""
_LEAST_TOKENS = 10
"""Fewest tokens of a printed hit."""


def recall(
    workspace: Workspace,
    text: str,
    *,
    since: str = "",
    until: str = "",
    kinds: Sequence[str] = (),
    category: str = "",
    session: str = "",
    below: str = "",
    limit: int = 0,
    offset: int = 0,
    tokens: int = 0,
    explain: bool = False,
    as_json: bool = False,
) -> dict[str, Any]:
    """Return the units that match a query, best first.

    `since` and `until` are days or ages as in `card list`; `below` is the path of the
    file or folder to search; `tokens` limits the size of the printed answer, as JSON or
    as text, 0 for no limit; `limit` 0 means as many hits as fit, else the limit of the
    settings. Secret and superseded records are
    never returned. The hits are counted for dreaming.

    A workspace that stays open keeps its last valid settings while `config.toml` is
    invalid; a note says so. Raises: UsageError for an empty query and for dates that
    are no period, Invalid for a query without words, ConfigurationError, StorageError,
    Stale.
    """
    if is_blank(text):
        raise UsageError("the query is empty", hint="give words to search for")
    settings_notes = workspace.refresh_for_recall()
    text = replace_surrogates(text.strip())
    now = zoned_now()
    period = search_period(since, until, now)
    fitting = min(-(-tokens // _LEAST_TOKENS), _MOST_HITS)
    request = Request(
        text,
        now.date(),
        Filters(tuple(kinds), category, session, period, below),
        limit or fitting or workspace.settings.recall.limit,
        offset,
        tokens,
        explain,
        as_json,
    )
    qmd_notes: tuple[str, ...] = ()
    if workspace.settings.memory.backend != "builtin":
        # Few users have chosen another search.
        from cuedeck.knowledge.recall.qmd_search import search_qmd

        found = search_qmd(workspace, request.text)
        request = request._replace(places=found.results)
        qmd_notes = found.notes

    def search(index: RecallIndex, notes: Sequence[str]) -> dict[str, Any]:
        answer = search_units(workspace, index, request)
        return {**answer, "notes": [*answer["notes"], *notes]}

    answer = with_index(workspace, search)
    count_answer(workspace, text, answer["hits"], request.today)
    return {**answer, "notes": [*answer["notes"], *settings_notes, *qmd_notes]}
