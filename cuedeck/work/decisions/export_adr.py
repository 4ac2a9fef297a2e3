"""Export of decisions as Markdown architecture decision records, one file each. Other
files are never changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from cuedeck.engine.mask_answers import mask_value
from cuedeck.ledger.kinds.decision_kind import (
    DECISION,
    Decision,
    accepted_decisions,
    replaced,
)
from cuedeck.model.errors import UsageError
from cuedeck.model.secret import without_placeholders
from cuedeck.parse.sections import slugify
from cuedeck.store.files.disk import create, names_in, read_bytes, write_if_changed
from cuedeck.work.sessions.scene_context import sync_session

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import Json

FOLDER = "docs/adr"
_MARK = b"<!-- cuedeck: decision:"


def export_decisions(
    workspace: Workspace, folder: str = "", *, everything: bool = False
) -> Json:
    """Export the decisions in force, with `everything` all decisions, as Markdown
    files; report the written files.

    A decision that was exported before keeps its file, which is updated whatever its
    status. `folder` is a path on this machine, by default docs/adr of the workspace.
    Raises: UsageError if the folder is a file, StorageError.
    """
    place = os.path.abspath(folder or workspace.paths.absolute(FOLDER))
    if os.path.lexists(place) and not os.path.isdir(place):
        raise UsageError(
            f"{folder or FOLDER} is not a folder",
            hint="give a folder, or omit it for docs/adr",
        )
    with workspace.ledger.writing():
        decisions = workspace.ledger.entries(DECISION)
        # Mask before naming: file names must not contain a secret either.
        mask = partial(mask_value, workspace=workspace)
        masked = [replace(each, decision=mask(each.decision)) for each in decisions]
        names = names_in(place)
        own = _own_files(place, names)
        texts = _render(masked, own, names, everything)
        written = []
        for name, text in texts.items():
            path = os.path.join(place, name)
            data = mask(text).encode("utf-8", "replace")
            # A file of another origin is never changed.
            write = write_if_changed if name in own.values() else create
            if write(path, data, workspace.paths.cache):
                written.append(name)
    if written:
        sync_session(workspace)
    shown = workspace.paths.shown(place)
    return {
        "folder": shown,
        "written": [f"{shown}/{name}" for name in written],
        "unchanged": len(texts) - len(written),
    }


def _render(
    decisions: Sequence[Decision],
    own: Mapping[str, str],
    taken: Sequence[str],
    everything: bool,
) -> dict[str, str]:
    """Return the text of each file by name; `own` maps the marks of the decisions that
    were exported before to their files.
    """
    in_force = {decision.id for decision in accepted_decisions(decisions)}
    chosen = []
    for each in decisions:
        if everything or each.id in in_force or mark_of(each) in own:
            chosen.append(each)
    names = assign_names(chosen, own, taken)
    by_id = {decision.id: decision for decision in decisions}
    texts = {}
    for each in chosen:
        older, newer = replaced(each, decisions), by_id.get(each.superseded_by)
        texts[names[each.id]] = render_record(each, older, newer, names)
    return texts


def _own_files(place: str, names: list[str]) -> dict[str, str]:
    own: dict[str, str] = {}
    for name in names:
        path = os.path.join(place, name)
        # Exports are never symbolic links.
        if not name.endswith(".md"):
            continue
        if os.path.islink(path) or not os.path.isfile(path):
            continue
        data = read_bytes(path) or b""
        first_line = data.split(b"\n", 1)[0].rstrip()
        if first_line.startswith(_MARK):
            own.setdefault(first_line.decode("utf-8", "replace"), name)
    return own


_NUMBERED = re.compile(r"(\d{4,9})-.*\.md", re.DOTALL)
_PLAIN_ID = re.compile(r"[\w.-]{1,80}", re.ASCII)
_LONGEST_SLUG = 60


def mark_of(decision: Decision) -> str:
    """Return the first line of an exported file, which identifies its decision."""
    name = decision.id
    if not _PLAIN_ID.fullmatch(name):
        name = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"<!-- cuedeck: decision:{name} -->"


def assign_names(
    decisions: Sequence[Decision], own: Mapping[str, str], taken: Sequence[str]
) -> dict[str, str]:
    """Return the file name of each decision, by id.

    `own` maps marks to the names of earlier exports, which are kept. New files continue
    the numbering of `taken`, the oldest decision first.
    """
    numbered = filter(None, map(_NUMBERED.fullmatch, taken))
    number = max((int(match[1]) for match in numbered), default=0)
    names: dict[str, str] = {}
    for each in decisions:
        name = own.get(mark_of(each), "")
        if not name:
            number += 1
            name = f"{number:04d}-{_slug(each.decision)}.md"
        names[each.id] = name
    return names


def _slug(text: str) -> str:
    """Return the descriptive part of a file name: secrets masked, truncated at a word
    boundary.
    """
    masked = without_placeholders(text)
    slug = re.sub(r"-{2,}", "-", slugify(masked)).strip("-_")
    if len(slug) > _LONGEST_SLUG:
        words = slug[: _LONGEST_SLUG + 1].rpartition("-")[0]
        slug = words or slug[:_LONGEST_SLUG]
    return slug.strip("-_") or "decision"


def render_record(
    decision: Decision,
    older: Sequence[Decision],
    newer: Decision | None,
    names: Mapping[str, str],
) -> str:
    """Return the text of an exported file, with links to the decisions that it replaces
    and to the newer one. `names` maps ids to file names.
    """
    status = [decision.status.capitalize() + "."]
    status += [f"Supersedes {_link(each, names)}." for each in older]
    if newer is not None:
        status.append(f"Superseded by {_link(newer, names)}.")
    affected = [f"`{address}`" for address in decision.affects]
    sections = [
        ("Status", "\n\n".join(status)),
        ("Context", decision.rationale),
        ("Decision", decision.decision),
        ("Alternatives", _items(decision.alternatives)),
        ("Affects", _items([*affected, *decision.impact])),
    ]
    parts = [f"{mark_of(decision)}\n", f"# {_sentence(decision.decision)}\n"]
    if decision.timestamp:
        parts.append(f"\nDate: {decision.timestamp[:10]}\n")
    for title, text in sections:
        if text:
            parts.append(f"\n## {title}\n\n{text}\n")
    return "".join(parts)


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
