"""`python -m benchmarks.layers.prepare KIND OUT SOURCE ...`: write the data of the
quality benchmarks of layers. The data is never committed.

KIND is `docs` or `sources` (SOURCE: git clones, bare or not), or `sessions` (SOURCE:
conversation files of LoCoMo).
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from cuedeck.text.words import read_terms

_LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^()\s]+)\)")
_TEST = re.compile(
    r"(?:^|/)(?:tests?|testing)(?:/|$)|(?:^|/)(?:test_|conftest)|_test\.py$"
)
_NOT_DOCS = re.compile(
    r"(?:^|/)(?:tests?|testing|fixtures|examples?|node_modules|vendor|templates)(?:/|$)"
    r"|(?:^|/)(?!en/)[a-z]{2}(?:-[a-zA-Z]{2,4})?/"
)
"""Test data, and translations: the folders of languages other than English."""
_SUBJECT_PREFIX = re.compile(r"^[a-z]+(?:\([^)]*\))?!?: ")
_ISSUE = re.compile(r"\s*\(?(?:refs? |closes? |fix(?:es)? )?#\d+\)?", re.IGNORECASE)
_MOST_COMMITS = 300
"""Newest fitting commits of each repository."""
_MOST_FILES = 3
_DOC = 500_000
"""Characters of the largest text."""


def main() -> int:
    """Write the requested data."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layers.prepare")
    parser.add_argument("kind", choices=sorted(_KINDS))
    parser.add_argument("out", type=Path)
    parser.add_argument("sources", nargs="+", type=Path)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    rows = list(_KINDS[asked.kind](asked.sources))
    place = asked.out / f"{asked.kind}.jsonl"
    with place.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    print(f"{place}: {len(rows):,} rows")
    return 0


def _documents(clones: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for clone in clones:
        texts = {
            path: text
            for path, text in _texts(clone, ".md")
            if not _NOT_DOCS.search(path)
        }
        for path, text in texts.items():
            yield {"repo": clone.name, "path": path, "text": text}
        queries = {
            query: None
            for path in texts
            for query in _anchors(path, texts[path], texts)
        }
        for words, target in queries:
            yield {"repo": clone.name, "query": words, "paths": [target]}


def _anchors(path: str, text: str, texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the text and the target of each link to another whole document."""
    for words, target in _LINK.findall(text):
        words = " ".join(words.replace("`", "").split())
        if "://" in target or "#" in target or "/" in words or words.endswith(".md"):
            continue
        found = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if found in texts and found != path and read_terms(words):
            yield words, found


def _sources(clones: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for clone in clones:
        texts = {
            path: text for path, text in _texts(clone, ".py") if not _TEST.search(path)
        }
        for path, text in texts.items():
            yield {"repo": clone.name, "path": path, "text": text}
        kept = 0
        for subject, paths in _commits(clone):
            touched = [path for path in paths if path in texts]
            words = _ISSUE.sub("", _SUBJECT_PREFIX.sub("", subject))
            if not 1 <= len(touched) <= _MOST_FILES or not read_terms(words):
                continue
            yield {"repo": clone.name, "query": words, "paths": touched}
            kept += 1
            if kept == _MOST_COMMITS:
                break


def _sessions(files: Sequence[Path]) -> Iterator[dict[str, Any]]:
    for file in sorted(files):
        data = json.loads(file.read_text(encoding="utf-8"))
        conversation = data.get("conversation", data)
        for key, turns in conversation.items():
            if re.fullmatch(r"session_\d+", key) and isinstance(turns, list):
                yield {
                    "conversation": file.stem,
                    "session": int(key.removeprefix("session_")),
                    "date": conversation.get(f"{key}_date_time", ""),
                    "turns": [
                        [turn["dia_id"], turn["speaker"], turn.get("text") or ""]
                        for turn in turns
                    ],
                }
        for question in data["qa"]:
            evidence = re.findall(r"D\d+:\d+", " ".join(question.get("evidence") or []))
            if question["category"] in (1, 2, 3, 4) and evidence:
                yield {
                    "conversation": file.stem,
                    "query": question["question"],
                    "evidence": evidence,
                }


def _texts(clone: Path, suffix: str) -> Iterator[tuple[str, str]]:
    for path in _git(clone, "ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0"):
        if path.endswith(suffix):
            text = _git(clone, "show", f"HEAD:{path}")
            if text.strip() and len(text) <= _DOC:
                yield path, text


def _commits(clone: Path) -> Iterator[tuple[str, list[str]]]:
    log = _git(
        clone,
        "log",
        "--no-merges",
        "--no-renames",
        "--name-only",
        "--format=%x01%s",
        "-n",
        "6000",
    )
    for entry in log.split("\x01")[1:]:
        subject, *paths = entry.strip().split("\n")
        yield subject, [path for path in paths if path]


def _git(clone: Path, *arguments: str) -> str:
    place = clone / "repo" if (clone / "repo").is_dir() else clone
    done = subprocess.run(
        ["git", f"--git-dir={place}", *arguments], capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "replace")


_KINDS: dict[str, Callable[[Sequence[Path]], Iterable[dict[str, Any]]]] = {
    "docs": _documents,
    "sources": _sources,
    "sessions": _sessions,
}


if __name__ == "__main__":
    sys.exit(main())
