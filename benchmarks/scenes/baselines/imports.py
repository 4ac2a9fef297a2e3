"""The files near the entry by imports, with their signatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.scenes.baselines.piece import signatures
from benchmarks.scenes.cases import Case
from benchmarks.scenes.snapshot import Snapshot
from cuedeck.graph.imports import Resolver
from cuedeck.parse.languages import import_strategy

_STEPS = 2


def imports(case: Case, snapshot: Snapshot) -> Iterator[str]:
    """Yield the files within two imports in either direction. Order: by number of
    steps; imported files first.
    """
    near = _neighbours(snapshot)
    reached = {case.entry: None}
    border: Sequence[str] = [case.entry]
    for _ in range(_STEPS):
        border = list(
            dict.fromkeys(
                path for each in border for path in near[each] if path not in reached
            )
        )
        reached.update(dict.fromkeys(border))
        for path in border:
            yield signatures(path, snapshot)


def _neighbours(snapshot: Snapshot) -> Mapping[str, Sequence[str]]:
    files = {path: snapshot.file(path) for path in snapshot.texts}
    roots = [(path, root) for path, file in files.items() for root in file.roots]
    resolver = Resolver(snapshot.paths, roots, import_strategy)
    taken = {
        path: [
            each
            for each in (
                *(found.path for found in resolver.resolve(file)),
                *resolver.neighbours(path),
            )
            if each in files
        ]
        for path, file in files.items()
    }
    near = {path: dict.fromkeys(each) for path, each in taken.items()}
    for path, each in taken.items():
        for target in each:
            near[target][path] = None
    return {path: list(each) for path, each in near.items()}
