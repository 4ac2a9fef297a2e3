"""Reader of commits: first messages and file names, then the added lines."""

from __future__ import annotations

import contextlib
import os
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.model.ports import Progress
from cuedeck.parse.text_decoding import LEAST, line_sum
from cuedeck.store.git.git_process import GitDied, borrowed_objects, git_output
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import FAILED, NO_GIT, GitFault

_FIRST_BATCH = 125
"""Commits of the first batch; each further batch is twice as large. An interrupted run
keeps the batches that it has read.
"""
MOST_BYTES = 32_000_000
"""Maximum size of the output for one commit; the rest is dropped."""
_DIFF = (
    f"-c core.quotePath=false -c core.attributesFile={os.devnull} -c core.bigFileThreshold=1m"
    " diff-tree --stdin --root -r --no-color --no-ext-diff --no-textconv --ignore-submodules=all"
).split()
_OUTLINE = (
    *("--raw", "-z", "-M100%", "--always", "--encoding=UTF-8"),
    "--format=%x00%ct%x00%s%x00%b%x00",
)
# A commit with more than 60 rename candidates touches too many files anyway.
_PATCH = (
    *("--raw", "-z", "-p", "-U0", "-M50%", "-l60", "--no-commit-id", "--full-index"),
    *("--diff-algorithm=myers", "--indent-heuristic"),
)


class Record(NamedTuple):
    """A commit as it was read; a commit whose files are of no use has none."""

    commit: Commit
    is_torn: bool = False
    """Whether parts of the commit are missing in the repository."""


def read_commits(
    repository: Repository,
    ids: Sequence[str],
    deadline: float | None = None,
    progress: Progress | None = None,
) -> Iterator[Record]:
    """Yield each commit once, in no order. A commit on which git dies, and those after
    it in its batch, have no lines, or no files.

    Raises: GitFault, after the commits that were read before the fault.
    """
    if not ids:
        return
    done = 0
    try:
        with borrowed_objects(repository, ids[0]) as variables:
            for batch in _batches(ids):
                for record in _records(batch, variables, repository.prefix, deadline):
                    yield record
                    done += 1
                    if progress:
                        progress(done, len(ids))
    except OSError as error:
        raise GitFault(NO_GIT) from error


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    start, size = 0, _FIRST_BATCH
    while start < len(ids):
        yield ids[start : start + size]
        start += size
        size *= 2


def _records(
    ids: Sequence[str], variables: dict[str, str], prefix: str, deadline: float | None
) -> Iterator[Record]:
    inside = (f"--relative={prefix}",) if prefix else ()
    outlines = _answers((*_OUTLINE, *inside), ids, variables, deadline)
    wanted = []
    for identity, answer in zip(ids, outlines, strict=True):
        commit = parse_outline(identity, answer or b"")
        if commit is None:
            yield Record(Commit(identity, 0, "", "", ()), is_torn=True)
        elif commit.files:
            wanted.append(commit)
        else:
            yield Record(commit)
    names = [commit.id for commit in wanted]
    patches = _answers((*_PATCH, *inside), names, variables, deadline)
    for commit, patch in zip(wanted, patches, strict=True):
        files = commit.files
        # A person does not write as much text as a longer patch.
        if patch is not None and len(patch) < MOST_BYTES:
            files = parse_patch(patch)
        if len(files) > MOST_FILES:
            files = ()
        yield Record(commit._replace(files=files), is_torn=patch is None)


def _answers(
    arguments: Sequence[str],
    ids: Sequence[str],
    variables: dict[str, str],
    deadline: float | None,
) -> Iterator[bytes | None]:
    """Yield what git prints for each commit; None from the one on, on which git dies.
    Raises: GitFault.
    """
    if not ids:
        return
    # git echoes a line that is not an id, which marks the end of an answer. No commit
    # message can contain this one.
    mark = f"={ids[0]}"
    answered = 0
    with tempfile.TemporaryFile() as feed:
        # A pipe could fill up while git waits for its output to be read.
        feed.write("".join(f"{each}\n\n{mark}\n" for each in ids).encode())
        feed.seek(0)
        output = git_output(
            (*_DIFF, *arguments), variables["GIT_DIR"], variables, deadline, feed
        )
        try:
            with contextlib.closing(output):
                for answer in _cut(output, f"\n{mark}\n".encode()):
                    yield answer
                    answered += 1
        except GitDied:
            yield from repeat(None, len(ids) - answered)
            return
    if answered < len(ids):
        raise GitFault(FAILED)


def _cut(chunks: Iterable[bytes], mark: bytes) -> Iterator[bytes]:
    """Yield the text before each mark, cut to MOST_BYTES; text after the last mark is
    incomplete and dropped.
    """
    buffer = bytearray()
    answer = b""
    for data in chunks:
        start = max(len(buffer) - len(mark), 0)
        buffer += data
        while (end := buffer.find(mark, start)) >= 0:
            yield (answer + bytes(buffer[:end]))[:MOST_BYTES]
            del buffer[: end + len(mark)]
            start = 0
            answer = b""
        if len(buffer) > MOST_BYTES:
            # The end of the buffer may be the beginning of a mark.
            answer = (answer + bytes(buffer[: -len(mark)]))[:MOST_BYTES]
            del buffer[: -len(mark)]


MOST_FILES = 30
"""Maximum number of files in a commit; a larger one is a bulk change, whose files are
unrelated.
"""
_MOST_BODY = 2_000
_RAW_LIMIT = 2 * MOST_FILES
"""Maximum number of names before renames are detected; a rename merges two names."""
_NO_LINES: Sequence[int] = array("I")
_SUBMODULE = b"160000"
"""Mode of an entry of git."""


def parse_outline(commit: str, answer: bytes) -> Commit | None:
    """Return a commit with the names of its files, or None if the output is malformed.

    The files of a bulk change are omitted, so that its lines are not read.
    """
    parts = answer.split(b"\0", 4)
    if len(parts) != 5 or not parts[1].isdigit():
        return None
    _, seconds, subject, body, names = parts
    files = tuple(touched for touched, _, kind in _entries(names) if kind != _SUBMODULE)
    if len(files) > _RAW_LIMIT:
        files = ()
    return Commit(
        commit, int(seconds), _text(subject), _text(body).strip()[:_MOST_BODY], files
    )


def parse_patch(answer: bytes) -> tuple[Touched, ...]:
    """Return the files of a commit and the lines it added to them. Order: as in the
    patch.
    """
    names, _, patch = answer.partition(b"\0\0")
    # Inside a hunk each line begins with a sign, so neither mark can be text of a file.
    sections = iter((b"\n" + patch).split(b"\ndiff --git ")[1:])
    files = []
    for touched, status, kind in _entries(names + b"\0"):
        section = next(sections, b"")
        # If a file becomes a link, the patch deletes it and then creates it; the
        # creation counts.
        if status == b"T":
            section = next(sections, b"")
        elif kind == _SUBMODULE:
            continue
        if kind != _SUBMODULE:
            touched = touched._replace(added=_added(section.partition(b"\n@@ ")[2]))
        files.append(touched)
    return tuple(files)


def _entries(names: bytes) -> Iterator[tuple[Touched, bytes, bytes]]:
    """Yield the file, the status and the mode of each raw entry; a deleted file has the
    mode that it had.
    """
    words = iter(names.lstrip(b"\0\n").split(b"\0"))
    for entry in words:
        modes = entry[1:14].split(b" ")
        if not entry.startswith(b":") or len(modes) != 2:
            return
        status = entry.rpartition(b" ")[2][:1]
        before = next(words, b"") if status == b"R" else b""
        path = next(words, b"")
        touched = Touched(_text(path), _text(before), _NO_LINES)
        yield touched, status, modes[0] if status == b"D" else modes[1]


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
