"""Words, paragraphs and code for generated files."""

from __future__ import annotations

import random
from collections.abc import Callable

_WORD_LIST = """
account adapter balance batch border bucket buffer channel client cluster column commit config contract counter
cursor customer daemon digest driver endpoint engine entry event exporter failure feature filter folder format
gateway handler header history importer index invoice journal ledger limit listener loader lookup manifest marker
merge message metric migration module monitor network notice object offset order outcome packet parser partner
payment payload pipeline policy queue record refund region release replay report request resource result retry
router sample schedule schema session signal snapshot socket source stream table target tenant timeout token
tracker transfer trigger update validator vendor version window worker
"""
_WORDS = tuple(_WORD_LIST.split())
_JOINTS = (
    "after a", "and the", "before the", "by the", "for each", "from the", "in the", "into a", "is the", "keeps the",
    "of the", "on the", "reads a", "stays in the", "to the", "until the", "when a", "which the", "with the", "writes a",
)  # fmt: skip
_PARAGRAPH_WORDS = 31


def phrase(chance: random.Random) -> str:
    """Return two words."""
    return f"{chance.choice(_WORDS)} {chance.choice(_WORDS)}"


def paragraphs(chance: random.Random, count: int) -> list[str]:
    """Return paragraphs of plain words, one line each."""
    return [" ".join(_sentences(chance)) for _ in range(count)]


def _sentences(chance: random.Random) -> list[str]:
    sentences: list[str] = []
    left = _PARAGRAPH_WORDS
    while left > 0:
        length = chance.randint(2, 4)
        words = [chance.choice(_WORDS)]
        for _ in range(length):
            words += [chance.choice(_JOINTS), chance.choice(_WORDS)]
        left -= 3 * length
        sentences.append(f"The {' '.join(words)}.")
    return sentences


def module(suffix: str, number: int, chance: random.Random) -> str:
    """Return a source file of about 1 kB in the language of its suffix."""
    names = [phrase(chance).split() for _ in range(4)]
    return _LANGUAGES[suffix](number, names)


def _python(number: int, names: list[list[str]]) -> str:
    (one, two), *rest = names
    methods = "".join(
        f"    def {verb}_{noun}(self, {noun}: str, limit: int = {number % 90 + 10}) -> list[str]:\n"
        f'        """Return what {noun} gives to {verb}."""\n'
        f"        found = [each for each in self._{two} if {noun} in each]\n"
        f"        return found[:limit]\n\n"
        for verb, noun in rest
    )
    return (
        f'"""Module {number}: {one} and {two}."""\n\nfrom __future__ import annotations\n\n'
        f"LIMIT_{one.upper()} = {number}\n\n\n"
        f'class {one.title()}{two.title()}:\n    """Keeps each {two} of one {one}."""\n\n'
        f"    def __init__(self) -> None:\n        self._{two}: list[str] = []\n\n{methods}"
    )


def _typescript(number: int, names: list[list[str]]) -> str:
    (one, two), *rest = names
    functions = "".join(
        f"export function {verb}{noun.title()}({noun}: string, limit = {number % 90 + 10}): string[] {{\n"
        f"  // what {noun} gives to {verb}\n"
        f"  const found = {two}All.filter((each) => each.includes({noun}));\n"
        f"  return found.slice(0, limit);\n}}\n\n"
        for verb, noun in rest
    )
    return (
        f"// Module {number}: {one} and {two}.\n\nexport interface {one.title()} {{\n  {two}: string;\n}}\n\n"
        f"const {two}All: string[] = [];\n\n{functions}"
    )


def _rust(number: int, names: list[list[str]]) -> str:
    (one, two), *rest = names
    functions = "".join(
        f"/// What {noun} gives to {verb}.\n"
        f"pub fn {verb}_{noun}(all: &[String], {noun}: &str) -> Vec<String> {{\n"
        f"    let found = all.iter().filter(|each| each.contains({noun}));\n"
        f"    found.take({number % 90 + 10}).cloned().collect()\n}}\n\n"
        for verb, noun in rest
    )
    kind = f"pub struct {one.title()} {{\n    pub {two}: String,\n}}\n\n"
    return f"//! Module {number}: {one} and {two}.\n\n{kind}{functions}"


_LANGUAGES: dict[str, Callable[[int, list[list[str]]], str]] = {
    "py": _python,
    "ts": _typescript,
    "rs": _rust,
}
