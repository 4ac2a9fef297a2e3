"""A workspace in memory: texts through the real parsers, without disk, index or clock."""

from __future__ import annotations

import difflib
import hashlib
import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from tempfile import gettempdir

from cuedeck.graph.reach import Reach, reach
from cuedeck.graph.resolve import resolve_address
from cuedeck.model.address import name_key
from cuedeck.model.node import File, Secret
from cuedeck.model.ports import Count
from cuedeck.model.scene import Scene, Visit
from cuedeck.parse.decode import decode
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.table import parse_file
from cuedeck.scene.mask import Mask
from cuedeck.scene.receipt import receipt
from cuedeck.scene.render import render
from cuedeck.scene.views import Views
from cuedeck.scene.walk import walk
from cuedeck.store.index import Index
from cuedeck.store.read import names_of
from cuedeck.store.tokens import Tokens

CARD = ".cuedeck/cards/2a9f1x.md"


class Memory:
    """Files given as {path: text or bytes}; implements `Lookup` and `Texts`."""

    def __init__(self, texts: Mapping[str, str | bytes]) -> None:
        self._data = {path: text.encode() if isinstance(text, str) else text for path, text in sorted(texts.items())}
        self._files = {path: parse_file(path, data) for path, data in self._data.items()}
        self._texts: dict[str, str] = {}
        self._secrets: dict[str, Sequence[Secret]] = {}
        self._names: dict[str, list[str]] = {}
        for path, file in self._files.items():
            for name in names_of(file):
                self._names.setdefault(name, []).append(path)

    def file(self, path: str) -> File | None:
        return self._files.get(path)

    def hash(self, path: str) -> str:
        return hashlib.sha256(self._data[path]).hexdigest()

    def named(self, key: str) -> Sequence[str]:
        return self._names.get(key, ())

    def folder(self, path: str) -> Sequence[str]:
        inside = "" if path in ("", ".") else path + "/"
        return [known for known in self._data if known.startswith(inside)]

    def similar(self, path: str) -> Sequence[str]:
        key = name_key(posixpath.splitext(posixpath.basename(path))[0])
        near = difflib.get_close_matches(key, sorted(self._names), 5, 0.6)
        return list(dict.fromkeys(path for name in near for path in self._names[name]))[:5]

    def text(self, path: str) -> str:
        if path not in self._texts:
            self._texts[path] = decode(self._data[path]).text
        return self._texts[path]

    def secrets(self, path: str) -> Sequence[Secret]:
        if path not in self._secrets:
            self._secrets[path] = find_secrets(self.text(path))
        return self._secrets[path]


class Letters:
    """A counter for tests of plans: every four characters begun are a token."""

    encoding = "letters"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    def cut(self, text: str, limit: int) -> str:
        return text[: 4 * max(limit, 0)]


@cache
def tokens(encoding: str = "o200k_base") -> Tokens:
    """Return the real counter, its counts kept in memory."""
    return Tokens(encoding, Index(""), gettempdir())


@dataclass
class Walked:
    """A root, what it reaches, and the visits of its scene."""

    memory: Memory
    found: Reach
    visits: tuple[Visit, ...]

    @property
    def addresses(self) -> list[str]:
        return [visit.address for visit in self.visits]

    def visit(self, address: str) -> Visit:
        return next(visit for visit in self.visits if visit.address == address)


def walked(texts: Mapping[str, str | bytes], root: str = CARD, depth: int = 3, pinned: Sequence[str] = ()) -> Walked:
    """Walk a workspace from one of its files."""
    memory = Memory(texts)
    found = reach(resolve_address(root, memory), memory, depth, pinned)
    return Walked(memory, found, walk(found))


def build(
    texts: Mapping[str, str | bytes],
    budget: int = 16_000,
    *,
    root: str = CARD,
    depth: int = 3,
    pinned: Sequence[str] = (),
    encoding: str = "o200k_base",
) -> Scene:
    """Build the scene of a workspace as the product does, without its disk."""
    here = walked(texts, root, depth, pinned)
    memory, count, mask = here.memory, tokens(encoding), Mask(here.memory, find_secrets)
    file = memory.file(here.visits[0].path)
    assert file is not None
    hashes = {visit.path: memory.hash(visit.path) for visit in here.visits if visit.kind != "folder"}
    choices = {"budget": budget, "depth": depth, "encoding": encoding}
    return render(
        file.title or file.path,
        here.visits,
        here.found.unresolved,
        views=Views(memory, mask, count, budget),
        mask=mask,
        count=count,
        budget=budget,
        receipt=receipt(choices, hashes, here.visits, here.found.unresolved),
    )


def card(*refs: str, title: str = "Fix login", body: str = "Make it work.\n", extra: str = "") -> str:
    """Return the text of a card with refs as YAML items."""
    listed = "refs:\n" + "".join(f"  - {ref}\n" for ref in refs) if refs else ""
    return f"---\ntitle: {title}\nstatus: active\n{extra}{listed}---\n\n# Task\n\n{body}"


def views(here: Walked, budget: int = 16_000, count: Count | None = None) -> Views:
    """Return the views of a walked workspace."""
    return Views(here.memory, Mask(here.memory, find_secrets), count or tokens(), budget)
