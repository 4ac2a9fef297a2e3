"""The parts of a brief that matter most: the task, what no longer holds, what was decided, which files it is about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.app.scene.blocks.assumptions_block import assumptions_block
from cuedeck.app.scene.blocks.decisions_block import decisions_block
from cuedeck.app.sessions.card_checkboxes import boxes_of
from cuedeck.app.sessions.workflow_steps import standing_at
from cuedeck.parse.plain_text import with_full_stop
from cuedeck.records.decision_text import decision_line
from cuedeck.records.progress_items import fold_text, gather
from cuedeck.records.session_summary import first_open, last_action, next_action
from cuedeck.scene.brief_plan import ESSENTIAL_CHARACTERS, Part
from cuedeck.scene.fence import named, quoted

if TYPE_CHECKING:
    from cuedeck.app.scene.blocks.proximity import VisitProximity
    from cuedeck.app.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.model.session import Item, Session
    from cuedeck.scene.ledger_blocks import Content
    from cuedeck.scene.mask import Mask

_TITLE, _STEP = 0.09, 0.12
"""Parts of the room that a title and a step may take; rows take the rest."""
_LONGEST_ITEM = 240
_MOST_DONE = 2
_MARKS = {"done": "[x] {}", "doing": "[ ] {} (in progress)", "todo": "[ ] {}"}
_ORDER = ("doing", "todo", "done")
_ROLES = {"read": "read", "write": "written", "both": "read and written"}
_SEEN = {"read": "read", "write": "changed", "both": "read, and changed"}
"""What is known of a file of which this agent did not tell itself: others work here as well."""


class Essentials(NamedTuple):
    """What a brief says first, however much room there is for it."""

    title: str
    where: str
    """The card, and the step of a workflow."""
    last: str
    """What was done last; empty for nothing."""
    following: str
    other: str
    """A sentence about a session of another card that is open; empty for none."""
    items: Sequence[Item]
    lines: Mapping[str, Sequence[int]]
    """By the row of a check box its lines in the card."""
    blocks: tuple[Content | None, Content | None]
    """Assumptions and decisions."""
    files: Sequence[str]

    def parts(self, room: int) -> list[Part]:
        """Return the parts for so many characters, in order, each with its share."""
        return [
            Part(self._head(room), [_row(each) for each in self.items], "- and {} more: `cuedeck progress list`\n",
                 0.33, 2, always=True),
            _block(self.blocks[0], 0.15, 1),
            _block(self.blocks[1], 0.32, 4),
            Part("## Files touched so far\n\n", self.files, "- and {} more: `cuedeck session status`\n", 0.2, 1),
        ]  # fmt: skip

    def told(self, text: str) -> Collection[int]:
        """Return the lines of the card whose check boxes a text tells whole."""
        rows = set(text.splitlines(keepends=True))
        return frozenset(line for row, lines in self.lines.items() if row in rows for line in lines)

    def _head(self, room: int) -> str:
        """Return the task, and the sentence of a resume with long words of it cut."""
        room = room * min(room, ESSENTIAL_CHARACTERS) // ESSENTIAL_CHARACTERS  # with less room first the words go
        title = f"{quoted(self.title, int(room * _TITLE))}."
        parts = [f"Continuing {title}"] if self.last else []
        parts += [f"Last action: {quoted(with_full_stop(self.last), int(room * _STEP))}"] if self.last else []
        parts += [f"Next: {quoted(with_full_stop(self.following), int(room * _STEP))}"] if self.following else []
        said = f"{' '.join(parts)}\n" if parts else ""
        return f"## Task\n\n{title} Card {self.where}\n{said}{self.other}\n"


def essentials(
    project: Workspace, card: File, session: Session | None, near: VisitProximity, mask: Mask, own: Collection[str] = ()
) -> Essentials:
    """Return what matters most of a card. `own` are the files of which the agent told itself.

    What was done in an open session of another card is none of it.
    """
    identity = card.path.rpartition("/")[2].removesuffix(".md")
    other = ""
    if session is not None and session.card != identity:
        of = f"of card {named(session.card)}" if session.card else "of no card"
        other = f"The session that is open, {named(session.id)}, is {of}; `cuedeck session close` ends it.\n"
        session = None
    boxes = boxes_of(project, identity, lambda: mask)
    items = gather(session.progress if session else (), boxes)
    standing = replace(session, progress=items) if session else None
    at = standing_at(project, session)
    step = f", step {at.number} of {at.of}: {quoted(at.step.name, 80)}" if at else ""
    lines: dict[str, list[int]] = {}
    known = {fold_text(item.text): item for item in items}
    for box in boxes:
        lines.setdefault(_row(known[fold_text(box.text)]), []).append(card.body + box.line - 1)
    return Essentials(
        title=mask.words(card.title, card.path),
        where=f"{named(card.path)}{step}",
        last=last_action(session) if session else "",
        following=next_action(standing) if standing else first_open(items),
        other=other,
        items=_telling(items),
        lines={row: found for row, found in lines.items() if "…" not in row[-3:]},
        # A brief says what was decided and asks for nothing.
        blocks=(assumptions_block(project, near, mask), decisions_block(project, near, mask, decision_line)),
        files=_files(session, own),
    )


def _row(item: Item) -> str:
    return f"- {_MARKS[item.state].format(quoted(item.text, _LONGEST_ITEM))}\n"


def _telling(items: Sequence[Item]) -> list[Item]:
    """Return what is being done and what is open, then what got done last."""
    done = [item for item in items if item.state == "done"][-_MOST_DONE:]
    return [item for state in _ORDER for item in (done if state == "done" else items) if item.state == state]


def _block(content: Content | None, share: float, least: int) -> Part:
    if content is None:
        return Part("", ())
    return Part(content.head, [row.short or row.full for row in content.rows], content.more, share, least)


def _files(session: Session | None, own: Collection[str]) -> list[str]:
    """Return the files of the session, the latest first."""
    files = sorted(session.working_set.items(), key=lambda each: each[1].timestamp, reverse=True) if session else []
    return [f"- {named(path)} {(_ROLES if path in own else _SEEN)[each.role]}\n" for path, each in files]
