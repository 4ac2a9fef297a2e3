"""Generated workspaces of the benchmarks."""

from __future__ import annotations

import ast
import hashlib
import os
import posixpath
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.figure import Figure, format_table, quantile
from benchmarks.workspace import MARK, files, write_workspace
from cuedeck.context.scene.walk import walk
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.neighbourhood import neighbourhood


def test_equal_seeds_give_equal_bytes() -> None:
    """The hash is pinned, so that figures of different days describe the same
    workspace.
    """
    digest = hashlib.sha256(repr(list(files(120))).encode()).hexdigest()
    assert digest == hashlib.sha256(repr(list(files(120))).encode()).hexdigest()
    assert digest == "fc3f50ba6071a321c4acfd5f8ad9aed906164ef5e3f9c06f603ffc6f5be75cba"


def test_another_seed_gives_other_bytes() -> None:
    assert dict(files(20, seed=1)) != dict(files(20, seed=2))


def test_workspace_has_a_card_per_20_docs_and_a_source_per_10() -> None:
    paths = [path for path, _ in files(1_000)]
    assert len(set(paths)) == len(paths)
    kinds = Counter(
        path.split("/")[0 if not path.startswith(".cuedeck/c") else 1] for path in paths
    )
    assert kinds == {
        "docs": 1_000,
        "src": 100,
        "cards": 50,
        "config.toml": 1,
        ".gitignore": 1,
    }


def test_no_folder_of_docs_has_more_than_100_files() -> None:
    folders = Counter(
        posixpath.dirname(path) for path, _ in files(450) if path.startswith("docs/")
    )
    assert sorted(folders.values()) == [50, 100, 100, 100, 100]


def test_docs_have_about_1300_bytes_and_the_line_that_saves_change() -> None:
    texts = [text for path, text in files(200) if path.startswith("docs/")]
    assert all(1_000 < len(text.encode()) < 1_600 for text in texts)
    assert 1_200 < sum(map(len, texts)) / len(texts) < 1_400
    assert all(text.count(f"\n{MARK.format(0)}\n") == 1 for text in texts)


def test_python_sources_can_be_parsed() -> None:
    sources = [text for path, text in files(1_000) if path.endswith(".py")]
    assert sources
    assert all(ast.parse(text).body for text in sources)


def test_one_card_is_active_and_reaches_about_30_files(tmp_path: Path) -> None:
    root = str(tmp_path / "workspace")
    made = write_workspace(root, 250)
    workspace = open_workspace(root, {})
    workspace.refresh()
    assert made.files == workspace.index.size() + 1, (
        "config.toml is no file of the index"
    )
    assert not list(workspace.index.troubled())
    active = [
        file.path
        for file in workspace.index.files("card")
        if file.card and file.card.status == "active"
    ]
    assert len(active) == 1
    found = neighbourhood(
        resolve_address(active[0], workspace.index), workspace.index, 3
    )
    assert not found.unresolved
    assert 22 <= len(walk(found)) <= 32
    workspace.index.close()


def test_workspace_on_disk_has_the_generated_bytes(
    tmp_path: Path,
) -> None:
    made = write_workspace(str(tmp_path), 30)
    texts = dict(files(30))
    assert {path: (tmp_path / path).read_text("utf-8") for path in texts} == texts
    assert (made.files, made.size) == (len(texts), sum(map(len, texts.values())))
    assert os.path.dirname(made.scene) == str(tmp_path / ".cuedeck")


@pytest.mark.parametrize(
    ("share", "value"), [(0.0, 1), (0.5, 50), (0.99, 99), (1.0, 100)]
)
def test_quantile_is_one_of_the_values(share: float, value: float) -> None:
    assert quantile([float(each) for each in range(100, 0, -1)], share) == value


def test_rate_below_its_floor_has_a_ratio_above_one() -> None:
    rate = Figure("index", "docs", 10, 2_000, "docs/s", 8_000)
    assert rate.ratio == 4
    assert rate.at_least(1_500).met is True
    assert Figure("save", "p50", 10, 12, "ms", 2).against(5).met is False


def test_table_is_aligned() -> None:
    table = format_table(
        [
            Figure("save", "p50", 10, 12, "ms", 2).against(5),
            Figure("idle", "cpu", 10_000, 1, "%", 2),
        ]
    )
    heading, *rows = table.splitlines()
    assert heading.split()[:4] == ["row", "what", "docs", "measured"]
    assert (
        rows[0].index(" ms ") + 3
        == rows[1].index(" % ") + 2
        == heading.index("measured") + len("measured")
    )
    assert "6.0x" in rows[0]
    assert "MISSED" in rows[0]
