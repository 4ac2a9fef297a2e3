"""The words in the index equal the words of the files after any edits.

Random edits of real files, each burst followed by an update. Every table is compared
with that of a fresh index, and every answer of a corpus that was asked all the while
with that of a new one.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from cuedeck.engine.open_workspace import workspace_at
from cuedeck.engine.workspace import Workspace
from cuedeck.store.workspace_paths import WorkspacePaths

PATHS = st.sampled_from([
    "src/a.py", "src/b.py", "src/token_store.py", "web/a.ts", "main.go", "src/lib.rs", "docs/a.md",
    ".cuedeck/docs/b.md", "tsconfig.json", "go.sum", "dist/a.js", "notes.txt",
])  # fmt: skip
PIECES = st.sampled_from(
    [
        "def verify_token(token):\n    return token.expired\n\n\n",
        "class TokenStore:\n    def keep(self, token):\n        return self.tokens\n\n\n",
        "from src.token_store import TokenStore, keep\n",
        "import os\n",
        'import { b } from "./b";\nexport function lantern(x: string) { return x }\n',
        "func Harbour(box string) string { return box }\n",
        "# The token\n\nIt expires, see `verify_token`.\n\n## Größe\n\n設計文書\n",
        '{"compilerOptions": {"paths": {"@/*": ["src/*"]}}}',
        "a line of words\n" * 25,
        "\n\n",
        "}\n",
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=4).map("".join).map(str.encode),
    st.lists(PIECES, max_size=4).map("".join).map(str.encode),
    st.sampled_from(
        [
            b"",
            b"\0 token",
            b"\xff token \xfe\n",
            b"token\r\ntoken\r\n",
            b"# Scene: x\n\n> Context built by CueDeck.\n\ntoken\n",
            b"word of data\n" * 30_000,
        ]
    ),
)


class Edit(NamedTuple):
    """One change of the tree: a file, or the folder that contains it, is written,
    deleted or moved.
    """

    action: str
    path: str
    text: bytes
    target: str

    def do(self, root: Path) -> set[str]:
        """Return the paths that a watcher would name."""
        place, target = root / self.path, root / self.target
        named = {
            self.path,
            self.target,
            *(each.parent.as_posix() for each in (Path(self.path), Path(self.target))),
        }
        if self.action == "write":
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(self.text)
        elif self.action == "delete":
            place.unlink(missing_ok=True)
        elif self.action == "delete folder" and "/" in self.path:
            shutil.rmtree(place.parent, ignore_errors=True)
        elif place.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            place.replace(target)
        return named - {"."}


EDITS = st.builds(
    Edit,
    st.sampled_from(["write", "write", "write", "move", "delete", "delete folder"]),
    PATHS,
    TEXTS,
    PATHS,
)
BURSTS = st.lists(
    st.tuples(
        st.lists(EDITS, min_size=1, max_size=3),
        st.sampled_from(["tree", "paths", "not yet", "there and back"]),
    ),
    min_size=1,
    max_size=7,
)

Tables = Mapping[str, list[tuple[Any, ...]]]


def tables(workspace: Workspace) -> Tables:
    """Return the terms of the index without its file numbers."""
    ask = workspace.index.database.execute
    paths = dict(ask("SELECT doc, path FROM documents"))
    rows = ask("SELECT term, doc, count(*) FROM places GROUP BY term, doc").fetchall()
    postings = [(term, paths.get(doc), times) for term, doc, times in rows]
    documents = ask(
        "SELECT path, length, names, terms, sum FROM documents ORDER BY path"
    ).fetchall()
    return {"documents": documents, "postings": sorted(postings)}


def fresh(root: Path) -> Workspace:
    """Return the workspace with an index made from nothing."""
    made = workspace_at(WorkspacePaths(str(root)), {}).reopened(index_in_memory=True)
    made.refresh()
    return made


def answers(workspace: Workspace, terms: set[str], paths: set[str]) -> dict[str, Any]:
    """Return everything that can be asked of the corpus."""
    corpus = workspace.corpus
    return {
        "postings": {term: dict(corpus.postings(term)) for term in sorted(terms)},
        "spreads": {term: corpus.spread(term) for term in sorted(terms)},
        "lengths": dict(corpus.lengths()),
        "names": dict(corpus.names()),
        "words": {path: corpus.words(path) for path in sorted(paths)},
        "sums": {path: list(corpus.sums(path)) for path in sorted(paths)},
        "roots": list(corpus.roots()),
    }


def new_root(base: Path) -> Path:
    shutil.rmtree(base / "work", ignore_errors=True)
    root = base / "work"
    for folder in (".cuedeck/cards", ".cuedeck/docs", "src", "docs"):
        (root / folder).mkdir(parents=True)
    for path in ("src/a.py", "docs/a.md", "notes.txt", "go.sum"):
        (root / path).write_text("def verify_token(token):\n    return token\n")
    return root


@settings(max_examples=20, deadline=None)
@given(bursts=BURSTS)
def test_after_any_edits_words_and_answers_are_those_of_a_new_index(
    base: Path, bursts: list[tuple[list[Edit], str]]
) -> None:
    root = new_root(base)
    kept = workspace_at(WorkspacePaths(str(root)), {})
    kept.refresh()
    terms, paths, named = {"gone"}, {"gone.py"}, set()
    for edits, update in [*bursts, ([], "tree")]:
        for edit in edits:
            named |= edit.do(root)
        if update == "not yet":
            continue
        if update == "there and back":
            go_and_come_back(kept, root / edits[0].path)
        if update == "paths":
            kept.tree.refresh_paths(named)
        else:
            kept.refresh()
        named.clear()
        new = fresh(root)
        found = tables(new)
        assert tables(kept) == found
        terms |= {row[0] for row in found["postings"]}
        paths |= {row[0] for row in found["documents"]}
        # Only sometimes: the changes between two queries are then more than one update.
        if update != "paths":
            assert answers(kept, terms, paths) == answers(new, terms, paths)
        new.close()
    kept.close()


def go_and_come_back(workspace: Workspace, place: Path) -> None:
    """Have a file missed by an update; it has another number then."""
    if place.exists():
        away = place.rename(place.parent / "away.bin~")
        workspace.refresh()
        away.rename(place)


BRIEFLY_TEXT = [Edit("write", "src/b.py", text, "") for text in (b"", b"\0 token")]


@example(
    bursts=[BRIEFLY_TEXT]
)  # a new file that was binary at the next look was not reported
@settings(max_examples=20, deadline=None)
@given(bursts=st.lists(st.lists(EDITS, min_size=1, max_size=2), min_size=1, max_size=6))
def test_changes_are_returned_to_followers(
    base: Path, bursts: list[list[Edit]]
) -> None:
    root = new_root(base)
    workspace = workspace_at(WorkspacePaths(str(root)), {})
    workspace.refresh()
    corpus = workspace.corpus
    assert corpus.follow() is None
    assert list(corpus.follow() or []) == []
    for burst in bursts:
        before = {row[0]: row[1:] for row in tables(workspace)["documents"]}
        population, known = corpus.population, list(workspace.index.paths())
        for edit in burst:
            edit.do(root)
            workspace.refresh()
        after = {row[0]: row[1:] for row in tables(workspace)["documents"]}
        differ = {
            path
            for path in before.keys() | after.keys()
            if before.get(path) != after.get(path)
        }
        answer = corpus.follow()
        assert answer is not None and differ <= set(answer)
        if known != list(workspace.index.paths()) or before.keys() != after.keys():
            assert corpus.population != population
    workspace.close()
