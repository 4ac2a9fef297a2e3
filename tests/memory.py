"""A workspace in memory: texts are parsed by the real parsers, without disk, index or
clock.
"""

from __future__ import annotations

import difflib
import hashlib
import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from tempfile import gettempdir
from typing import Any

from cuedeck.context.ranking.candidates import candidate_pool
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.signal_scores import RankingContext
from cuedeck.context.scene.frame import receipt
from cuedeck.context.scene.ledger_blocks import Fitted
from cuedeck.context.scene.related_files import RelatedFiles, rank_related, with_bodies
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.render import RankedParts, SceneInputs, render_scene
from cuedeck.context.scene.visit_heading import VisitRenderer
from cuedeck.context.scene.visit_views import Views
from cuedeck.context.scene.walk import walk
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.neighbourhood import Neighbourhood, neighbourhood
from cuedeck.model.address import name_key
from cuedeck.model.commit import Commit, Touched
from cuedeck.model.entry_node import EntryNode, Retired
from cuedeck.model.file import File, Root, Words
from cuedeck.model.ports import Count
from cuedeck.model.scene_values import Scene, Visit
from cuedeck.model.secret import Secret
from cuedeck.parse.index_terms import PROJECT, IndexTerms, build_index_terms, read_words
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.parse_file import parse_file
from cuedeck.parse.secrets import find_secrets
from cuedeck.parse.secrets.mask import Mask
from cuedeck.parse.text_decoding import decode, line_sum, line_sums
from cuedeck.store.index import Index
from cuedeck.store.index.read_file import names_of
from cuedeck.store.tokens.token_counter import Tokens

CARD = ".cuedeck/cards/2a9f1x.md"


class Memory:
    """Files given as {path: text or bytes}; implements `Lookup` and `Texts`."""

    def __init__(self, texts: Mapping[str, str | bytes]) -> None:
        self._data = {
            path: text.encode() if isinstance(text, str) else text
            for path, text in sorted(texts.items())
        }
        self._files = {
            path: parse_file(path, data) for path, data in self._data.items()
        }
        self._texts: dict[str, str] = {}
        self._secrets: dict[str, Sequence[Secret]] = {}
        self._names: dict[str, list[str]] = {}
        self.ledgers: Mapping[str, Sequence[str]] = {}
        self.nodes: Mapping[str, EntryNode] = {}
        self.replaced: Mapping[str, Retired] = {}
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

    def paths(self) -> Sequence[str]:
        return self.folder("")

    def similar(self, path: str) -> Sequence[str]:
        key = name_key(posixpath.splitext(posixpath.basename(path))[0])
        near = difflib.get_close_matches(key, sorted(self._names), 5, 0.6)
        return list(dict.fromkeys(path for name in near for path in self._names[name]))[
            :5
        ]

    def entries(self, kind: str, start: str = "") -> Sequence[str]:
        return [each for each in self.ledgers.get(kind, ()) if each.startswith(start)]

    def similar_entries(self, address: str) -> Sequence[str]:
        return ()

    def entry(self, address: str) -> EntryNode | None:
        return self.nodes.get(address)

    def retired(self, address: str) -> Retired | None:
        return self.replaced.get(address)

    def holds_secret(self, text: str) -> bool:
        return bool(find_secrets(text))

    def text(self, path: str) -> str:
        if path not in self._texts:
            decoded = as_shown(path, decode(self._data[path]))
            self._texts[path] = decoded.text
        return self._texts[path]

    def secrets(self, path: str) -> Sequence[Secret]:
        if path not in self._secrets:
            self._secrets[path] = find_secrets(self.text(path))
        return self._secrets[path]


class InMemoryCorpus:
    """The index terms of a workspace in memory, and a history given as values;
    implements `Corpus`.
    """

    population = 1

    def __init__(self, memory: Memory, commits: Sequence[Commit] = ()) -> None:
        self._memory = memory
        self._commits = tuple(commits)
        read = {path: _facts(memory, path) for path in memory.folder("")}
        facts = {path: each for path, each in read.items() if each is not None}
        self._words = {
            path: read_words(_file(memory, path), memory.text(path)) for path in facts
        }
        self._lengths = {path: each.length for path, each in facts.items()}
        self._names = {path: each.names for path, each in facts.items()}
        self._postings: dict[str, dict[str, int]] = {}
        for path, each in facts.items():
            for term, times in each.counts.items():
                self._postings.setdefault(term, {})[path] = times

    def follow(self) -> Sequence[str] | None:
        return None

    def postings(self, term: str) -> Mapping[str, int]:
        return self._postings.get(term, {})

    def spread(self, term: str) -> int:
        return len(self.postings(term))

    def lengths(self) -> Mapping[str, int]:
        return self._lengths

    def names(self) -> Mapping[str, int]:
        return self._names

    def words(self, path: str) -> Words | None:
        return self._words.get(path)

    def sums(self, path: str) -> Sequence[int]:
        words = self._words.get(path)
        return line_sums(self._memory.text(path)) if words and words.chunks else ()

    def roots(self) -> Sequence[tuple[str, Root]]:
        files = (self._memory.file(path) for path in sorted(self.postings(PROJECT)))
        return [
            (file.path, root)
            for file in files
            if file is not None
            for root in file.roots
        ]

    def commits(self) -> Sequence[Commit]:
        return self._commits


def _facts(memory: Memory, path: str) -> IndexTerms | None:
    text = memory.text(path)
    for secret in reversed(memory.secrets(path)):
        text = text[: secret.start] + text[secret.end :]
    return build_index_terms(_file(memory, path), text)


def _file(memory: Memory, path: str) -> File:
    file = memory.file(path)
    assert file is not None
    return file


def module(*names: str, lines: int = 12) -> str:
    """Return a source with functions that have long bodies."""
    body = "".join(
        f"    step_{at} = something_long(number, {at})\n" for at in range(lines)
    )
    return "\n\n".join(f"def {name}(number):\n{body}" for name in names)


def touched(path: str, *lines: str, before: str = "") -> Touched:
    """Return a file changed by a commit, given by the lines that it added."""
    return Touched(path, before, [sum_ for sum_ in map(line_sum, lines) if sum_])


def commit(subject: str, *files: Touched, body: str = "") -> Commit:
    """Return a commit whose id is derived from its content."""
    identity = hashlib.sha1(repr((subject, body, files)).encode()).hexdigest()
    return Commit(identity, 1_700_000_000, subject, body, files)


class LetterCounter:
    """A token counter for tests of plans: four characters are a token."""

    encoding = "letters"

    def count(self, text: str) -> int:
        return -(-len(text) // 4)

    def cut(self, text: str, limit: int) -> str:
        return text[: 4 * max(limit, 0)]


@cache
def tokens(encoding: str = "o200k_base") -> Tokens:
    """Return the real token counter with its counts in memory."""
    return Tokens(encoding, Index(""), gettempdir())


@dataclass
class WalkedWorkspace:
    """A walked workspace: its files, its neighbourhood and the visits of its scene."""

    memory: Memory
    found: Neighbourhood
    visits: tuple[Visit, ...]

    @property
    def addresses(self) -> list[str]:
        return [visit.address for visit in self.visits]

    def visit(self, address: str) -> Visit:
        return next(visit for visit in self.visits if visit.address == address)


def walk_files(
    texts: Mapping[str, str | bytes],
    root: str = CARD,
    depth: int = 3,
    pinned: Sequence[str] = (),
) -> WalkedWorkspace:
    """Walk a workspace from one of its files."""
    memory = Memory(texts)
    found = neighbourhood(resolve_address(root, memory), memory, depth, pinned)
    visits = tuple(_with_overview(visit, memory) for visit in walk(found))
    return WalkedWorkspace(memory, found, visits)


def _with_overview(visit: Visit, memory: Memory) -> Visit:
    """Return a visit; a folder has a line for each of its files as overview."""
    if visit.kind != "folder":
        return visit
    paths = memory.folder(visit.path.rstrip("/"))
    return replace(visit, text="".join(f"- {path}\n" for path in paths))


@dataclass
class RankingInputs:
    """The parts of an open workspace that the related tier reads, in memory."""

    index: Memory
    corpus: InMemoryCorpus
    count: Count
    caches: dict[Any, Any] = field(default_factory=dict)

    @property
    def texts(self) -> Memory:
        return self.index

    def counter(self) -> Count:
        return self.count

    def pause(self) -> None:
        """Do nothing."""

    def cached(self, make: Callable[[], Any]) -> Any:
        if make not in self.caches:
            self.caches[make] = make()
        return self.caches[make]


def ranking_inputs(
    here: WalkedWorkspace, commits: Sequence[Commit] = (), count: Count | None = None
) -> Any:
    """Return a walked workspace as an argument of `rank_related`."""
    return RankingInputs(
        here.memory, InMemoryCorpus(here.memory, commits), count or tokens()
    )


def rank_workspace(
    texts: Mapping[str, str | bytes], commits: Sequence[Commit] = ()
) -> RelatedFiles:
    """Return the ranking context of a workspace and its ranking."""
    here = walk_files(texts)
    return rank_related(ranking_inputs(here, commits), here.visits, {})


def ranking_context(
    texts: Mapping[str, str | bytes], commits: Sequence[Commit] = ()
) -> RankingContext:
    """Return the ranking context of a workspace."""
    return rank_workspace(texts, commits).context


def related_tier(
    here: WalkedWorkspace, commits: Sequence[Commit] = (), budget: int = 16_000
) -> RelatedTier:
    """Return the related tier of a walked workspace."""
    return tier_of(
        here,
        rank_related(ranking_inputs(here, commits), here.visits, {}),
        Mask(here.memory, find_secrets),
        budget,
    )


def tier_of(
    here: WalkedWorkspace,
    found: RelatedFiles,
    mask: Mask,
    budget: int,
    count: Count | None = None,
) -> RelatedTier:
    """Return the related tier of a ranking."""
    count = count or tokens()
    pool = candidate_pool(found.context, found.ranking)
    renderer = VisitRenderer(here.memory, mask, count, budget)
    return RelatedTier(pool, here.visits[0], renderer, Memo())


def build(
    texts: Mapping[str, str | bytes],
    budget: int = 16_000,
    *,
    root: str = CARD,
    depth: int = 3,
    pinned: Sequence[str] = (),
    encoding: str = "o200k_base",
    share: float = 0.0,
    commits: Sequence[Commit] = (),
    blocks: Sequence[Fitted] = (),
) -> Scene:
    """Build the scene of a workspace without its disk; the related tier may fill
    `share` of the budget.
    """
    here = walk_files(texts, root, depth, pinned)
    memory, count, mask = here.memory, tokens(encoding), Mask(here.memory, find_secrets)
    file = memory.file(here.visits[0].path)
    assert file is not None
    visits, most = here.visits, int(budget * share)
    hashes = {
        visit.path: memory.hash(visit.path)
        for visit in visits
        if visit.kind != "folder"
    }
    choices: dict[str, object] = {
        "budget": budget,
        "depth": depth,
        "encoding": encoding,
    }
    found = (
        rank_related(ranking_inputs(here, commits, count), visits, {}) if most else None
    )
    made = Views(VisitRenderer(memory, mask, count, budget))
    if made.exceed_share(visits):
        pointing = found or rank_related(
            ranking_inputs(here, commits, count), visits, {}
        )
        visits = with_bodies(visits, pointing, memory)
    if found is not None:
        choices["related"] = most
        hashes |= {
            each.path: memory.hash(each.path) for each in found.ranking.candidates
        }
    tier = tier_of(here, found, mask, budget, count) if found is not None else None
    unresolved = here.found.unresolved
    return render_scene(
        SceneInputs(
            file.title or file.path,
            visits,
            unresolved,
            made,
            RankedParts(tier),
            related_most=most,
            blocks=blocks,
            receipt=receipt(choices, hashes, visits, unresolved),
        )
    )


def card(
    *refs: str, title: str = "Fix login", body: str = "Make it work.\n", extra: str = ""
) -> str:
    """Return the text of a card with the refs as YAML items."""
    listed = "refs:\n" + "".join(f"  - {ref}\n" for ref in refs) if refs else ""
    return (
        f"---\ntitle: {title}\nstatus: active\n{extra}{listed}---\n\n# Task\n\n{body}"
    )


def views(
    here: WalkedWorkspace, budget: int = 16_000, count: Count | None = None
) -> Views:
    """Return the views of a walked workspace."""
    mask = Mask(here.memory, find_secrets)
    return Views(VisitRenderer(here.memory, mask, count or tokens(), budget))
