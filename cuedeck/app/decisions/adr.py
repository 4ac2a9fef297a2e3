"""A decision as the Markdown file of an architecture decision record."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from cuedeck.model.placeholder import without_placeholders
from cuedeck.parse.slug import slugify

if TYPE_CHECKING:
    from cuedeck.model.decision import Decision

_NUMBERED = re.compile(r"(\d{4,9})-.*\.md", re.DOTALL)
_PLAIN_ID = re.compile(r"[\w.-]{1,80}", re.ASCII)
_LONGEST_SLUG = 60


class Neighbours(NamedTuple):
    """The decisions a record links to."""

    replaces: Sequence[Decision]
    replaced_by: Decision | None


def mark_of(decision: Decision) -> str:
    """Return the first line of a decision's file, by which it is known again."""
    name = decision.id
    if not _PLAIN_ID.fullmatch(name):
        name = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"<!-- cuedeck: decision:{name} -->"


def assign_names(decisions: Sequence[Decision], own: Mapping[str, str], taken: Sequence[str]) -> dict[str, str]:
    """Return the file name of each decision, by id.

    `own` gives the names of files that were made before, by mark; they stay. New ones are numbered on from all
    that are `taken`, the oldest decision first.
    """
    numbers = [int(match[1]) for name in taken if (match := _NUMBERED.fullmatch(name))]
    number = max(numbers, default=0)
    names: dict[str, str] = {}
    for each in decisions:
        name = own.get(mark_of(each), "")
        if not name:
            number += 1
            name = f"{number:04d}-{_slug(each.decision)}.md"
        names[each.id] = name
    return names


def _slug(text: str) -> str:
    """Return the part of a file name that tells what a decision is, secrets masked, cut at a word."""
    slug = re.sub(r"-{2,}", "-", slugify(without_placeholders(text))).strip("-_")
    if len(slug) > _LONGEST_SLUG:
        whole = slug[: _LONGEST_SLUG + 1].rpartition("-")[0]
        slug = whole or slug[:_LONGEST_SLUG]
    return slug.strip("-_") or "decision"


def render_record(decision: Decision, near: Neighbours, names: Mapping[str, str]) -> str:
    """Return the text of a decision's file; `names` gives the files of others, by id."""
    status = [decision.status.capitalize() + "."]
    status += [f"Supersedes {_link(each, names)}." for each in near.replaces]
    status += [f"Superseded by {_link(near.replaced_by, names)}."] if near.replaced_by else []
    parts = [
        ("Status", "\n\n".join(status)),
        ("Context", decision.rationale),
        ("Decision", decision.decision),
        ("Alternatives", _items(decision.alternatives)),
        ("Affects", _items([*(f"`{place}`" for place in decision.affects), *decision.impact])),
    ]
    body = "".join(f"\n## {title}\n\n{text}\n" for title, text in parts if text)
    day = f"\nDate: {decision.timestamp[:10]}\n" if decision.timestamp else ""
    return f"{mark_of(decision)}\n# {_sentence(decision.decision)}\n{day}{body}"


def _link(decision: Decision, names: Mapping[str, str]) -> str:
    title = _sentence(decision.decision)
    if decision.id not in names:
        return f"`{decision.id}` ({title})"
    label = re.sub(r"([\[\]\\])", r"\\\1", title)
    return f"[{label}]({names[decision.id]})"


def _items(texts: Sequence[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)


def _sentence(text: str) -> str:
    return " ".join(text.split()).removesuffix(".")
