"""Reader of commits: first messages and file names, then the added lines."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import NamedTuple
from zlib import crc32

from cuedeck.model.commit import Commit, Touched
from cuedeck.model.ports import Progress
from cuedeck.parse.text_decoding import LEAST, line_sum
from cuedeck.store.git.git_process import GitDied, GitProcess, borrowed_objects
from cuedeck.store.git.head import Repository
from cuedeck.store.git.history_diagnostics import FAILED, NO_GIT, GitFault

_FIRST_BATCH = 125
"""Commits of the first batch; each further batch is twice as large, so that few
processes are started.
"""
MOST_BYTES = 32_000_000
"""Maximum size of the output for one commit; the rest is dropped."""
_DIFF = (
    f"-c core.quotePath=false -c core.attributesFile={os.devnull} -c core.bigFileThreshold=1m"
    " diff-tree --stdin --root -r --no-color --no-ext-diff --no-textconv --ignore-submodules=all"
).split()
_OUTLINE = [
    "--name-status",
    "-z",
    "-M100%",
    "--always",
    "--encoding=UTF-8",
    "--format=%x00%ct%x00%s%x00%b%x00",
]
# A commit with more than 60 rename candidates touches too many files anyway.
_PATCH = [
    "-p",
    "-U0",
    "-M50%",
    "-l60",
    "--no-commit-id",
    "--full-index",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--src-prefix=a/",
    "--dst-prefix=b/",
]


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
    """Yield each commit once, within a batch in no order. A commit on which git dies,
    and those after it, have no lines, or no files.

    Raises: GitFault, after the commits that were read before the fault.
    """
    if not ids:
        return
    done = 0
    try:
        with borrowed_objects(repository, ids[0]) as variables:
            diffs = _Diffs(repository, variables, deadline)
            for batch in _batches(ids):
                for record in _read(diffs, batch):
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


def _read(diffs: _Diffs, ids: Sequence[str]) -> Iterator[Record]:
    wanted = []
    for identity, answer in zip(ids, diffs.answers(_OUTLINE, ids), strict=True):
        commit = parse_outline(identity, answer or b"")
        if commit is None:
            yield Record(Commit(identity, 0, "", "", ()), is_torn=True)
        elif commit.files:
            wanted.append(commit)
        else:
            yield Record(commit)
    patches = diffs.answers(_PATCH, [commit.id for commit in wanted])
    for commit, patch in zip(wanted, patches, strict=True):
        files = commit.files
        # A person does not write as much text as a longer patch.
        if patch is not None and len(patch) < MOST_BYTES:
            files = parse_patch(patch)
        if len(files) > MOST_FILES:
            files = ()
        yield Record(commit._replace(files=files), is_torn=patch is None)


class _Diffs:
    """Differences between commits and their parents, read in a repository that has only
    the objects of another one.
    """

    def __init__(
        self,
        repository: Repository,
        variables: dict[str, str],
        deadline: float | None,
    ) -> None:
        self._relative = (
            [f"--relative={repository.prefix}"] if repository.prefix else []
        )
        self._variables = variables
        self._deadline = deadline
        self._died: list[Sequence[str]] = []
        """Arguments with which git died."""

    def answers(
        self, arguments: Sequence[str], ids: Sequence[str]
    ) -> Iterator[bytes | None]:
        """Yield what git prints for each commit; None from the one on, in this call or
        an earlier one, on which git dies. Raises: GitFault.
        """
        count = 0
        if ids and arguments not in self._died:
            for answer in self._stream(arguments, ids):
                yield answer
                count += 1
            if count < len(ids):
                self._died.append(arguments)
        yield from repeat(None, len(ids) - count)

    def _stream(self, arguments: Sequence[str], ids: Sequence[str]) -> Iterator[bytes]:
        # git echoes a line that is not an id, which marks the end of an answer. No
        # commit message can contain this one.
        mark = f"={ids[0]}"
        answered = 0
        with tempfile.TemporaryFile() as feed:
            # A pipe could fill up while git waits for its output to be read.
            feed.write("".join(f"{each}\n\n{mark}\n" for each in ids).encode())
            feed.seek(0)
            process = GitProcess(
                [*_DIFF, *arguments, *self._relative],
                self._variables["GIT_DIR"],
                self._variables,
                deadline=self._deadline,
                stdin=feed,
            )
        try:
            with contextlib.closing(process.chunks()) as chunks:
                for answer in _cut(chunks, f"\n{mark}\n".encode()):
                    yield answer
                    answered += 1
        except GitDied:
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
