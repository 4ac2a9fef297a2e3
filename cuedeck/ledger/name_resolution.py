"""Resolution of a name in a record to one place of the workspace, or None."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterator, Sequence, Set
from itertools import islice

from cuedeck.graph.anchors import find_anchor
from cuedeck.graph.counterparts import fits, is_test
from cuedeck.graph.resolve_ref import resolve, whole_file
from cuedeck.ledger.mention_parser import Mention
from cuedeck.model.address import name_key, split_anchor
from cuedeck.model.file import File, Link
from cuedeck.model.paths import CARDS
from cuedeck.model.ports import Corpus, Lookup
from cuedeck.model.scene_values import Target
from cuedeck.parse.index_terms import DEFINED, defined_key

_MOST_DEFINERS = 200
"""Above this number of defining files, only those that also define the previous step of
the name are searched.
"""
_MAX_CACHED = 20_000


class NameResolver:
    """Resolves names in a workspace, with caches.

    `names` returns a different object whenever files are added, removed or renamed;
    until then, results for names without an anchor are cached. The result for an
    identifier in a file is cached as long as the file is the same object.
    """

    def __init__(
        self, lookup: Lookup, corpus: Corpus, names: Callable[[], object]
    ) -> None:
        self._lookup = lookup
        self._corpus = corpus
        self._names = names
        self._known: dict[Mention, Target | None] = {}
        """Cached results for names."""
        self._known_names: object = None
        """Result of `names` for which they are valid."""
        self._defined: dict[tuple[str, str], tuple[File | None, Target | None]] = {}
        self._forms: dict[str, Callable[[str], Target | None]] = {
            "path": self._of_path,
            "wiki": lambda text: self._named(text, "wiki"),
            "mention": lambda text: self._named(text, "mention"),
            "code": self._of_code,
            "card": lambda text: self._whole(f"{CARDS}/{text}.md"),
        }

    def of(self, name: Mention) -> Target | None:
        """Return the only place a name refers to, or None; sessions and decisions are
        not places.
        """
        find = self._forms.get(name.form)
        if find is None:
            return None
        if name.form == "code" or "#" in name.text:
            return find(name.text)
        names = self._names()
        if self._known_names is not names:
            self._known_names = names
            self._known = {}
        if name not in self._known:
            self._known[name] = find(name.text)
        return self._known[name]

    def _whole(self, path: str) -> Target | None:
        file = self._lookup.file(path)
        return whole_file(file) if file else None

    def _of_path(self, text: str) -> Target | None:
        """Return the file whose path equals or ends with `text`; without its anchor if
        that no longer exists.
        """
        form = "address" if "/" in split_anchor(text)[0] else "wiki"
        found = self._whole(text) or self._resolved(text, form)
        if found is None or not is_end(path_of(text), found.path):
            return None
        return found

    def _named(self, text: str, form: str) -> Target | None:
        """Return the file that a link of this form refers to; the prefix of a card id
        is not accepted.
        """
        found = self._resolved(text, form)
        path = split_anchor(text)[0].strip()
        if found is None or not found.path.startswith(f"{CARDS}/") or "/" in path:
            return found
        if found.path not in self._lookup.named(name_key(path)):
            return None
        return found

    def _resolved(self, text: str, form: str) -> Target | None:
        found = resolve(
            Link(
                ref=text,
                line=0,
                form=form,
                view="",
                pin=False,
            ),
            "",
            self._lookup,
            suggest=False,
        )
        if isinstance(found, Target):
            return found
        if found.reason == "anchor" and "#" in text:
            return self._resolved(split_anchor(text)[0], form)
        return None

    def _of_code(self, text: str) -> Target | None:
        """Return the definition of an identifier if only one file has it; tests count
        only if no other file has one.
        """
        sources = list(self._definers(text))
        tests: list[str] = []
        if len(sources) > 1:
            tests = [path for path in sources if is_test(path)]
            sources = [path for path in sources if not is_test(path)]
        for paths in (sources, tests):
            found = list(islice(self._definitions(text, paths), 2))
            if found:
                if len(found) != 1:
                    return None
                return found[0]
        return None

    def _definers(self, text: str) -> Collection[str]:
        step, _, last = text.rpartition(".")
        found: Set[str] = self._corpus.postings(DEFINED + defined_key(last)).keys()
        if len(found) > _MOST_DEFINERS and step:
            found &= self._corpus.postings(DEFINED + defined_key(step)).keys()
        if len(found) <= _MOST_DEFINERS:
            return found
        return ()

    def _definitions(self, text: str, paths: Collection[str]) -> Iterator[Target]:
        for path in paths:
            file = self._lookup.file(path)
            known = self._defined.get((path, text))
            if known is None or known[0] is not file:
                if len(self._defined) >= _MAX_CACHED:
                    self._defined.clear()
                definition = None
                if file:
                    definition = _definition(text.split("."), file)
                known = self._defined[path, text] = file, definition
            if known[1] is not None:
                yield known[1]


def _definition(steps: Sequence[str], file: File) -> Target | None:
    """Return the definition in a file that a name refers to; the whole file if several
    match, None if none does.
    """
    names = dict.fromkeys(
        symbol.name for symbol in file.symbols if symbol.name.endswith(steps[-1])
    )
    fitting = [name for name in names if fits(steps, file.path, name)]
    if not fitting:
        return None
    name = fitting[0]
    places = find_anchor(file, name) if len(fitting) == 1 else ()
    if len(places) == 1:
        return Target(
            address=f"{file.path}#{name}",
            path=file.path,
            kind=file.kind,
            start=places[0].start,
            end=places[0].end,
            whole=False,
        )
    return whole_file(file)


def path_of(text: str) -> str:
    """Return a path as written, without its anchor, a leading `./` and a final
    slash.
    """
    return split_anchor(text)[0].strip().removeprefix("./").rstrip("/")


def is_end(written: str, path: str) -> bool:
    """Return whether `written` is the path or a suffix of it; `.md` may be omitted if
    it contains a folder.
    """
    absolute = f"/{path.rstrip('/')}"
    if absolute.endswith(f"/{written}"):
        return True
    return "/" in written and absolute.endswith(f"/{written}.md")


def base_key(text: str) -> str:
    """Return the lookup key shared by a path or wiki name and the files it may refer
    to.
    """
    return name_key(posixpath.basename(path_of(text)).removesuffix(".md"))
