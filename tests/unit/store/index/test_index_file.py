"""The file of the index: damaged, foreign, shared, read-only, or gone."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from sandbox import SOURCE, Sandbox

import cuedeck
from cuedeck.store.files.tree import Tree
from cuedeck.store.index import Index, schema
from cuedeck.store.index.schema import VERSION

DOCS = ["docs/a.md", "docs/b.md"]


@pytest.fixture
def place(sandbox: Sandbox) -> Path:
    """The index of a workspace with two docs."""
    for path in DOCS:
        sandbox.write(path, f"# {path}\n")
    sandbox.workspace().refresh()
    sandbox.close()
    return sandbox.private("index.sqlite")


@pytest.mark.parametrize(
    "rules",
    [
        "languages/kotlin.py",
        "languages/python.py",
        "secrets/formats.py",
        "frontmatter.py",
        "import_roots.py",
        "markdown.py",
        "settings_file.py",
    ],
)
def test_a_change_of_a_rule_table_is_another_version_of_the_index(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Path(cuedeck.__file__).parent
    for folder in ("languages", "code", "secrets"):
        shutil.copytree(home / "parse" / folder, tmp_path / "parse" / folder)
    for module in schema._RULES:
        if module.endswith(".py"):
            (tmp_path / module).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(home / module, tmp_path / module)
    monkeypatch.setattr(cuedeck, "__file__", str(tmp_path / "__init__.py"))
    assert schema._rules_hash() and VERSION.endswith(schema._rules_hash())
    with open(tmp_path / "parse" / rules, "a", encoding="utf-8") as file:
        file.write("# another rule\n")
    assert schema._rules_hash() and not VERSION.endswith(schema._rules_hash())


def titles(sandbox: Sandbox) -> list[str]:
    workspace = sandbox.workspace()
    workspace.refresh()
    found = [file.title for file in workspace.index.files()]
    workspace.close()
    return found


def is_kept(sandbox: Sandbox) -> bool:
    """Return whether the next process finds the index in its file."""
    sandbox.close()
    return len(sandbox.workspace().tree._prints) == len(DOCS)


def alter(place: Path, *statements: str) -> None:
    database = sqlite3.connect(place, isolation_level=None)
    for statement in statements:
        database.execute(statement)
    database.close()


def garble(place: Path, start: int, length: int = 200) -> None:
    with place.open("r+b") as file:
        file.seek(start)
        file.write(random.Random(start).randbytes(length))


def _garble_pages(place: Path) -> None:
    for start in range(4_096, place.stat().st_size, 4_096):
        garble(place, start)


def _put_foreign(place: Path) -> None:
    place.unlink()
    alter(place, "CREATE TABLE prints (path TEXT)", "CREATE TABLE songs (title TEXT)")


_OLDER = "UPDATE meta SET value = 'cuedeck 0.0.1 index 1' WHERE key = 'version'"
DAMAGE: dict[str, Callable[[Path], object]] = {
    "empty": lambda place: place.write_bytes(b""),
    "garbage": lambda place: place.write_bytes(random.Random(0).randbytes(40_000)),
    "short": lambda place: place.write_bytes(place.read_bytes()[:5_000]),
    "garbled pages": _garble_pages,
    "foreign": _put_foreign,
    "older": lambda place: alter(place, _OLDER),
    "incomplete": lambda place: alter(place, "DROP TABLE names"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_invalid_or_foreign_index_is_replaced(
    sandbox: Sandbox, place: Path, damage: str
) -> None:
    DAMAGE[damage](place)
    assert titles(sandbox) == DOCS
    workspace = sandbox.workspace()
    workspace.refresh()
    assert workspace.index.named("docs/a.md") == ["docs/a.md"]
    assert is_kept(sandbox)


def test_an_index_that_is_damaged_while_it_is_open_is_filled_by_the_next_query(
    sandbox: Sandbox, place: Path
) -> None:
    """A search reads the index without a tree of files, which fills it."""
    workspace = sandbox.workspace()
    assert list(workspace.index.hashes_of_kind("doc")) == DOCS
    alter(place, "DROP TABLE nodes")
    assert list(workspace.index.hashes_of_kind("doc")) == DOCS
    found = workspace.index.file(DOCS[0])
    assert found is not None and found.title == DOCS[0]
    workspace.close()


def test_a_garbled_page_is_noticed_whenever_it_is_met(
    sandbox: Sandbox, place: Path
) -> None:
    """Queries have correct answers whichever page is damaged."""
    sound = place.read_bytes()
    for start in range(4_096, len(sound), 4_096):
        place.write_bytes(sound)
        garble(place, start)
        workspace = sandbox.workspace()
        workspace.refresh()
        assert [file.title for file in workspace.index.files()] == DOCS
        assert [workspace.index.file(path).title for path in DOCS] == DOCS  # type: ignore[union-attr]
        assert workspace.index.named("docs/b.md") == ["docs/b.md"]
        assert list(workspace.index.troubled()) == []
        workspace.index.close()


def test_rows_that_cannot_be_read_make_a_new_index(
    sandbox: Sandbox, place: Path
) -> None:
    for data in ("", "[1, 2]", "{}", "[" * 100_000):
        alter(place, f"UPDATE nodes SET data = '{data}'")
        assert sandbox.workspace().index.file("docs/a.md").title == "docs/a.md"  # type: ignore[union-attr]
        sandbox.close()
        alter(place, f"UPDATE nodes SET data = '{data}'")
        assert titles(sandbox) == DOCS


@pytest.mark.parametrize("is_folder", [True, False])
def test_where_its_file_cannot_be_made_the_index_is_in_memory(
    sandbox: Sandbox, place: Path, is_folder: bool
) -> None:
    for each in place.parent.iterdir():
        each.unlink()
    if is_folder:
        place.mkdir()
    else:
        place.parent.rmdir()
        place.parent.write_text("x")
    assert titles(sandbox) == DOCS


READ_ONLY = """
import os
from cuedeck.store.index.schema import open_index
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
database = open_index("./index.sqlite")
database.execute("BEGIN IMMEDIATE")
place = database.execute("PRAGMA database_list").fetchone()[2]
print(repr(place), database.execute("SELECT count(*) FROM prints").fetchone())
"""


@pytest.mark.parametrize("read_only", ["folder", "file"])
def test_where_nothing_can_be_written_the_index_is_in_memory(
    sandbox: Sandbox, place: Path, read_only: str
) -> None:
    shut = place.parent if read_only == "folder" else place
    place.parent.chmod(0o777)
    shut.chmod(0o555 if read_only == "folder" else 0o444)
    ran = subprocess.run(
        [sys.executable, "-c", READ_ONLY],
        cwd=place.parent,
        env=sandbox.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    shut.chmod(0o755)
    assert ran.stdout == "'' (0,)\n", ran


def test_an_index_that_is_deleted_while_it_is_open_serves_on(
    sandbox: Sandbox, place: Path
) -> None:
    workspace = sandbox.workspace()
    workspace.refresh()
    for each in place.parent.iterdir():
        each.unlink()
    sandbox.write("docs/c.md", "# docs/c.md\n")
    workspace.refresh()
    assert [file.title for file in workspace.index.files()] == [*DOCS, "docs/c.md"]
    assert titles(sandbox) == [*DOCS, "docs/c.md"]
    sandbox.write("docs/c.md", "# New\n")
    workspace.refresh()
    assert [file.title for file in workspace.index.files()] == [*DOCS, "New"]
    assert titles(sandbox) == [*DOCS, "New"]


class Full(Index):
    """An index on a disk that becomes full."""

    full = False

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        if self.full and self._place:
            raise sqlite3.OperationalError("database or disk is full")
        return super().writing()


def test_a_full_disk_moves_the_index_to_memory(sandbox: Sandbox, place: Path) -> None:
    workspace = sandbox.workspace()
    index = Full(str(place))
    own = workspace.tree._ignore_state._own
    tree = Tree(workspace.paths, index, own, lambda: workspace.secrets)
    tree.refresh()
    index.full = True
    sandbox.write("docs/c.md", "# docs/c.md\n")
    assert tree.refresh().written == ("docs/c.md",)
    assert [file.title for file in index.files()] == [*DOCS, "docs/c.md"]
    sandbox.write("docs/c.md", "# New\n")
    assert tree.refresh_paths(["docs/c.md"]).written == ("docs/c.md",)


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
    sandbox: Sandbox, place: Path
) -> None:
    index = Index(str(place))
    index.keep("counts", {b"x": 1}, 10)
    assert index.cached("counts", b"x") == 1
    index.keep("counts", {b"y": None}, 10)
    assert index.cached("counts", b"y") is None
    assert not index.database.in_transaction
    index.close()


def test_caches_drop_their_oldest_rows(sandbox: Sandbox, place: Path) -> None:
    index = Index(str(place))
    for number in range(30):
        index.keep("scenes", {str(number): b"data"}, 16)
        index.keep("counts", {str(number): 1}, 30)
    found = index.database.execute(
        "SELECT key FROM cache WHERE kind = 'scenes' ORDER BY rowid"
    ).fetchall()
    assert found == [(str(number),) for number in range(14, 30)]


AT_ONCE = """
import os, sys
from cuedeck.store.index.schema import VERSION, open_index

open_index(os.path.join(sys.argv[1], "first.sqlite")).close()  # imports for all
for turn in range(40):
    place = os.path.join(sys.argv[1], f"{turn}.sqlite")
    gate, opened = os.pipe()
    ids = []
    for _ in range(8):
        child = os.fork()
        if not child:
            os.close(opened)
            os.read(gate, 1)
            database = open_index(place)
            version = database.execute("SELECT value FROM meta WHERE key = 'version'").fetchone()[0]
            database.execute("REPLACE INTO meta VALUES (?, 'y')", (str(os.getpid()),))
            os._exit(0 if version == VERSION else 1)
        ids.append(child)
    os.close(gate)
    os.close(opened)
    assert [os.waitpid(child, 0)[1] for child in ids] == [0] * 8, turn
    found = open_index(place).execute("SELECT key FROM meta WHERE value = 'y'").fetchall()
    assert {key for key, in found} == {str(child) for child in ids}, turn
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_processes_that_make_the_index_at_once_share_it(tmp_path: Path) -> None:
    command = [sys.executable, "-c", AT_ONCE, str(tmp_path)]
    ran = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
    )
    assert (ran.returncode, ran.stderr) == (0, "")


def test_half_a_surrogate_pair_is_no_damage(sandbox: Sandbox, place: Path) -> None:
    """A path that is not valid text was treated as a damaged index, and the index was
    rebuilt.
    """
    workspace = sandbox.workspace()
    workspace.refresh()
    filled: list[str] = []
    workspace.index.rebuild = lambda: filled.append("")
    with pytest.raises(UnicodeEncodeError):
        workspace.index.ask("SELECT 1 FROM nodes WHERE path = ?", ("\udcff",))
    assert filled == []
