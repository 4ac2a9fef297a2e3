"""Generated workspaces: equal numbers of docs and equal seeds give equal bytes."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.prose import module, paragraphs, phrase

SEED = 20_260_101
DOCS_PER_FOLDER = 100
DOCS_PER_CARD = 20
DOCS_PER_SOURCE = 10
ROOT_REFS = 4
"""Refs of the active card. With two links a doc, three links away lie 4 + 8 + 16 docs.
"""
MARK = "Reviewed in round {:06d}."
"""A line of every doc; a benchmark changes its number, so that a save changes bytes but
not sizes or links.
"""

_CONFIG = "[scene]\nbudget = 16000\ndepth = 3\n"
_IGNORED = "build/\ndist/\n*.log\n*.tmp\n"
_SUFFIXES = ("py", "ts", "rs")
_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_TAGS = ("api", "auth", "billing", "cache", "deploy", "events", "search", "storage")
_STATUSES = ("todo", "todo", "blocked", "done")


class Name(NamedTuple):
    """Title and path of a doc."""

    path: str
    title: str


class Workspace(NamedTuple):
    """A workspace on disk."""

    root: str
    docs: int
    files: int
    size: int
    """Bytes of all files."""

    @property
    def scene(self) -> str:
        return os.path.join(self.root, ".cuedeck", "SCENE.md")

    @property
    def cache(self) -> str:
        return os.path.join(self.root, ".cuedeck", "cache")


def files(
    docs: int, seed: int = SEED, docs_per_source: int = DOCS_PER_SOURCE
) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file of a workspace with this many docs.

    Order: settings, docs, sources, cards. There is a source for every
    `docs_per_source` docs, and a card for every twenty docs.
    """
    chance = random.Random(f"{seed} {docs}")
    names = [_name(number, chance) for number in range(docs)]
    sources = [_source_path(number) for number in range(docs // docs_per_source)]
    yield ".gitignore", _IGNORED
    yield ".cuedeck/config.toml", _CONFIG
    for number in range(docs):
        yield names[number].path, _doc(number, names, sources, chance)
    for number, path in enumerate(sources):
        yield path, module(path.rpartition(".")[2], number, chance)
    cards = [_card_id(number, seed) for number in range(max(1, docs // DOCS_PER_CARD))]
    for number, card in enumerate(cards):
        yield f".cuedeck/cards/{card}.md", _card(card, number, names, chance)


def write_workspace(
    root: str, docs: int, seed: int = SEED, docs_per_source: int = DOCS_PER_SOURCE
) -> Workspace:
    """Write a workspace into the new folder `root`."""
    count = size = 0
    made: set[str] = set()
    for path, text in files(docs, seed, docs_per_source):
        place = os.path.join(root, *path.split("/"))
        folder = os.path.dirname(place)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        data = text.encode()
        with open(place, "wb", buffering=0) as file:
            file.write(data)
        count, size = count + 1, size + len(data)
    return Workspace(root, docs, count, size)


def _name(number: int, chance: random.Random) -> Name:
    title = f"{phrase(chance).capitalize()} {number:06d}"
    stem = title.lower().replace(" ", "-")
    return Name(f"docs/part-{number // DOCS_PER_FOLDER:04d}/{stem}.md", title)


def _source_path(number: int) -> str:
    suffix = _SUFFIXES[number % len(_SUFFIXES)]
    return f"src/pack_{number // DOCS_PER_FOLDER:04d}/module_{number:06d}.{suffix}"


def _card_id(number: int, seed: int) -> str:
    """Return six letters; an odd factor permutes the numbers, so no two cards share an
    id.
    """
    value = (number * 468_337_141 + seed) % 32**6
    return "".join(_LETTERS[value >> shift & 31] for shift in range(25, -1, -5))


def _doc(
    number: int, names: Sequence[Name], sources: Sequence[str], chance: random.Random
) -> str:
    """Return a doc of about 1.3 kB with two links: one wiki link, and a Markdown link
    or a ref to a source.
    """
    title = names[number].title
    wiki, other = (names[chance.randrange(len(names))] for _ in range(2))
    head = [f"title: {title}", f"tags: [{', '.join(sorted(chance.sample(_TAGS, 2)))}]"]
    if sources and number % 5 == 0:
        head += ["refs:", f"  - {chance.choice(sources)}"]
        way = "The code has the last word."
    else:
        way = f"The background is in [{other.title.lower()}]({_relative(names[number].path, other.path)})."
    one, two, three, four = paragraphs(chance, 4)
    parts = [
        *("---", *head, "---", f"# {title}", "", one, ""),
        *(
            MARK.format(0),
            "",
            f"## {phrase(chance).capitalize()}",
            "",
            f"{two} See [[{wiki.title}]].",
            "",
        ),
        *(f"- {phrase(chance)}" for _ in range(3)),
        *("", f"### {phrase(chance).capitalize()}", "", three, ""),
        *(
            f"## {phrase(chance).capitalize()}",
            "",
            four,
            "",
            "```sh",
            f"make {phrase(chance).split()[0]}",
            "```",
        ),
        *("", way, ""),
    ]
    return "\n".join(parts)


def _card(card: str, number: int, names: Sequence[Name], chance: random.Random) -> str:
    """Return a card; the first one is active and the root of the scene, the others
    never are.
    """
    status = chance.choice(_STATUSES) if number else "active"
    refs = chance.sample(names, min(ROOT_REFS, len(names)))
    lines = [
        *(
            "---",
            f"title: {phrase(chance).capitalize()} {number}",
            f"status: {status}",
            "priority: medium",
            "refs:",
        ),
        *(f"  - {name.path}" for name in refs),
        *("---", "", *paragraphs(chance, 1), ""),
    ]
    return "\n".join(lines)


def _relative(source: str, target: str) -> str:
    folder, _, file = target.rpartition("/")
    return (
        file
        if source.startswith(folder + "/")
        else f"../{folder.rpartition('/')[2]}/{file}"
    )
