"""Facts in the words of a command that the settings name; where it fails, the rules do without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.masking import mask_value
from cuedeck.app.memory.compaction.figures import RULES
from cuedeck.memory.compaction.gather import Files, marks_of
from cuedeck.memory.compaction.own_words import facts_of_answer
from cuedeck.memory.compaction.plan import Limits, base_of
from cuedeck.model.errors import Invalid, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cuedeck.app.project import Project
    from cuedeck.memory.compaction.fact import Fact
    from cuedeck.memory.compaction.select import Selection

SUMMARISER = "summariser"


class OwnWords(NamedTuple):
    """What the fresh records say."""

    facts: Sequence[Fact] | None
    """None leaves it to the rules."""
    by: str = RULES
    notes: tuple[str, ...] = ()


def own_words(project: Project, files: Files, chosen: Selection, limits: Limits, *, dry_run: bool) -> OwnWords:
    """Ask the command of the settings, if there is one, for the facts of the records that are merged.

    It is not started for a dry run. Secrets are masked on the way there and on the way back.
    """
    settings = project.settings.compaction
    if not settings.summariser or not chosen.fresh:
        return OwnWords(None)
    if dry_run:
        return OwnWords(None, RULES, ("the summariser was not asked: this is a dry run by the rules",))
    from cuedeck.store.summariser import ask

    room = limits.chars - base_of(files, chosen).chars
    records = [
        {"id": row.id, "text": row.text, "category": row.category, "timestamp": row.timestamp} for row in chosen.fresh
    ]
    request = {"records": mask_value(records, project), "maxChars": room}

    def mask(text: str) -> str:
        masked: str = mask_value(text, project)
        return masked

    try:
        answer = ask(settings.summariser, request, settings.summariser_seconds, project.workspace.root)
        return OwnWords(facts_of_answer(answer, chosen.fresh, marks_of(files, chosen), room, mask), SUMMARISER)
    except (StorageError, Invalid) as error:
        return OwnWords(None, RULES, (f"merged by the rules, the summariser failed: {error.message}",))
