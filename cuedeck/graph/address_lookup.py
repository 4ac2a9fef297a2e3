"""Resolution of an address given on the command line."""

from __future__ import annotations

import re

from cuedeck.graph.anchors import section_name
from cuedeck.graph.resolve_ref import resolve, split_ref
from cuedeck.model.errors import Ambiguous, NotFound
from cuedeck.model.file import File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target

_WRITTEN = re.compile(r"!?\[\[(?P<wiki>[^\[\]|]+)(?:\|[^\[\]]*)?\]\]|@ref\[(?P<ref>[^\[\]]+)\]|@doc/(?P<doc>.+)")

_NAMED = 6
"""Maximum parts of a file that a hint names."""


def resolve_address(text: str, lookup: Lookup) -> Target:
    """Return the target of an address given on the command line.

    Accepts every form of ref, also in the brackets in which it is written.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    written = _WRITTEN.fullmatch(text.strip())
    ref = text if written is None else written["wiki"] or written["ref"] or written["doc"]
    form = "mention" if written is not None and written["doc"] else "address"
    found = resolve(_link(ref.strip(), form), "", lookup)
    if isinstance(found, Target):
        return found
    if found.reason == "ambiguous":
        raise Ambiguous(
            f"`{text}` matches several addresses", hint="give one of the candidates", candidates=found.candidates
        )
    hint = f"did you mean `{found.suggestion}`?" if found.suggestion else "`cuedeck open` lists cards and docs"
    if found.reason == "outside":
        raise NotFound(f"`{text}` is outside the workspace", hint="give an address inside the workspace")
    if found.reason == "anchor" and not found.suggestion:
        path, anchor = split_ref(ref.strip(), form, "", lookup)
        file = _whole(path, form, lookup)
        hint = _parts_hint(file, lookup) if file else hint
        raise NotFound(f"`{path}` has no `#{anchor}`", hint=hint)
    raise NotFound(f"not found: `{text}`", hint=hint, candidates=found.candidates)


def _whole(path: str, form: str, lookup: Lookup) -> File | None:
    found = resolve(_link(path, form), "", lookup, suggest=False)
    return lookup.file(found.path) if isinstance(found, Target) else None


def _parts_hint(file: File, lookup: Lookup) -> str:
    """Return a hint that lists the lines, sections and symbols of a file that an anchor can name."""
    each = [section_name(section, lookup) for section in file.sections[: _NAMED + 1]]
    names = [f"#{name}" for name in dict.fromkeys(each + [symbol.name for symbol in file.symbols])]
    some = f"; it has {', '.join(names[:_NAMED])}{' …' if len(names) > _NAMED else ''}" if names else ""
    return f"its lines are #L1-L{max(file.lines, 1)}{some}"


def _link(ref: str, form: str) -> Link:
    return Link(ref, 0, form, "", False)
