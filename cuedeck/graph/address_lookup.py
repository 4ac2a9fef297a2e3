"""Resolution of an address given on the command line."""

from __future__ import annotations

import re

from cuedeck.graph.anchors import section_name
from cuedeck.graph.resolve_ref import resolve, split_ref
from cuedeck.model.errors import Ambiguous, NotFound
from cuedeck.model.file import File, Link
from cuedeck.model.ports import Lookup
from cuedeck.model.scene_values import Target

_WRITTEN = re.compile(
    r"!?\[\[(?P<wiki>[^\[\]|]+)(?:\|[^\[\]]*)?\]\]|@ref\[(?P<ref>[^\[\]]+)\]|@doc/(?P<doc>.+)"
)

_NAMED = 6
"""Maximum parts of a file that a hint names."""
_SEARCH = "`cuedeck find TEXT` searches names and texts"
"""A hint for folders without a workspace, too."""
_LISTS = {
    "assumption": "cuedeck assumption list",
    "attempt": "cuedeck attempt list",
    "card": "cuedeck list --status all",
    "decision": "cuedeck decision list --all",
    "experience": "cuedeck experience list",
    "record": "cuedeck memory list",
    "session": "cuedeck session list",
}
"""Commands that list the addresses with a prefix such as `decision:`."""


def resolve_address(text: str, lookup: Lookup) -> Target:
    """Return the target of an address given on the command line.

    Accepts every form of ref, also in the brackets in which it is written.

    Raises: NotFound with the nearest matches, Ambiguous with the candidates.
    """
    written = _WRITTEN.fullmatch(text.strip())
    ref = text
    form = "address"
    if written is not None:
        ref = written["wiki"] or written["ref"] or written["doc"]
        form = "mention" if written["doc"] else "address"
    link = Link(ref=ref.strip(), line=0, form=form, view="", pin=False)
    found = resolve(link, "", lookup)
    if isinstance(found, Target):
        return found
    if found.reason == "ambiguous":
        message = f"`{text}` matches several addresses"
        raise Ambiguous(
            message, hint="give one of the candidates", candidates=found.candidates
        )
    if found.reason == "outside":
        raise NotFound(
            f"`{text}` is outside the workspace",
            hint="give an address inside the workspace",
        )
    hint = _list_hint(text)
    if found.suggestion:
        hint = f"did you mean `{found.suggestion}`?"
    elif found.reason == "anchor":
        path, anchor = split_ref(link.ref, link.form, "", lookup)
        file = _whole_file(link._replace(ref=path), lookup)
        if file is not None:
            hint = _parts_hint(file, lookup)
        raise NotFound(f"`{path}` has no `#{anchor}`", hint=hint)
    raise NotFound(f"not found: `{text}`", hint=hint, candidates=found.candidates)


def _list_hint(text: str) -> str:
    prefix, colon, _ = text.partition(":")
    command = _LISTS.get(prefix) if colon else None
    if command is None:
        return _SEARCH
    return f"`{command}` lists the {prefix}s"


def _whole_file(link: Link, lookup: Lookup) -> File | None:
    found = resolve(link, "", lookup, suggest=False)
    if not isinstance(found, Target):
        return None
    return lookup.file(found.path)


def _parts_hint(file: File, lookup: Lookup) -> str:
    """Return a hint that lists the lines, sections and symbols of a file that an anchor
    can name.
    """
    hint = f"its lines are #L1-L{max(file.lines, 1)}"
    names = []
    for section in file.sections[: _NAMED + 1]:
        names.append(section_name(section, lookup))
    names += [symbol.name for symbol in file.symbols]
    anchors = [f"#{name}" for name in dict.fromkeys(names)]
    if not anchors:
        return hint
    more = " …" if len(anchors) > _NAMED else ""
    return f"{hint}; it has {', '.join(anchors[:_NAMED])}{more}"
