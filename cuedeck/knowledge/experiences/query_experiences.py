"""Querying and listing of experiences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.ledger.kinds.experience_kind import (
    EXPERIENCE,
    experience_faults,
    rank_experiences,
    shown_experiences,
)
from cuedeck.model.errors import Invalid
from cuedeck.model.memory_record import category_of
from cuedeck.text.rank_texts import MAX_RESULTS

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.ledger.records.memory_files import MemoryFiles
    from cuedeck.model.ports import Json, JsonView
    from cuedeck.model.settings_schema import Settings

TOP = 8
GROUPINGS = ("category", "session")


def check_enabled(settings: Settings) -> None:
    """Raise Invalid, naming the setting, if experiences are disabled."""
    if not settings.experiences.enabled:
        hint = "`enabled = true` under `[experiences]` in .cuedeck/config.toml enables them"
        raise Invalid("experiences are disabled (experiences.enabled)", hint=hint)


def query_experiences(
    workspace: Workspace,
    memory: MemoryFiles,
    query: str,
    *,
    top: int = TOP,
    by: str = "",
) -> Json:
    """Return the experiences that match a query, best first; with `by` also their
    groups.

    Raises: Invalid, StorageError.
    """
    if not query.strip():
        raise Invalid(
            "the query is empty",
            hint='cuedeck experience query "what about the login?"',
        )
    if not 1 <= top <= MAX_RESULTS:
        raise Invalid(
            f"the number of results must be between 1 and {MAX_RESULTS}, got {top}",
            hint="give --top 8, for example",
        )
    rows = []
    how = workspace.settings.experiences.similarity
    for experience, score in rank_experiences(memory, query, top, how):
        fields = EXPERIENCE.row(experience)
        row = {"id": fields.pop("id"), "text": fields.pop("text"), "score": score}
        rows.append(row | fields)
    return {"results": rows, **_groups(rows, by), "problems": _problems(memory)}


def list_experiences(
    memory: MemoryFiles, *, category: str = "", session: str = "", by: str = ""
) -> Json:
    """Return the experiences in file order, the newest last. Raises: Invalid,
    StorageError.
    """
    rows = []
    for each in shown_experiences(memory):
        if category in ("", each.category) and session in ("", each.session):
            rows.append(EXPERIENCE.row(each))
    return {"experiences": rows, **_groups(rows, by), "problems": _problems(memory)}


def _problems(memory: MemoryFiles) -> list[Json]:
    return [fault._asdict() for fault in experience_faults(memory)]


def _groups(rows: Sequence[JsonView], by: str) -> Json:
    if not by:
        return {}
    if by not in GROUPINGS:
        raise Invalid(
            f"experiences cannot be grouped by `{by}`",
            hint=f"group by {' or '.join(GROUPINGS)}",
        )
    ids: dict[str, list[str]] = {}
    for row in rows:
        ids.setdefault(row[by] or "", []).append(row["id"])
    groups = []
    for name, members in ids.items():
        title = f"of session {name}" if name else "of no session"
        if by == "category":
            title = f"about {category_of(name).title or name}"
        groups.append({"name": name, "title": f"Experiences {title}", "ids": members})
    return {"groups": groups}
