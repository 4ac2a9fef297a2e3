"""Layers of a folder, made of the layers of its files and folders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from cuedeck.knowledge.layers.folder_entries import (
    BULLET,
    DASH,
    GAP,
    FolderChild,
    FolderEntry,
    entry_of,
    key_lines,
    messages_below,
)
from cuedeck.knowledge.layers.layer_values import (
    ABSTRACT_TOKENS,
    OVERVIEW_TOKENS,
    LayerPair,
)
from cuedeck.model.formatting import counted
from cuedeck.model.ports import Count
from cuedeck.model.secret_placeholder import unnumbered
from cuedeck.text.layer_terms import Vocabulary
from cuedeck.text.line_budget import LineBudget, cut_text
from cuedeck.text.sentences import first_sentence
from cuedeck.text.term_coverage import Candidate, choose

MOST_CHILDREN = 400
"""Children of which a line can be shown; further ones are counted."""
_INDEX_NAMES = (
    "README.md",
    "readme.md",
    "index.md",
    "__init__.py",
    "mod.rs",
    "lib.rs",
    "doc.go",
    "index.ts",
    "index.js",
)
"""Files that describe their folder, the best first."""
_LIST_RANK = 2
_IS_LISTED = re.compile(
    r"Defines: |Keys: |[\d,]+ (?:file|folder)s?\b|(?:generated|minified) text: "
)
"""Begins a statement that nobody wrote."""
_LINE_TOKENS = 40
_ABSTRACT_LINE_TOKENS = 24
_LEAST_LINE_TOKENS = 8
_DESCRIBED_SHARE = 0.6
"""Part of the abstract that lines about children may use if not all are described; the
rest has the names of others.
"""
_LINES_SHARE = 0.6
"""Part of the overview that one line for each child may use."""
_SPREAD = 1_000
"""Positions of the overview that a child has."""


def folder_layers(
    title: str,
    children: Sequence[FolderChild],
    count: Count,
    most: int = OVERVIEW_TOKENS,
) -> LayerPair:
    """Return the layers of a folder; its children are in the order of their names. The
    overview has at most `most` tokens.

    Placeholders of secrets have no numbers, because each child has its own numbers.
    """
    head = _head(title, children)
    return LayerPair(
        unnumbered(_abstract(head, children, count)),
        unnumbered(_overview(head, children, count, most)),
    )


def counted_folder(name: str, files: int) -> LayerPair:
    """Return the layers of a folder whose files are not read; `name` ends with a
    slash.
    """
    fact = f"{name[:-1]}: {counted(files, 'file')}"
    return LayerPair(fact, f"# {fact}")


def _head(title: str, children: Sequence[FolderChild]) -> str:
    folders = sum(child.is_folder for child in children)
    files = len(children) - folders
    parts = []
    if folders:
        parts.append(counted(folders, "folder"))
    if files or not folders:
        parts.append(counted(files, "file"))
    messages = messages_below(children)
    if messages:
        parts.append(messages)
    head = f"{title}: {', '.join(parts)}"
    description = _description(children)
    if description:
        return f"{head}{DASH}{description}"
    return head


def _description(children: Sequence[FolderChild]) -> str:
    """Return the first line about the file that describes the folder; empty if there is
    none.
    """
    by_name = {child.name: child for child in children}
    for name in _INDEX_NAMES:
        if name in by_name:
            return first_sentence(_lead(by_name[name]))
    return ""


def _lead(child: FolderChild) -> str:
    """Return the lead sentence in the abstract of a file; empty if it has none."""
    return child.layers.abstract.partition("\n")[0].partition(DASH)[2]


def _abstract(head: str, children: Sequence[FolderChild], count: Count) -> str:
    """Return the head, then the lines below it that cover most of the terms."""
    top = cut_text(head, count, ABSTRACT_TOKENS // 4)
    known = children[:MOST_CHILDREN]
    lines = []
    owners = []
    for at, child in enumerate(known):
        below = list(_abstract_lines(child, count))
        lines += below
        owners += [at] * len(below)
    more = f"+{len(children)} more"
    room = ABSTRACT_TOKENS - count.count(f"{top}\n") - count.count(f"{more}\n")
    width = max(room // max(len(lines), 1) - 1, _ABSTRACT_LINE_TOKENS)
    lines = [_cut_line(line, count, width) for line in lines]
    vocabulary = Vocabulary(lines)
    candidates = [
        Candidate(vocabulary.terms(line), count.count(f"{line}\n")) for line in lines
    ]
    ranks = [
        _rank(known[owner], line) for owner, line in zip(owners, lines, strict=True)
    ]
    chosen = choose(candidates, {}, room)
    if len({owners[at] for at in chosen}) < len(children):
        chosen = _best_lines(candidates, ranks, int(room * _DESCRIBED_SHARE))
    described = {owners[at] for at in chosen}
    shown = [top, *(lines[at] for at in chosen)]
    names = [child.name for at, child in enumerate(known) if at not in described]
    names.sort(key=_is_file)
    unknown = len(children) - len(known)
    line = _names_line("\n".join(shown), names, unknown, count)
    return "\n".join([*shown, *line])


def _cut_line(line: str, count: Count, width: int) -> str:
    """Return a line cut to some tokens; without a word of its statement, its path."""
    cut = cut_text(line, count, width)
    path, dash, statement = cut.partition(DASH.rstrip())
    return path.rstrip() if dash and statement.strip() == "…" else cut


def _rank(child: FolderChild, line: str) -> int:
    """Return 0 for a line about a folder with a description, 1 for another statement
    that somebody wrote, 2 for names or the beginning of a text, and 3 for a line
    without a statement.
    """
    path, dash, statement = line.removeprefix(BULLET).partition(DASH)
    if not dash:
        return 3
    is_hidden = path.startswith(".") or "/." in path
    first = child.layers.abstract.partition("\n")[0]
    has_no_lead = first.rpartition("/")[2] == child.name
    if is_hidden or has_no_lead or _IS_LISTED.match(statement):
        return _LIST_RANK
    return 0 if child.is_folder and path == child.name else 1


def _best_lines(
    candidates: Sequence[Candidate], ranks: Sequence[int], limit: int
) -> list[int]:
    """Return the positions of the lines that cover most of the terms, those of a lower
    rank first; lists of names only if nobody wrote a statement.
    """
    chosen: list[int] = []
    for rank in sorted(set(ranks)):
        if rank >= _LIST_RANK and chosen:
            break
        places = [at for at, each in enumerate(ranks) if each == rank]
        found = choose([candidates[at] for at in places], {}, limit)
        for at in found:
            limit -= candidates[places[at]].cost
            chosen.append(places[at])
    return sorted(chosen)


def _is_file(name: str) -> bool:
    return not name.endswith("/")


def _names_line(
    above: str, names: Sequence[str], unknown: int, count: Count
) -> list[str]:
    """Return a line with the names that fit below other lines, and the number of the
    others, of which `unknown` have no name here; no line if there are none.
    """
    shown: list[str] = []
    label = "also: " if BULLET in above else ""
    found = ""
    for at, name in enumerate(names):
        rest = len(names) - at - 1 + unknown
        more = f", +{rest} more" if rest else ""
        longer = f"{label}{', '.join([*shown, name])}"
        if count.count(f"{above}\n{longer}{more}") > ABSTRACT_TOKENS:
            break
        shown.append(name)
        found = longer + more
    left_out = len(names) + unknown
    if not shown and left_out:
        return [f"+{left_out} more"]
    return [found] if found else []


def _abstract_lines(child: FolderChild, count: Count) -> Iterator[str]:
    """Yield the line about a file, or those about the content of a folder."""
    head, _, rest = child.layers.abstract.partition("\n")
    description = head.partition(DASH)[2]
    if child.is_folder and description:
        yield f"{BULLET}{child.name}{DASH}{description}"
        return
    lines = rest.split("\n") if child.is_folder and rest else []
    below = [line for line in lines if line.startswith(BULLET)]
    for line in below:
        yield f"{BULLET}{child.name}{line.removeprefix(BULLET)}"
    if lines and not below:
        yield f"{BULLET}{child.name}{DASH}{lines[0]}"
    if not lines:
        yield entry_of(child, count).line


class _Shown(NamedTuple):
    """A child of which a line is shown."""

    child: FolderChild
    entry: FolderEntry
    line: str
    """The line of the entry, which may be cut."""


def _overview(
    head: str, children: Sequence[FolderChild], count: Count, most: int
) -> str:
    """Return one line for each child, with key sentences of a file on its line and key
    lines of a folder below its line. Paths are relative to the folder.
    """
    budget = LineBudget(count, most)
    budget.add(0, f"# {head}\n")
    reserve = budget.cost(f"+{len(children)} more")
    budget.left -= reserve
    known = children[:MOST_CHILDREN]
    share = int(budget.left * _LINES_SHARE) // max(len(known), 1)
    width = min(max(share, _LEAST_LINE_TOKENS), _LINE_TOKENS)
    shown: dict[int, _Shown] = {}
    for at, child in enumerate(known, 1):
        entry = entry_of(child, count)
        line = _entry_line(entry, count, width)
        if budget.add(at * _SPREAD, line):
            shown[at * _SPREAD] = _Shown(child, entry, line)
    _add_key_lines(budget, shown, count)
    budget.left += reserve
    if len(shown) < len(children):
        end = (len(known) + 1) * _SPREAD
        budget.add(end, f"+{len(children) - len(shown)} more")
    return budget.text()


def _entry_line(entry: FolderEntry, count: Count, width: int) -> str:
    """Return the line of an entry cut to `width` tokens, but not within its path: the
    beginning of a path leads nowhere.
    """
    path = f"{BULLET}{entry.path}"
    cut = cut_text(entry.line, count, width)
    statement = cut.removeprefix(f"{path}{DASH.rstrip()}")
    if statement not in (cut, "…"):
        return cut
    return cut_text(path, count, max(width, _LINE_TOKENS))


def _add_key_lines(
    budget: LineBudget, children: dict[int, _Shown], count: Count
) -> None:
    """Add key lines of the shown children.

    Each child gets an equal part of the room; what remains goes to the lines that cover
    most of the remaining terms.
    """
    by_child: dict[int, dict[int, str]] = {}
    for position, shown in children.items():
        places = range(position + 1, position + _SPREAD)
        lines = key_lines(shown.child, shown.entry)
        by_child[position] = dict(zip(places, lines, strict=False))
    every = {at: line for found in by_child.values() for at, line in found.items()}
    vocabulary = Vocabulary(every.values())
    costs = {at: count.count(f"{line}{GAP}") for at, line in every.items()}
    terms = cache(lambda at: vocabulary.terms(every[at]))

    def choose_places(places: Iterable[int], limit: int) -> list[int]:
        fitting = [at for at in places if costs[at] <= limit]
        candidates = [Candidate(terms(at), costs[at]) for at in fitting]
        return [fitting[at] for at in choose(candidates, {}, limit)]

    chosen: set[int] = set()
    fair = budget.left // max(sum(map(bool, by_child.values())), 1)
    for position, found in by_child.items():
        limit = min(fair, budget.left)
        key_places = choose_places(found, limit)
        _add_chosen(budget, children[position], position, key_places, every, chosen)
    rest = [at for at in every if at not in chosen]
    for at in choose_places(rest, budget.left):
        position = at - at % _SPREAD
        _add_chosen(budget, children[position], position, [at], every, chosen)


def _add_chosen(
    budget: LineBudget,
    shown: _Shown,
    position: int,
    places: Sequence[int],
    lines: dict[int, str],
    chosen: set[int],
) -> None:
    """Add lines of a child where they fit, and note them in `chosen`: sentences of a
    file to its own line, lines of a folder below it.
    """
    for at in places:
        if shown.child.is_folder:
            is_added = budget.add(at, lines[at])
        else:
            own = [each for each in chosen if each - each % _SPREAD == position]
            texts = [lines[each] for each in sorted((*own, at))]
            start = shown.line if shown.entry.statement else f"{shown.line}{DASH}"
            joint = GAP if shown.entry.statement else ""
            is_added = budget.add(position, f"{start}{joint}{GAP.join(texts)}")
        if is_added:
            chosen.add(at)
