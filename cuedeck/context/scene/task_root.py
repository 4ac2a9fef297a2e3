"""Root of a scene without a card: the text of a task as a file that exists in memory
only.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from cuedeck.context.search.symbol_addresses import symbol_addresses
from cuedeck.graph.resolve_ref import find_file, resolve_citation, whole_file
from cuedeck.model.address import join_anchor, name_key, split_anchor
from cuedeck.model.entry_node import is_entry_address
from cuedeck.model.errors import Invalid, TooLong, UsageError
from cuedeck.model.file import File, Link, VirtualFile
from cuedeck.model.formatting import quoted
from cuedeck.model.paths import CARDS
from cuedeck.model.scene_values import TASK, Target
from cuedeck.parse.fence import gap
from cuedeck.parse.markdown import parse_markdown
from cuedeck.parse.task_names import TaskName, read_task_names, task_title
from cuedeck.parse.text_decoding import decode

if TYPE_CHECKING:
    from cuedeck.parse.secrets.mask import Find
    from cuedeck.store.index import Index
    from cuedeck.store.index.corpus import WorkspaceCorpus

LONGEST_TASK = 200_000
"""Maximum characters of a task."""
_MOST_SHOWN = 6_000
"""Maximum characters of a task that a scene shows."""
_LEAST_SHOWN = 4_000
"""Minimum characters before a cut at the end of a line."""
_MOST_NAMES = 300
"""Maximum different names of a task that are looked up."""
_MOST_LINKS = 20
_LARGE = 150
"""Lines from which on a definition is too large to be shown in full because a task
names it; its file is linked.
"""


def check_task(text: str) -> str:
    """Return the text of a task with `\\n` newlines and without blank lines around it.

    Raises: Invalid for a text without words or with NUL characters, TooLong.
    """
    if len(text) > LONGEST_TASK:
        raise TooLong(
            f"the task has {len(text):,} characters", hint=f"at most {LONGEST_TASK:,}"
        )
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip()
    while text and not text.partition("\n")[0].strip():
        text = text.partition("\n")[2]
    if not any(letter.isalnum() for letter in text):
        raise Invalid(
            "the task contains no word",
            hint='describe it: `cuedeck scene "Fix login for expired tokens"`',
        )
    if "\0" in text or decode(text.encode()).binary:
        raise Invalid("the task is not text: it contains NUL characters or very long runs of blanks",
                      hint="leave them out")  # fmt: skip
    return text


def make_task_root(
    find_secrets: Find, index: Index, corpus: WorkspaceCorpus, text: str
) -> Target:
    """Make the task the virtual file of the index, and return it as the root of a
    scene.

    Its links are those of a Markdown text, and the files and definitions that it names.
    The index must be up to date. Raises: UsageError if the text is only the id of a
    card, and the errors of `check_task`.
    """
    text = check_task(text)
    if index.file(f"{CARDS}/{text}.md") is not None:
        hint = f"`cuedeck scene --card {quoted(text)}` builds its scene"
        raise UsageError(f"`{text}` is a card, not the text of a task", hint=hint)
    shown = _beginning(find_secrets, text)
    page = parse_markdown(shown)
    links: dict[str, Link] = {}
    for name in _first_of_each(text):
        address = _address(corpus, index, name)
        if address and address not in links:
            links[address] = Link(address, name.line, "task", "", False)
        if len(links) == _MOST_LINKS:
            break
    file = File(
        path=TASK,
        kind="card",
        size=len(shown.encode()),
        lines=shown.count("\n") + 1,
        title=task_title(text),
        aliases=(),
        tags=(),
        body=1,
        links=(*page.links, *links.values()),
        sections=page.sections,
        blocks=page.blocks,
        symbols=(),
        imports=(),
        roots=(),
        card=None,
        diagnostics=(),
    )
    index.virtual = VirtualFile(file, shown, sha256(text.encode()).hexdigest())
    return whole_file(file)


def _beginning(find_secrets: Find, text: str) -> str:
    """Return the part of a task that a scene shows, with a mark for the rest."""
    if len(text) <= _MOST_SHOWN:
        return text
    end = text.rfind("\n", _LEAST_SHOWN, _MOST_SHOWN)
    mark = "\n"
    if end < 0:
        end = _MOST_SHOWN
        mark = "…\n"
    for secret in find_secrets(text):
        if secret.start < end < secret.end:
            end = secret.start
    rest = text.count("\n", end)
    shown = text[:end]
    if not rest:
        return shown + mark.rstrip()
    return shown + mark + gap(rest)


def _first_of_each(text: str) -> Iterator[TaskName]:
    seen: set[str] = set()
    for name in read_task_names(text):
        if name.text in seen:
            continue
        if len(seen) == _MOST_NAMES:
            return
        seen.add(name.text)
        yield name


def _address(corpus: WorkspaceCorpus, index: Index, name: TaskName) -> str:
    """Return the address that a task names."""
    if is_entry_address(name.text):
        found = resolve_citation(name.text, index)
        return found.address if isinstance(found, Target) else ""
    if name.is_path:
        path, anchor = split_anchor(name.text)
        file = _file(index, path)
        if file:
            return join_anchor(file, anchor)
    return _definition(corpus, index, name.text) if name.is_definition else ""


def _file(index: Index, path: str) -> str:
    """Return the file at a path, else the only file whose path ends with it."""
    exact = find_file((path,), index)
    if exact:
        return exact
    named = index.named(name_key(path.rpartition("/")[2]))
    ending = [each for each in named if each.endswith(f"/{path}")]
    return ending[0] if len(ending) == 1 else ""


def _definition(corpus: WorkspaceCorpus, index: Index, name: str) -> str:
    """Return the address of the only definition of a name, or its file if it is large;
    empty if there is none.
    """
    found = symbol_addresses(corpus, index, name)
    if len(found) != 1:
        return ""
    target = resolve_citation(found[0], index)
    if not isinstance(target, Target):
        return ""
    return target.path if target.end - target.start >= _LARGE else target.address
