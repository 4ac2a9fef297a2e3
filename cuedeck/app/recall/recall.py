"""One search over everything that holds knowledge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from cuedeck.app.dream.count_recalls import count_answer
from cuedeck.app.recall.open_recall import open_recall
from cuedeck.app.recall.qmd_search import search_qmd
from cuedeck.app.recall.search_period import search_period
from cuedeck.app.recall.search_units import Request, search_units
from cuedeck.app.recall.sync_index import sync_index
from cuedeck.model.errors import StorageError, UsageError
from cuedeck.model.formatting import replace_surrogates
from cuedeck.parse.plain_text import is_blank
from cuedeck.store.cache.recall_index import Filters
from cuedeck.store.clock import zoned_now
from cuedeck.store.index.schema import DAMAGE, is_broken

if TYPE_CHECKING:
    from cuedeck.app.workspace import Workspace
    from cuedeck.store.cache.recall_index import RecallIndex

Answer = TypeVar("Answer")


def recall(
    workspace: Workspace,
    text: str,
    *,
    since: str = "",
    until: str = "",
    kinds: Sequence[str] = (),
    category: str = "",
    session: str = "",
    limit: int = 0,
    offset: int = 0,
    tokens: int = 0,
    explain: bool = False,
) -> dict[str, Any]:
    """Return the units that match a query, best first.

    `since` and `until` are days or ages as in `card list`; `limit` 0 means the limit of
    the settings; `tokens` limits the size of all hits together, 0 for no limit. Secret
    and superseded records are never returned. The hits are counted for dreaming.

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
    request = Request(
        text,
        now.date(),
        Filters(tuple(kinds), category, session, period),
        limit or workspace.settings.recall.limit,
        offset,
        tokens,
        explain,
    )
    qmd_notes: tuple[str, ...] = ()
    if workspace.settings.memory.backend != "builtin":
        found = search_qmd(workspace, request.text)
        request = request._replace(places=found.results)
        qmd_notes = found.notes
    answer = with_index(
        workspace, lambda index, notes: _search(workspace, index, notes, request)
    )
    count_answer(workspace, text, answer["hits"], request.today)
    return {**answer, "notes": [*answer["notes"], *settings_notes, *qmd_notes]}


def with_index(
    workspace: Workspace, search: Callable[[RecallIndex, Sequence[str]], Answer]
) -> Answer:
    """Return the result of a search in the index, which is up to date then; a corrupt
    index is built again.

    The notes that the search receives say what could not be indexed. Raises:
    StorageError, Stale.
    """
    return workspace.settled(lambda: _with_index(workspace, search))


def _with_index(
    workspace: Workspace, search: Callable[[RecallIndex, Sequence[str]], Answer]
) -> Answer:
    index = open_recall(workspace).index(workspace)
    try:
        return search(index, sync_index(workspace, index))
    except DAMAGE as error:
        if not is_broken(error):
            message = f"the index of recall cannot be read: {error}"
            hint = "run the command again; `cuedeck clean` removes the index"
            raise StorageError(message, hint=hint) from error
    index = open_recall(workspace).index(workspace)
    index.start_over(in_memory=False)
    return search(index, sync_index(workspace, index))


def _search(
    workspace: Workspace, index: RecallIndex, notes: Sequence[str], request: Request
) -> dict[str, Any]:
    answer = open_recall(workspace).answer(
        request,
        lambda: search_units(workspace, index, request),
    )
    return {**answer, "notes": [*answer["notes"], *notes]}
