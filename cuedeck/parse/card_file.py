"""Parser of cards: task files with the fields of the task in front matter."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from cuedeck.model.budget_bounds import SMALLEST_BUDGET
from cuedeck.model.diagnostic import Diagnostic
from cuedeck.model.file import PRIORITIES, STATUSES, Card, File
from cuedeck.model.formatting import abbreviate
from cuedeck.parse.frontmatter import FrontMatter, split_front_matter
from cuedeck.parse.markdown import parse_markdown
from cuedeck.parse.refs import parse_refs
from cuedeck.parse.text_decoding import Decoded

_CREATED = ("created", "created_at")
_UPDATED = ("updated", "updated_at", "last_modified")
_SCALARS = (
    "id",
    "title",
    "status",
    "priority",
    "assignee",
    "budget",
    *_CREATED,
    *_UPDATED,
)
_LISTS = ("tags", "depends_on", "aliases")
# Key, allowed words, and the default for an unknown word.
_CHOICES = (("status", STATUSES, "todo"), ("priority", PRIORITIES, "medium"))
_MAX_BUDGET_DIGITS = 9


def parse_card(path: str, size: int, decoded: Decoded) -> File:
    """Parse a card. `decoded` is its text; `size` is the size of the file in bytes.

    A card with invalid front matter is still returned, marked as broken.
    """
    text = decoded.text
    matter = split_front_matter(path, text, "error")
    page = parse_markdown(text[matter.offset :], matter.body)
    refs, bad_refs = parse_refs(path, matter)
    card, bad_fields = _fields(path, matter, page.title)
    return File(
        path=path,
        kind="card",
        size=size,
        lines=decoded.lines,
        title=card.title,
        aliases=matter.texts("aliases"),
        tags=card.tags,
        body=matter.body,
        links=refs + page.links,
        sections=page.sections,
        blocks=page.blocks,
        symbols=(),
        imports=(),
        roots=(),
        card=card,
        diagnostics=tuple(sorted((*matter.diagnostics, *bad_fields, *bad_refs))),
    )


def guess_card(path: str) -> Card:
    """Return a broken card with default fields; its id and title are the stem of its
    file name.
    """
    stem = posixpath.splitext(posixpath.basename(path))[0]
    return Card(
        id=stem,
        title=stem,
        status="todo",
        priority="medium",
        tags=(),
        assignee="",
        depends_on=(),
        created="",
        updated="",
        budget="",
        broken=True,
    )


def _fields(
    path: str, matter: FrontMatter, heading: str
) -> tuple[Card, list[Diagnostic]]:
    card = guess_card(path)
    found = matter.misfits(path, _SCALARS, _LISTS)

    def warn(key: str, code: str, message: str, hint: str) -> None:
        found.append(
            Diagnostic(
                path=path,
                line=matter.lines[key],
                level="warning",
                code=code,
                message=message,
                hint=hint,
            )
        )

    words: dict[str, str] = {}
    for key, allowed, default in _CHOICES:
        written = matter.text(key)
        words[key] = written.lower() or default
        if words[key] not in allowed:
            words[key] = default
            message = f"unknown {key} `{abbreviate(written)}`; read as `{default}`"
            warn(key, f"unknown-{key}", message, f"use one of {', '.join(allowed)}")
    ident = matter.text("id") or card.id
    if ident != card.id:
        warn(
            "id",
            "card-id",
            f"id `{abbreviate(ident)}` differs from the file name `{card.id}`",
            "make them equal",
        )
    budget = matter.text("budget")
    if budget and not _is_budget(budget):
        warn(
            "budget",
            "bad-budget",
            f"budget `{abbreviate(budget)}` is not a positive number",
            "write whole tokens, as in 16000",
        )
        budget = ""
    elif budget and int(budget) < SMALLEST_BUDGET:
        message = f"budget `{budget}` is too small; read as {SMALLEST_BUDGET}"
        warn("budget", "bad-budget", message, f"give at least {SMALLEST_BUDGET} tokens")
        budget = str(SMALLEST_BUDGET)
    card = replace(
        card,
        id=ident,
        title=matter.text("title") or heading or card.title,
        tags=matter.texts("tags", commas=True),
        assignee=matter.text("assignee"),
        depends_on=matter.texts("depends_on", commas=True),
        created=matter.text(*_CREATED),
        updated=matter.text(*_UPDATED),
        budget=budget,
        broken=matter.broken,
        **words,
    )
    return card, found


def _is_budget(text: str) -> bool:
    return (
        text.isascii()
        and text.isdigit()
        and len(text) <= _MAX_BUDGET_DIGITS
        and int(text) > 0
    )
