"""Reader of commits: first messages and file names, then the added lines."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.model.ports import Progress
from cuedeck.parse.text_decoding import LEAST, line_sum
from cuedeck.store.git.commit_diffs import MOST_BYTES, Diffs

_FIRST_BATCH = 125
"""Commits of the first batch; each further batch is twice as large, so that few
processes are started.
"""


class Record(NamedTuple):
    """A commit as it was read; a commit whose files are of no use has none."""

    commit: Commit
    is_torn: bool = False
    """Whether parts of the commit are missing in the repository."""


def read_commits(
    diffs: Diffs, ids: Sequence[str], progress: Progress | None = None
) -> Iterator[Record]:
    """Yield each commit once, within a batch in no order; a commit on which git fails
    has no lines, or no files.

    Raises: GitFault, after the commits that were read before the fault.
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
    for identity in ids[len(outlines) :]:
        yield _unread(identity)
    wanted = []
    for record in outlines:
        if record.commit.files:
            wanted.append(record.commit)
        else:
            yield record
    done = 0
    for _, patch in diffs.patches([commit.id for commit in wanted]):
        yield _with_lines(wanted[done], patch)
        done += 1
    for commit in wanted[done:]:
        yield _without_bulk(commit, is_torn=True)


def _outlines(diffs: Diffs, ids: Sequence[str]) -> Iterator[Record]:
    for identity, answer in diffs.outlines(ids):
        commit = None
        if answer is not None:
            commit = parse_outline(identity, answer)
        yield Record(commit) if commit else _unread(identity)


def _with_lines(commit: Commit, patch: bytes | None) -> Record:
    if patch is None:
        return _without_bulk(commit, is_torn=True)
    if len(patch) >= MOST_BYTES:
        # The files are known, and a person does not write that much text.
        return _without_bulk(commit)
    return _without_bulk(commit._replace(files=parse_patch(patch)))


def _unread(identity: str) -> Record:
    return Record(Commit(identity, 0, "", "", ()), is_torn=True)


def _without_bulk(commit: Commit, *, is_torn: bool = False) -> Record:
    if len(commit.files) > MOST_FILES:
        commit = commit._replace(files=())
    return Record(commit, is_torn)


MOST_FILES = 30
"""Maximum number of files in a commit; a larger one is a bulk change, whose files are
unrelated.
"""
_MOST_BODY = 2_000
_RAW_LIMIT = 2 * MOST_FILES
"""Maximum number of names before renames are detected; a rename merges two names."""
_NO_LINES: Sequence[int] = array("I")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_ESCAPES = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
}
_SUBMODULE = re.compile(rb"^(?:new|deleted) file mode 160000$", re.MULTILINE)
_HEADERS = (b"--- ", b"+++ ", b"rename from ", b"rename to ")


def parse_outline(commit: str, answer: bytes) -> Commit | None:
    """Return a commit with the names of its files, or None if the output is malformed.

    The files of a bulk change are omitted, so that its lines are not read.
    """
    parts = answer.split(b"\0", 4)
    if len(parts) != 5 or not parts[1].isdigit():
        return None
    _, seconds, subject, body, names = parts
    files = _named(names.lstrip(b"\0\n").split(b"\0"))
    if len(files) > _RAW_LIMIT:
        files = ()
    return Commit(
        commit, int(seconds), _text(subject), _text(body).strip()[:_MOST_BODY], files
    )


def parse_patch(answer: bytes) -> tuple[Touched, ...]:
    """Return the files of a commit and the lines it added to them. Order: as in the
    patch.
    """
    files: dict[str, Touched] = {}
    for each in (b"\n" + answer).split(b"\ndiff --git ")[1:]:
        # Inside a hunk each line begins with a sign, so neither mark can be text of a
        # file.
        head, _, hunks = each.partition(b"\n@@ ")
        if _SUBMODULE.search(head):
            continue
        path, before = _paths(head)
        # If a file becomes a link, the patch deletes it and then creates it; the
        # creation counts.
        files[path] = Touched(path, before, _added(hunks))
    return tuple(files.values())


def _named(words: Sequence[bytes]) -> tuple[Touched, ...]:
    files: list[Touched] = []
    rest = iter(words)
    for status in rest:
        if not status:
            break
        before = ""
        if status.startswith(b"R"):
            before = _text(next(rest, b""))
        path = _text(next(rest, b""))
        files.append(Touched(path, before, _NO_LINES))
    return tuple(files)


def _paths(head: bytes) -> tuple[str, str]:
    """Return the path of a file and the one before a rename, from the lines above its
    first hunk.
    """
    first, *lines = head.split(b"\n")
    found: dict[bytes, bytes] = {}
    for line in lines:
        for mark in _HEADERS:
            if line.startswith(mark):
                found[mark] = line[len(mark) :]
    if b"rename to " in found:
        return _text(_unquote(found[b"rename to "])), _text(
            _unquote(found[b"rename from "])
        )
    # Without a rename the first line contains the same name twice.
    names = [found.get(b"+++ "), found.get(b"--- "), first[: len(first) // 2]]
    existing = [name for name in names if name and name != b"/dev/null"]
    if not existing:
        return "", ""
    name = _unquote(existing[0].removesuffix(b"\t"))
    return _text(name[2:]), ""


def _unquote(name: bytes) -> bytes:
    """Return a file name without the quotes and escapes that git uses for special
    characters.
    """
    if len(name) < 2 or not (name.startswith(b'"') and name.endswith(b'"')):
        return name
    return _ESCAPE.sub(_unescape, name[1:-1])


def _unescape(match: re.Match[bytes]) -> bytes:
    code: bytes = match[1]
    if len(code) == 3:
        return bytes((int(code, 8) & 255,))
    return _ESCAPES.get(code, code)


def _added(hunks: bytes) -> Sequence[int]:
    lines = [line[1:] for line in hunks.split(b"\n") if line[:1] == b"+"]
    if not lines:
        return _NO_LINES
    if hunks.isascii():  # the common case, without decoding
        stripped = [line.strip() for line in lines]
        return array("I", [crc32(line) for line in stripped if len(line) >= LEAST])
    sums = [line_sum(_decode(line)) for line in lines]
    return array("I", [total for total in sums if total])


def _decode(line: bytes) -> str:
    """Decode a line in the first matching encoding, as a file of the workspace is
    decoded.
    """
    for encoding in ("utf-8", "cp1252"):
        try:
            return line.decode(encoding)
        except UnicodeDecodeError:
            continue
    return line.decode("latin-1")


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
