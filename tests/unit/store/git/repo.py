"""Real repositories for the tests of history, made with git itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import plain_git

FIRST_SECOND = 1_700_000_000


class Repo:
    """A repository in a folder. Author and time are fixed, so that ids are the same in
    every run.
    """

    def __init__(self, root: Path, *options: str) -> None:
        self.root = root
        self._second = FIRST_SECOND
        root.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", "--template=", *options)

    def copy(self, root: Path) -> Repo:
        """Return the same repository in another folder."""
        shutil.copytree(self.root, root)
        made = Repo.__new__(Repo)
        made.root, made._second = root, self._second
        return made

    def git(self, *arguments: str, stdin: str | bytes = b"") -> str:
        """Run git; return its output."""
        stdin = stdin.encode() if isinstance(stdin, str) else stdin
        ran = subprocess.run(
            ["git", *arguments],
            cwd=self.root,
            env=self._environ(),
            capture_output=True,
            input=stdin,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout.decode(errors="replace").strip()

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file, with the folders above it."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def commit(
        self,
        message: str | bytes,
        files: Mapping[str, str | bytes | None] | None = None,
        *options: str,
    ) -> str:
        """Commit everything in the tree, after some files are written or, for None,
        deleted; return the id.
        """
        for path, content in (files or {}).items():
            if content is None:
                (self.root / path).unlink()
            else:
                self.write(path, content)
        self._second += 60
        self.git("add", "-A")
        text = self.git(
            "commit",
            "--allow-empty",
            "--cleanup=verbatim",
            "-F",
            "-",
            *options,
            stdin=message,
        )
        return _ID.findall(text)[0]

    def commit_raw(
        self, message: bytes, files: Mapping[str, str | bytes | None]
    ) -> str:
        """Commit with a message that git itself would clean up; return the id."""
        self.commit("to be replaced", files)
        head, _ = self.git("cat-file", "commit", "HEAD").split("\n\n")
        answer = head.encode() + b"\n\n" + message
        self.git(
            "reset",
            "-q",
            "--soft",
            self.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=answer),
        )
        return self.git("rev-parse", "HEAD")

    def commit_often(self, count: int) -> None:
        """Make the branch `long`, of commits named by numbers that change one file, and
        put HEAD on it.
        """
        stream = []
        for at in range(count):
            line = f"line {at} of it\n"
            stream.append(
                f"commit refs/heads/long\ncommitter Ada <ada@example.org> {FIRST_SECOND + at} +0000\n"
            )
            stream.append(
                f"data {len(str(at))}\n{at}\nM 644 inline a.txt\ndata {len(line)}\n{line}\n"
            )
        self.git(
            "-c",
            "fastimport.unpackLimit=10000",
            "fast-import",
            "--quiet",
            stdin="".join(stream),
        )
        self.git("symbolic-ref", "HEAD", "refs/heads/long")

    def object(self, identity: str) -> Path:
        """Return the place of a loose object."""
        return self.root / ".git/objects" / identity[:2] / identity[2:]

    def lose(self, *revisions: str) -> None:
        """Delete objects, as a partial clone lacks them."""
        for identity in self.git("rev-parse", *revisions).split():
            self.object(identity).unlink()

    def _environ(self) -> dict[str, str]:
        when = f"{self._second} +0000"
        dates = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
        return plain_git.outer_environ() | _SETTINGS | dates


_SETTINGS = {
    **plain_git.settings({"core.abbrev": "no"}),
    **plain_git.person("Ada", "ada@example.org"),
}
"""Full ids in the output of git."""
_ID = re.compile("([0-9a-f]{40,64})]")
