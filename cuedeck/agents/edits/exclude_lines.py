"""CueDeck's lines in `info/exclude` of a repository, below a comment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cuedeck.agents.edits.managed_part import Part, Put
from cuedeck.model.replaced_entry import Keys, Prior
from cuedeck.parse.text_edit import Insertion, insert
from cuedeck.text.text_offsets import next_line

_MARK = "# written by `cuedeck setup HOST --local`"


@dataclass(frozen=True, slots=True)
class ExcludePart(Part):
    """The managed part for the files that git must ignore."""

    lines: tuple[str, ...]
    """Patterns that begin with `/`."""

    def own(self, text: str) -> tuple[str, ...]:
        """Return the lines that set-up wrote, for any host."""
        _, found, _ = _split(text)
        return found

    def holds(self, text: str) -> bool:
        """Return whether the file contains any of the lines, written by set-up."""
        return any(line in self.lines for line in self.own(text))

    def is_right(self, text: str) -> bool:
        """Return whether the file contains each of the lines, written by set-up."""
        return set(self.lines) <= set(self.own(text))

    def put(self, text: str) -> Put:
        missing = [line for line in self.lines if line not in self.own(text)]
        if not missing:
            return Put(text, ())
        before, found, _ = _split(text)
        at = len(before)
        added = "".join(f"{line}\n" for line in missing)
        if not found and _MARK not in before.splitlines():
            glue = "" if not before or before.endswith("\n") else "\n"
            added = f"{glue}{_MARK}\n{added}"
        elif not before.endswith("\n"):
            added = f"\n{added}"
        after, undo = insert(text, [Insertion(at, added)])
        return Put(after, undo)

    def strip(
        self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()
    ) -> str:
        """Remove the lines, and the comment above them if no other line remains."""
        before, found, after = _split(text)
        if not found:
            return text
        rest = [line for line in found if line not in self.lines]
        head = "".join(before.splitlines(keepends=True)[: -1 - len(found)])
        if rest:
            head += "".join(f"{line}\n" for line in (_MARK, *rest))
        return head + after


def _split(text: str) -> tuple[str, tuple[str, ...], str]:
    """Return the text up to the last own line, the own lines, and the text after them.

    Without own lines, the first is the whole text.
    """
    start = text.find(_MARK)
    if start < 0:
        return text, (), ""
    at = next_line(text, start)
    found: list[str] = []
    while text.startswith("/", at):
        end = next_line(text, at)
        found.append(text[at:end].rstrip("\r\n"))
        at = end
    return text[:at], tuple(found), text[at:]
