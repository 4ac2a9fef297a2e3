"""Run in aider's Python, in a checkout: read a request from stdin, print a repository
map for each budget as JSON.

Does what `Coder.get_repo_map` of aider 0.86 does with a message, without a model and
without a network.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any


class Model:
    """The interface of a model that a map uses."""

    info: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self) -> None:
        import tiktoken

        self._encoding = tiktoken.get_encoding("o200k_base")

    def token_count(self, text: str) -> int:
        """Return the number of tokens."""
        return len(self._encoding.encode_ordinary(text))


class Files:
    """The interface of a terminal that a map uses."""

    def read_text(self, path: str) -> str | None:
        """Return the text of a file; None when it has none."""
        try:
            with open(path, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeError):
            return None

    def tool_output(self, *_: object) -> None:
        """Print nothing."""

    tool_warning = tool_error = tool_output


def mentioned_words(message: str) -> set[str]:
    """Return the identifiers of a message."""
    return set(re.split(r"\W+", message))


def mentioned_files(message: str, paths: Sequence[str], entry: str) -> set[str]:
    """Return the files that a message names by path, by a base name that is no plain
    word, or by a stem.
    """
    spoken = {word.rstrip(",.!;:?").strip("\"'`*_") for word in message.split()}
    found = {path for path in paths if path in spoken}
    by_base = _group((os.path.basename(path), path) for path in paths)
    for base, having in by_base.items():
        if (
            re.search(r"[._-]", base)
            and base != os.path.basename(entry)
            and len(having) == 1
            and base in spoken
        ):
            found.add(having[0])
    by_stem = _group(
        (os.path.splitext(os.path.basename(path))[0].lower(), path)
        for path in (*paths, entry)
    )
    for word in mentioned_words(message):
        if len(word) >= 5:
            found.update(by_stem.get(word.lower(), ()))
    return found


def _group(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    grouped: dict[str, list[str]] = defaultdict(list)
    for key, value in pairs:
        grouped[key].append(value)
    return grouped


def draw(asked: dict[str, Any], budget: int, model: Model) -> str:
    """Return the map of one budget."""
    from aider.repomap import RepoMap  # type: ignore[import-not-found]

    entry, message = asked["entry"], asked["message"]
    others = [path for path in asked["paths"] if path != entry]
    idents, names = mentioned_words(message), mentioned_files(message, others, entry)
    root = os.getcwd()
    files = {os.path.join(root, path) for path in others}
    chat = {os.path.join(root, entry)}
    repo_map = RepoMap(map_tokens=budget, root=root, main_model=model, io=Files())
    try:
        return (
            repo_map.get_repo_map(
                chat, files, mentioned_fnames=names, mentioned_idents=idents
            )
            or repo_map.get_repo_map(
                set(), files | chat, mentioned_fnames=names, mentioned_idents=idents
            )
            or repo_map.get_repo_map(set(), files | chat)
            or ""
        )
    finally:
        if hasattr(repo_map.TAGS_CACHE, "close"):
            repo_map.TAGS_CACHE.close()


def main() -> None:
    """Draw the first budget twice, without and with the cache of tags, and the others
    once.
    """
    import aider.repomap  # type: ignore[import-not-found]

    assert aider.repomap
    asked = json.load(sys.stdin)
    model = Model()
    seconds, maps = [], {}
    first = asked["budgets"][0]
    for budget in (first, *asked["budgets"]):
        started = time.perf_counter()
        maps[budget] = draw(asked, budget, model)
        seconds.append(time.perf_counter() - started)
    print("\n" + json.dumps({"maps": maps, "first": seconds[0], "second": seconds[1]}))


if __name__ == "__main__":
    main()
