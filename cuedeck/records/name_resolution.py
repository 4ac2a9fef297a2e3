"""What a name in a record means: one place of the workspace, or nothing."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence, Set

from cuedeck.graph.anchors import find_anchor
from cuedeck.graph.code_names import fits
from cuedeck.graph.counterparts import is_test
from cuedeck.graph.resolve_ref import resolve
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.file import File, Link
from cuedeck.model.paths import CARDS
from cuedeck.model.ports import Corpus, Lookup
from cuedeck.model.scene_values import Target
from cuedeck.parse.index_terms import DEFINED, defined_key
from cuedeck.records.mention_parser import Mention

_MOST_DEFINERS = 200
"""Files that define a name, from which on only those are looked at that define the step before it, too."""
_KEPT = 20_000


class NameResolver:
    """What names mean in a workspace.

    `names` gives something else as soon as files come or go or go by other names; till then the meaning of a name
    without anchor is kept. What a file makes of a name of code is kept as long as the file is the same.
    """

    def __init__(self, lookup: Lookup, corpus: Corpus, names: Callable[[], object]) -> None:
        self._lookup = lookup
        self._corpus = corpus
        self._names = names
        self._known: tuple[object, dict[Mention, Target | None]] = (None, {})
        self._defined: dict[tuple[str, str], tuple[File | None, Target | None]] = {}
        self._forms: dict[str, Callable[[str], Target | None]] = {
            "path": self._of_path,
            "wiki": lambda text: self._named(text, "wiki"),
            "mention": lambda text: self._named(text, "mention"),
            "code": self._of_code,
            "card": lambda text: self._whole(f"{CARDS}/{text}.md"),
        }

    def of(self, name: Mention) -> Target | None:
        """Return the one place that a name means as it is spelled; None for sessions and decisions, which are none."""
        find = self._forms.get(name.form)
        if find is None:
            return None
        if name.form == "code" or "#" in name.text:
            return find(name.text)
        if self._known[0] is not self._names():
            self._known = (self._names(), {})
        known = self._known[1]
        if name not in known:
            known[name] = find(name.text)
        return known[name]

    def _whole(self, path: str) -> Target | None:
        file = self._lookup.file(path)
        return Target(path, path, file.kind, 1, max(file.lines, 1), True) if file else None

    def _of_path(self, text: str) -> Target | None:
        """Return the file whose path is `text` or ends with it; without its anchor where that is gone."""
        found = self._whole(text) or self._resolved(text, "address" if "/" in split_anchor(text)[0] else "wiki")
        return found if found and is_end(path_of(text), found.path) else None

    def _named(self, text: str, form: str) -> Target | None:
        """Return the file that a link of a form leads to; the beginning of a card's id is no name of it."""
        found = self._resolved(text, form)
        path = split_anchor(text)[0].strip()
        if found is None or not found.path.startswith(f"{CARDS}/") or "/" in path:
            return found
        return found if found.path in self._lookup.named(name_key(path)) else None

    def _resolved(self, text: str, form: str) -> Target | None:
        found = resolve(Link(text, 0, form, "", False), "", self._lookup, suggest=False)
        if isinstance(found, Target):
            return found
        return self._resolved(split_anchor(text)[0], form) if found.reason == "anchor" and "#" in text else None

    def _of_code(self, text: str) -> Target | None:
        """Return the definition that a name means, if only one file has one; tests count where no other file does."""
        paths = self._definers(text)
        tests = [path for path in paths if is_test(path)] if len(paths) > 1 else []
        for group in ([path for path in paths if path not in tests], tests):
            found = [place for _, place in zip(range(2), self._definitions(text, group), strict=False)]
            if found:
                return found[0] if len(found) == 1 else None
        return None

    def _definers(self, text: str) -> Collection[str]:
        """Return the files that may define a name; none where too many do."""
        step, _, last = text.rpartition(".")
        found: Set[str] = self._corpus.postings(DEFINED + defined_key(last)).keys()
        if len(found) > _MOST_DEFINERS and step:
            found &= self._corpus.postings(DEFINED + defined_key(step)).keys()
        return found if len(found) <= _MOST_DEFINERS else ()

    def _definitions(self, text: str, paths: Collection[str]) -> Iterator[Target]:
        """Yield what a name means in each file that defines it."""
        for path in paths:
            file = self._lookup.file(path)
            known = self._defined.get((path, text))
            if known is None or known[0] is not file:
                if len(self._defined) >= _KEPT:
                    self._defined.clear()
                known = self._defined[path, text] = file, _definition(text.split("."), file) if file else None
            if known[1] is not None:
                yield known[1]


def _definition(steps: Sequence[str], file: File) -> Target | None:
    """Return the definition of a file that a name means; the whole file where several fit, None where none does."""
    names = (symbol.name for symbol in file.symbols if symbol.name.endswith(steps[-1]))
    fitting = list(dict.fromkeys(name for name in names if fits(steps, file.path, name)))
    if not fitting:
        return None
    places = find_anchor(file, fitting[0]) if len(fitting) == 1 else ()
    if len(places) == 1:
        return Target(f"{file.path}#{fitting[0]}", file.path, file.kind, places[0].start, places[0].end, False)
    return Target(file.path, file.path, file.kind, 1, max(file.lines, 1), True)


def path_of(text: str) -> str:
    """Return a path as a person wrote it, without anchor and what stands around it."""
    return split_anchor(text)[0].strip().removeprefix("./").rstrip("/")


def is_end(written: str, path: str) -> bool:
    """Tell whether what is written is all of a path, or the end of it; `.md` may be left out behind a folder."""
    whole = f"/{path.rstrip('/')}"
    return whole.endswith(f"/{written}") or ("/" in written and whole.endswith(f"/{written}.md"))


def base_key(text: str) -> str:
    """Return the key under which a path or a wiki name and the files it may mean meet."""
    return name_key(posixpath.basename(path_of(text)).removesuffix(".md"))
