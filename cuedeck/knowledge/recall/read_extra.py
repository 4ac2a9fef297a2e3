"""Reading of files outside the workspace by their addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cuedeck.knowledge.memory.read_memory_file import possible_splits
from cuedeck.knowledge.recall.recall_sources import EXTRA, extra_sources
from cuedeck.model.address import (
    LineRange,
    format_lines,
    join_anchor,
    parse_lines,
)
from cuedeck.model.errors import NotFound
from cuedeck.parse.fence import NumberedLine, numbered
from cuedeck.store.files.disk import read_bytes

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json

_MOST_NAMED = 5


def read_extra(workspace: Workspace, text: str, *, numbers: bool) -> Json:
    """Return the masked text of `extra:<name>/<path>#L3-L5`, in the shape of
    `read_address`.

    Raises: NotFound with the nearest paths, StorageError.
    """
    sources = {
        source.path: source
        for source in extra_sources(workspace.paths, workspace.settings)
    }
    splits = possible_splits(text)
    splits += [(f"{path}.md", anchor) for path, anchor in splits]
    known = [split for split in splits if split[0] in sources]
    if not known:
        raise _missing(splits[0][0], list(sources))
    path, anchor = known[0]
    source = sources[path]
    data = read_bytes(source.place) or b""
    text = data.decode("utf-8", "replace").replace("\r\n", "\n")
    lines = workspace.masked(text).split("\n")
    if not lines[-1]:
        lines.pop()
    start, end = _range(anchor, len(lines), path)
    chosen = lines[start - 1 : end]
    if numbers:
        rows = enumerate(chosen, start)
        chosen = [numbered(NumberedLine(*row, 0)) for row in rows]
    body = "".join(f"{line}\n" for line in chosen)
    counter = workspace.counter()
    tokens = counter.count(body)
    counter.save()
    return {
        "address": join_anchor(source.path, format_lines(start, end) if anchor else ""),
        "path": source.path,
        "kind": "extra",
        "lines": [start, end],
        "tokens": tokens,
        "text": body,
    }


def _missing(path: str, known: list[str]) -> NotFound:
    import difflib

    if not known:
        hint = "name folders outside the workspace in the variable CUEDECK_FILES__EXTRA"
        return NotFound(f"not found: `{path}`", hint=hint)
    near = difflib.get_close_matches(
        path,
        known,
        _MOST_NAMED,
        0.4,
    )
    hint = f"`cuedeck recall --kind extra TEXT` searches the files below {EXTRA}"
    if near:
        hint = f"did you mean `{near[0]}`?"
    return NotFound(f"not found: `{path}`", hint=hint, candidates=tuple(near))


def _range(anchor: str, last: int, path: str) -> tuple[int, int]:
    lines = parse_lines(anchor) if anchor else LineRange(1, 0)
    is_known = lines is not None and 1 <= lines.start <= max(last, 1)
    if lines is None or not is_known:
        raise NotFound(
            f"`{path}` has no part `#{anchor}`",
            hint=f"it has {last:,} lines; give #L1-L{last}",
        )
    return lines.start, min(lines.end or last, last)
