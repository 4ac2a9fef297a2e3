"""The limits of a brief, and its essential parts: the task, failing assumptions,
decisions and the files of the session share a number of characters.

They come first, within the characters that remain when a host truncates the text. All
text is phrased as facts, because a host may treat unexpected instructions as an attack.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.context.blocks.statement_blocks import assumptions_block, decisions_block
from cuedeck.engine.open_session import card_boxes, step_position
from cuedeck.ledger.kinds.decision_kind import DECISION
from cuedeck.ledger.sessions.progress_items import (
    first_open,
    fold_text,
    gather,
    last_action,
    next_action,
)
from cuedeck.parse.fence import named, quoted
from cuedeck.text.plain_text import with_full_stop

if TYPE_CHECKING:
    from cuedeck.context.blocks.proximity import VisitProximity
    from cuedeck.context.scene.ledger_blocks import Content
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.file import File
    from cuedeck.model.ports import Count
    from cuedeck.model.session import Item, Session
    from cuedeck.parse.card_file import Box
    from cuedeck.parse.secrets.mask import Mask


MOST_TOKENS = 2_200
MOST_BYTES = 9_000
"""Maximum bytes: one host truncates at 10,000 bytes (at four bytes per token), another
at 10,000 characters.
"""
ESSENTIAL_CHARACTERS = 2_000
ESSENTIAL_TOKENS = 1_000
"""Maximum tokens of the essential parts; limits scripts in which one character is one
or two tokens.
"""
_SHORTEST = 24
"""Minimum characters of a shortened row that is guaranteed."""
_LINE = 96
"""Minimum characters of a shortened row that is not guaranteed; shorter ones are
counted instead.
"""
_NAMED = re.compile(r" \(`[^`]*`[^`()]*\)\n$")
"""End of a row with an address that can be requested."""


class Part(NamedTuple):
    """A heading with as many of its rows as fit."""

    head: str
    """Heading text; ends with a blank line."""
    rows: Sequence[str]
    """Rows, most important first; each ends with a newline."""
    more: str = "- and {} more\n"
    """Line that counts the omitted rows."""
    share: float = 1.0
    """Share of the characters for rows; parts with fewer rows leave the rest to the
    others.
    """
    least: int = 0
    """Number of rows that are guaranteed, shortened to one line each if necessary."""
    always: bool = False
    """Whether the heading appears even without rows."""


def fit_parts(parts: Sequence[Part], room: int) -> str:
    """Return the non-empty parts in at most `room` characters.

    Units: characters; headings always appear.
    """
    parts = [part for part in parts if part.rows or part.always]
    free = room - sum(len(part.head) + 1 for part in parts)
    shares = sum(part.share for part in parts if part.rows)
    room_of_rows: list[int] = []
    for part in parts:
        promised = 0
        if part.rows:
            promised = int(max(0, free) * part.share / shares)
        needed = sum(map(len, part.rows))
        room_of_rows.append(min(needed, promised))
    pieces: list[str] = []
    for at, part in enumerate(parts):
        rows = _fit_rows(part, free - sum(room_of_rows[at + 1 :]))
        free -= len(rows)
        if rows:
            pieces.append(f"{part.head}{rows}\n")
        elif part.always:
            pieces.append(part.head)
    return "".join(pieces)


def fit_tokens(
    parts: Callable[[int], Sequence[Part]], room: int, tokens: int, count: Count
) -> str:
    """Return the result of `fit_parts` for the largest room, in steps of three
    quarters, within `tokens`.
    """
    text = fit_parts(parts(room), room)
    while room and count.count(text) > tokens:
        room = room * 3 // 4
        text = fit_parts(parts(room), room)
    return text


def size_of(text: str) -> int:
    """Return the number of bytes of a text."""
    return len(text.encode("utf-8", "replace"))


def is_small(text: str, counter: Callable[[], Count]) -> bool:
    """Return whether a text is within the limits of bytes and tokens; `counter` makes
    the counter of tokens.
    """
    size = size_of(text)
    # A token has at least one byte, so a short text needs no token counter, which is
    # slow to load.
    return size <= MOST_TOKENS or (
        size <= MOST_BYTES and counter().count(text) <= MOST_TOKENS
    )


def _fit_rows(part: Part, room: int) -> str:
    """Return the rows that fit and the line that counts the others; empty if not even
    that line fits.
    """
    rows = "".join(part.rows)
    if len(rows) <= room:
        return rows
    room -= len(part.more.format(len(part.rows)))
    if room < 0:
        return ""
    kept: list[str] = []
    for at, row in enumerate(part.rows):
        promised = min(part.least, len(part.rows)) - at
        most = room
        least = room + 1
        if promised > 0:
            most = room // promised
            least = _SHORTEST
        elif part.least:
            least = _LINE
        if len(row) > most:
            if most < least:
                break
            row = _cut(row, most)
        kept.append(row)
        room -= len(row)
    left = len(part.rows) - len(kept)
    return "".join(kept) + (part.more.format(left) if left else "")


def _cut(row: str, most: int) -> str:
    """Return a row of at most `most` characters; the text is shortened, but not the
    address at its end.
    """
    named = _NAMED.search(row)
    end = named[0] if named and len(named[0]) <= most // 2 else "\n"
    kept = row[: most - len(end) - 1].rstrip()
    if kept.count("“") > kept.count("”"):
        return kept[: most - len(end) - 2].rstrip() + "…”" + end
    return kept + "…" + end


_TITLE, _STEP = 0.09, 0.12
"""Maximal parts of the room for a title and for a step; rows take the rest."""
_LONGEST_ITEM = 240
_LONGEST_STEP = 80
_MOST_DONE = 2
_ITEM_FORMATS = {"done": "[x] {}", "doing": "[ ] {} (in progress)", "todo": "[ ] {}"}
_OWN_ROLES = {"read": "read", "write": "written", "both": "read and written"}
_OTHER_ROLES = {"read": "read", "write": "changed", "both": "read; changed"}
"""Wording for files that this agent did not report, because others use the same
session.
"""


class Essentials(NamedTuple):
    """The essential facts of a brief, independent of the available room."""

    title: str
    where: str
    """Address of the card, and the current workflow step."""
    last: str
    """Last action; empty without one."""
    following: str
    """Next action; empty without one."""
    other: str
    """Sentence about an open session of another card; empty without one."""
    items: Sequence[Item]
    lines: Mapping[str, Sequence[int]]
    """Line numbers in the card of each checkbox row."""
    blocks: tuple[Content | None, Content | None]
    """Assumptions and decisions."""
    files: Sequence[str]
    """Rows about the files of the session."""

    def parts(self, room: int) -> list[Part]:
        """Return the parts in order, each with its share of `room` characters."""
        items = [_item_row(each) for each in self.items]
        more_items = "- and {} more: `cuedeck progress list`\n"
        more_files = "- and {} more: `cuedeck session status`\n"
        return [
            Part(
                head=self._head(room),
                rows=items,
                more=more_items,
                share=0.33,
                least=2,
                always=True,
            ),
            _block_part(self.blocks[0], 0.15, 1),
            _block_part(self.blocks[1], 0.32, 4),
            Part(
                head="## Files touched so far\n\n",
                rows=self.files,
                more=more_files,
                share=0.2,
                least=1,
            ),
        ]

    def shown_lines(self, text: str) -> tuple[int, ...]:
        """Return the lines of the card whose checkboxes `text` contains in full."""
        rows = frozenset(text.splitlines(keepends=True))
        shown: set[int] = set()
        for row, lines in self.lines.items():
            if row in rows:
                shown.update(lines)
        return tuple(sorted(shown))

    def _head(self, room: int) -> str:
        # Texts shrink faster than the room.
        room = room * min(room, ESSENTIAL_CHARACTERS) // ESSENTIAL_CHARACTERS
        most = int(room * _STEP)
        title = quoted(self.title, int(room * _TITLE))
        sentences = []
        if self.last:
            last = quoted(with_full_stop(self.last), most)
            sentences.append(f"Last action: {last}")
        if self.following:
            following = quoted(with_full_stop(self.following), most)
            sentences.append(f"Next: {following}")
        resume = " ".join(sentences)
        parts = ["## Task\n\n", f"{title}. Card {self.where}\n"]
        if resume:
            parts.append(f"{resume}\n")
        parts.append(f"{self.other}\n")
        return "".join(parts)


def brief_essentials(
    workspace: Workspace,
    card: File,
    session: Session | None,
    near: VisitProximity,
    mask: Mask,
    own: Collection[str] = (),
) -> Essentials:
    """Return the essential facts about a card. `own` are the files that the agent
    itself wrote.

    An open session of another card is only mentioned.
    """
    identity = card.path.rpartition("/")[2].removesuffix(".md")
    other = ""
    if session is not None and session.card != identity:
        other = _other_session(session)
        session = None
    boxes = card_boxes(workspace.index, workspace.paths, identity, lambda: mask)
    progress = session.progress if session else ()
    items = gather(progress, boxes)
    current = None
    if session:
        current = replace(session, progress=items)
    at = step_position(workspace.paths, session)
    step = ""
    if at:
        name = quoted(at.step.name, _LONGEST_STEP)
        step = f", step {at.number} of {at.of}: {name}"
    # The rows of a brief state decisions and ask for nothing.
    decisions = decisions_block(workspace, near, mask, DECISION.line)
    return Essentials(
        title=mask.words(card.title, card.path),
        where=f"{named(card.path)}{step}",
        last=last_action(session) if session else "",
        following=next_action(current) if current else first_open(items),
        other=other,
        items=_selected_items(items),
        lines=_box_lines(card, boxes, items),
        blocks=(assumptions_block(workspace, near, mask), decisions),
        files=file_rows(session, own) if session else [],
    )


def _other_session(session: Session) -> str:
    of = "without a card"
    if session.card:
        of = f"for card {named(session.card)}"
    return f"The open session {named(session.id)} is {of}; `cuedeck session close` closes it.\n"


def _box_lines(
    card: File, boxes: Sequence[Box], items: Sequence[Item]
) -> dict[str, list[int]]:
    """Return the line numbers in the card of each checkbox row that is not cut."""
    known = {fold_text(item.text): item for item in items}
    lines: dict[str, list[int]] = {}
    for box in boxes:
        row = _item_row(known[fold_text(box.text)])
        if "…" not in row[-3:]:
            lines.setdefault(row, []).append(card.body + box.line - 1)
    return lines


def _item_row(item: Item) -> str:
    text = quoted(item.text, _LONGEST_ITEM)
    return f"- {_ITEM_FORMATS[item.state].format(text)}\n"


def _selected_items(items: Sequence[Item]) -> list[Item]:
    """Return the items in progress, the open items, then the items done last."""
    doing = [item for item in items if item.state == "doing"]
    todo = [item for item in items if item.state == "todo"]
    done = [item for item in items if item.state == "done"]
    done_last = done[-_MOST_DONE:]
    return [*doing, *todo, *done_last]


def _block_part(content: Content | None, share: float, least: int) -> Part:
    if content is None:
        return Part("", ())
    rows = [row.short or row.full for row in content.rows]
    return Part(
        head=content.head, rows=rows, more=content.more, share=share, least=least
    )


def file_rows(session: Session, own: Collection[str]) -> list[str]:
    """Return a row for each file of the session, the last used first."""
    files = list(session.working_set.items())
    files.sort(key=lambda each: each[1].timestamp, reverse=True)
    rows = []
    for path, each in files:
        roles = _OWN_ROLES if path in own else _OTHER_ROLES
        rows.append(f"- {named(path)} {roles[each.role]}\n")
    return rows
