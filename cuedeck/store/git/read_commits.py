"""Reading commits: first what they say and which files they touch, then the lines."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.model.ports import Progress
from cuedeck.parse.text_decoding import LEAST, line_sum
from cuedeck.store.git.commit_codec import TORN, WHOLE, Record
from cuedeck.store.git.commit_diffs import MOST_BYTES, Diffs

_FIRST_BATCH = 125
"""Commits of the first batch; each one after it is twice as large, so that few processes are started."""


def read_commits(diffs: Diffs, ids: Sequence[str], progress: Progress | None = None) -> Iterator[Record]:
    """Yield each of some commits once, those of a batch in no order; one that git fails on has no lines, or no files.

    Raises: GitFault, after the commits that were read before.
    """
    done = 0
    for batch in _batches(ids):
        for record in _read(diffs, batch):
            yield record
            done += 1
            if progress:
                progress(done, len(ids))


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    start, size = 0, _FIRST_BATCH
    while start < len(ids):
        yield ids[start : start + size]
        start += size
        size *= 2


def _read(diffs: Diffs, ids: Sequence[str]) -> Iterator[Record]:
    outlines = list(_outlines(diffs, ids))
    yield from (_nothing(each) for each in ids[len(outlines) :])
    yield from (record for record in outlines if not record.commit.files)
    wanted = [record.commit for record in outlines if record.commit.files]
    done = 0
    for _, answer in diffs.patches([commit.id for commit in wanted]):
        yield _with_lines(wanted[done], answer)
        done += 1
    yield from (_without_bulk(commit, TORN) for commit in wanted[done:])


def _outlines(diffs: Diffs, ids: Sequence[str]) -> Iterator[Record]:
    for each, answer in diffs.outlines(ids):
        commit = None if answer is None else parse_outline(each, answer)
        yield Record(commit, WHOLE) if commit else _nothing(each)


def _with_lines(commit: Commit, answer: bytes | None) -> Record:
    if answer is None:
        return _without_bulk(commit, TORN)
    if len(answer) >= MOST_BYTES:
        return _without_bulk(commit, WHOLE)  # its files are known, and so much text is nobody's work
    return _without_bulk(commit._replace(files=parse_patch(answer)), WHOLE)


def _nothing(identity: str) -> Record:
    return Record(Commit(identity, 0, "", "", ()), TORN)


def _without_bulk(commit: Commit, state: int) -> Record:
    return Record(commit._replace(files=()) if is_bulk(commit.files) else commit, state)


MOST_FILES = 30
"""Files from which on a commit is a bulk change: what lies in it together says nothing."""
_MOST_BODY = 2_000
_RAW_LIMIT = 2 * MOST_FILES
"""Names of a commit before its renames are known: each of them makes one of two."""
_NOTHING: Sequence[int] = array("I")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}
_SUBMODULE = re.compile(rb"^(?:new|deleted) file mode 160000$", re.MULTILINE)
_HEADERS = (b"--- ", b"+++ ", b"rename from ", b"rename to ")


def parse_outline(commit: str, answer: bytes) -> Commit | None:
    """Return a commit with the names of its files, or None when the answer is none.

    Files that a bulk change touches are left out, so that nothing is left to be read of it.
    """
    parts = answer.split(b"\0", 4)
    if len(parts) != 5 or not parts[1].isdigit():
        return None
    _, seconds, subject, body, names = parts
    files = _named(names.lstrip(b"\0\n").split(b"\0"))
    return Commit(
        commit,
        int(seconds),
        _text(subject),
        _text(body).strip()[:_MOST_BODY],
        files if len(files) <= _RAW_LIMIT else (),
    )


def parse_patch(answer: bytes) -> tuple[Touched, ...]:
    """Return the files of a commit and the lines it added to them. Order: as in the patch."""
    files: dict[str, Touched] = {}
    for each in (b"\n" + answer).split(b"\ndiff --git ")[1:]:
        # Inside a hunk each line begins with a sign, so that neither mark can be text of a file.
        head, _, hunks = each.partition(b"\n@@ ")
        if _SUBMODULE.search(head):
            continue
        path, before = _paths(head)
        # A file that becomes a link is deleted and made anew.
        files[path] = Touched(path, before, _added(hunks))
    return tuple(files.values())


def is_bulk(files: Sequence[Touched]) -> bool:
    """Tell whether a commit touches too many files."""
    return len(files) > MOST_FILES


def _named(words: Sequence[bytes]) -> tuple[Touched, ...]:
    files: list[Touched] = []
    rest = iter(words)
    for status in rest:
        if not status:
            break
        before = _text(next(rest, b"")) if status[:1] == b"R" else ""
        files.append(Touched(_text(next(rest, b"")), before, _NOTHING))
    return tuple(files)


def _paths(head: bytes) -> tuple[str, str]:
    """Return the path of a file and the one before a rename, from the lines above its first hunk."""
    first, *lines = head.split(b"\n")
    found = {line[: len(mark)]: line[len(mark) :] for line in lines for mark in _HEADERS if line.startswith(mark)}
    if b"rename to " in found:
        return _text(_unquote(found[b"rename to "])), _text(_unquote(found[b"rename from "]))
    # Without a rename the first line holds the same name twice.
    names = (found.get(b"+++ "), found.get(b"--- "), first[: len(first) // 2])
    name = next((name for name in names if name and name != b"/dev/null"), b"")
    return _text(_unquote(name.removesuffix(b"\t"))[2:]), ""


def _unquote(name: bytes) -> bytes:
    """Return a name as it is, from what git writes in quotes when it holds odd characters."""
    if len(name) < 2 or name[:1] != b'"' or name[-1:] != b'"':
        return name
    return _ESCAPE.sub(_unescape, name[1:-1])


def _unescape(match: re.Match[bytes]) -> bytes:
    code: bytes = match[1]
    return bytes((int(code, 8) & 255,)) if len(code) == 3 else _ESCAPES.get(code, code)


def _added(hunks: bytes) -> Sequence[int]:
    lines = [line[1:] for line in hunks.split(b"\n") if line[:1] == b"+"]
    if not lines:
        return _NOTHING
    if hunks.isascii():
        # The common case, without a detour through text.
        return array("I", [crc32(said) for line in lines if len(said := line.strip()) >= LEAST])
    return array("I", [total for line in lines if (total := line_sum(_decode(line)))])


def _decode(line: bytes) -> str:
    """Return a line as the workspace would read it in a file of that encoding."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
