"""The parts of a brief that matter most: the task, what no longer holds, what was decided, which files it is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cuedeck.app.blocks.assumptions import assumed
from cuedeck.app.blocks.decisions import decided
from cuedeck.app.sessions.boxes import boxes_of
from cuedeck.app.sessions.steps import standing_at
from cuedeck.memory.progress import gather
from cuedeck.memory.summary import last_action, next_action
from cuedeck.parse.plain import plain_line, stopped
from cuedeck.scene.brief import Part

if TYPE_CHECKING:
    from cuedeck.app.blocks.near import Near
    from cuedeck.app.project import Project
    from cuedeck.model.node import File
    from cuedeck.model.session import Item, Session
    from cuedeck.scene.blocks import Content
    from cuedeck.scene.mask import Mask

_LONGEST_TITLE = 160
_LONGEST_STEP = 220
_LONGEST_ITEM = 240
_MOST_DONE = 2
_MARKS = {"done": "[x] {}", "doing": "[ ] {} (in progress)", "todo": "[ ] {}"}
_ORDER = ("doing", "todo", "done")
_ROLES = {"read": "read", "write": "written", "both": "read and written"}
_SAID = "- Remember: "
"""What a reminder begins with; a brief says what was decided and asks for nothing."""


def essentials(project: Project, card: File, session: Session | None, near: Near, mask: Mask) -> list[Part]:
    """Return the parts, in order, each with its share of the room."""
    return [
        _task(project, card, session, mask),
        _block(assumed(project, near), 0.15),
        _block(decided(project, near, mask), 0.3),
        _files(session),
    ]


def _task(project: Project, card: File, session: Session | None, mask: Mask) -> Part:
    title = cut(mask.words(card.title, card.path), _LONGEST_TITLE)
    at = standing_at(project, session)
    step = f", step {at.number} of {at.of}: {cut(at.step.name, 80)}" if at else ""
    head = f"## Task\n\n{stopped(title)} Card `{card.path}`{step}\n"
    said = _summary(title, session)
    items = gather(session.progress if session else (), boxes_of(project, card.card.id if card.card else ""))
    rows = [f"- {_MARKS[item.state].format(cut(item.text, _LONGEST_ITEM))}\n" for item in _telling(items)]
    return Part(f"{head}{said}\n", rows, "- and {} more: `cuedeck progress list`\n", 0.33, always=True)


def _summary(title: str, session: Session | None) -> str:
    """Return the sentence of a resume, with long words of it cut; empty for a session in which nothing was done."""
    last, following = (_last(session), next_action(session)) if session else ("", "")
    if not last and not following:
        return ""
    parts = [f"Continuing {stopped(title)}"]
    parts += [f"Last action: {stopped(cut(last, _LONGEST_STEP))}"] if last else []
    parts += [f"Next: {stopped(cut(following, _LONGEST_STEP))}"] if following else []
    return " ".join(parts) + "\n"


def _last(session: Session) -> str:
    """Return what was said to be done last; what a checkpoint saw from outside where nobody said anything."""
    return last_action(session, seen=False) or last_action(session)


def _telling(items: Sequence[Item]) -> list[Item]:
    """Return what is being done and what is open, then what got done last."""
    done = [item for item in items if item.state == "done"][-_MOST_DONE:]
    return [item for state in _ORDER for item in (done if state == "done" else items) if item.state == state]


def _block(content: Content | None, share: float) -> Part:
    if content is None:
        return Part("", ())
    rows = [row.short or row.full for row in content.rows]
    return Part(content.head, [f"- {row.removeprefix(_SAID)}" if row.startswith(_SAID) else row for row in rows],
                content.more, share)  # fmt: skip


def _files(session: Session | None) -> Part:
    """Return the files of the session, the latest first."""
    files = sorted(session.working_set.items(), key=lambda each: each[1].timestamp, reverse=True) if session else []
    rows = [f"- `{path}` {_ROLES[each.role]}\n" for path, each in files]
    return Part("## Files touched so far\n\n", rows, "- and {} more: `cuedeck session status`\n", 0.22)


def cut(text: str, most: int) -> str:
    """Return a text on one line, its end shown by `…` where it is too long."""
    line = plain_line(text)
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"
