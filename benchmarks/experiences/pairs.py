"""Pairs of texts with different or equal meaning, generated deterministically from
templates.

Two halves with other sentences, names, fillers and values: `tuning`, which may be
looked at while the rule is made, and `held`, which was written before it and gives the
figure.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

HALVES = ("tuning", "held")
LANGUAGES = ("en", "fr", "de", "es", "pl", "ru", "ja", "zh")
MOST = 24
"""Pairs of one kind in one language and half."""
_TEMPLATES = Path(__file__).parent / "templates"
_VALUES = {"number": "numbers", "colour": "colours", "weekday": "days", "name": "names"}
_SLOTS = {"number": "number", "colour": "colour", "weekday": "day", "name": "name"}
Templates = Mapping[str, Any]


class Pair(NamedTuple):
    """Two texts, and whether they have the same meaning."""

    language: str
    kind: str
    one: str
    other: str
    same: bool


@cache
def pairs(half: str) -> tuple[Pair, ...]:
    """Return every pair of a half, ordered by language, kind and sequence of
    generation.
    """
    return tuple(
        pair for language in LANGUAGES for pair in _of_language(half, language)
    )


def _of_language(half: str, language: str) -> Iterator[Pair]:
    templates = tomllib.loads(
        (_TEMPLATES / half / f"{language}.toml").read_text(encoding="utf-8")
    )
    for kind, (draw, same) in _KINDS.items():
        random = Random(f"{half} {language} {kind}")
        drawn = dict.fromkeys(draw(templates, random, kind) for _ in range(4 * MOST))
        for one, other in [pair for pair in drawn if pair[0] != pair[1]][:MOST]:
            yield Pair(language, kind, one, other, same)


def _fill(text: str, templates: Templates, random: Random, **given: str) -> str:
    """Put a value into every slot; given values stay."""
    a, b, c = random.sample(templates["items"], 3)
    values = {
        slot: random.choice(templates[_VALUES[kind]]) for kind, slot in _SLOTS.items()
    }
    values |= {
        "list": templates["list"][0].format(a=a, b=b, c=c),
        "a": a,
        "b": b,
        "f": "",
    }
    filled = text.format(**(values | given))
    return filled[:1].upper() + filled[1:]


def _sentence(templates: Templates, random: Random, slot: str = "") -> str:
    having = [
        each for each in templates["sentences"] if not slot or f"{{{slot}}}" in each
    ]
    return str(random.choice(having))


def _swapped(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    slot = _SLOTS[kind]
    text = _sentence(templates, random, slot)
    one, other = random.sample(templates[_VALUES[kind]], 2)
    seed = random.random()
    return tuple(
        _fill(text, templates, Random(seed), **{slot: value}) for value in (one, other)
    )  # type: ignore[return-value]


def _written(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    """Return a pair that the templates contain as a pair."""
    one, other = random.choice(templates[f"{kind}s"])
    seed = random.random()
    return _fill(one, templates, Random(seed)), _fill(other, templates, Random(seed))


def _exchanged(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    text = random.choice(templates["exchanges"])
    a, b = random.sample(templates["items"], 2)
    seed = random.random()
    return _fill(text, templates, Random(seed), a=a, b=b), _fill(
        text, templates, Random(seed), a=b, b=a
    )


def _plain(templates: Templates, random: Random) -> str:
    return _fill(_sentence(templates, random), templates, random)


def _rewritten(
    changes: Sequence[Callable[[str], str]],
) -> Callable[[Templates, Random, str], tuple[str, str]]:
    def draw(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
        text = _plain(templates, random)
        return text, random.choice(changes)(text)

    return draw


def _with_filler(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    text = _sentence(templates, random)
    space = "" if templates.get("spaceless") else " "
    filler = random.choice(templates["fillers"]).strip() + space
    seed = random.random()
    return _fill(text, templates, Random(seed)), _fill(
        text, templates, Random(seed), f=filler
    )


def _reordered(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    text = _sentence(templates, random, "list")
    a, b, c = random.sample(templates["items"], 3)
    seed = random.random()
    orders = random.sample(templates["list"], 2)
    return tuple(
        _fill(text, templates, Random(seed), list=order.format(a=a, b=b, c=c))
        for order in orders
    )  # type: ignore[return-value]


def _polite(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    text = _plain(templates, random)
    if random.random() < 0.5:
        return text, random.choice(templates["before"]) + text
    after = random.choice(templates["after"])
    return text, text.rstrip(".。") + after + (
        "" if after.endswith(("!", "！")) else text[-1]
    )


def _both(templates: Templates, random: Random, kind: str) -> tuple[str, str]:
    """Return a text with a filler and a polite phrase, in another case and spacing."""
    text, longer = _with_filler(templates, random, kind)
    return text, random.choice(_SPACINGS)(
        random.choice(templates["before"]) + longer
    ).upper()


_CASES = (str.upper, str.lower, str.swapcase)
_SPACINGS = (
    lambda text: f"  {text}\n",
    lambda text: text.replace(" ", "  "),
    lambda text: text.replace(" ", "\n", 1) + "\t",
    lambda text: text.replace(" ", "\u00a0"),
)
_MARKS = (
    lambda text: text.rstrip(".。"),
    lambda text: text.replace(",", ";").replace("、", "，"),
    lambda text: text.rstrip(".。") + "!",
    lambda text: f"- {text}",
    lambda text: f"“{text}”",
    lambda text: f"**{text}**",
)
_KINDS: Mapping[
    str, tuple[Callable[[Templates, Random, str], tuple[str, str]], bool]
] = {
    "number": (_swapped, False),
    "colour": (_swapped, False),
    "weekday": (_swapped, False),
    "name": (_swapped, False),
    "negation": (_written, False),
    "exchange": (_exchanged, False),
    "case": (_rewritten(_CASES), True),
    "punctuation": (_rewritten(_MARKS), True),
    "white space": (_rewritten(_SPACINGS), True),
    "order of a list": (_reordered, True),
    "inflection": (_written, True),
    "filler": (_with_filler, True),
    "politeness": (_polite, True),
    "several at once": (_both, True),
}
"""By kind: the function that draws a pair, and whether its texts mean the same."""
