"""Laws of layers over generated cortex trees: a change makes the layers of its
ancestors stale, and the order of creation does not matter.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from cuedeck.engine.init_workspace import init_workspace
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.knowledge.layers.build_layers import (
    build_layers,
    layer_status,
    verify_layers,
)

NAMES = st.sampled_from(["a", "b", "note.md", "run.py", "x y.md", "é.txt"])
PATHS = st.builds(
    lambda parts, name: "/".join([*(part.partition(".")[0] for part in parts), name]),
    st.lists(NAMES, min_size=1, max_size=3),
    st.sampled_from(["n.md", "m.py", "z.txt", "o.md"]),
)
TEXTS = st.builds(
    lambda words, times: " ".join(words * times),
    st.lists(
        st.sampled_from(
            ["Ana", "uses", "Vim.", "The", "server", "fails!", "#", "def", "x"]
        )
    ),
    st.sampled_from([1, 5, 60]),
)
TREES = st.dictionaries(PATHS, TEXTS, min_size=1, max_size=5)
LAWS = settings(max_examples=12, deadline=None)


class Tree:
    """A workspace with files below `cortex://resources`."""

    def __init__(self, folder: str) -> None:
        self.root = str(Path(folder).resolve())
        self.cortex = Path(self.root, ".cuedeck/cortex")
        init_workspace(self.root)

    def write(self, path: str, text: str) -> None:
        place = self.cortex / "resources" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def build(self) -> set[str]:
        """Build; return the addresses whose layers were written."""
        workspace = open_workspace(self.root, {})
        receipt = build_layers(workspace)
        workspace.close()
        assert not receipt.kept
        return {row["address"] for row in (*receipt.made, *receipt.removed)}

    def layers(self) -> dict[str, bytes]:
        return {
            place.relative_to(self.cortex).as_posix(): place.read_bytes()
            for place in sorted(self.cortex.rglob("*"))
            if (place.is_file() and place.name.startswith("."))
            or place.parent.name == ".layers"
        }

    def is_fresh(self) -> bool:
        workspace = open_workspace(self.root, {})
        rows = layer_status(workspace)["layers"]
        verified = verify_layers(workspace)["verified"]
        workspace.close()
        return verified and not rows


def built_tree(folder: str, files: Mapping[str, str]) -> Tree:
    """Return a tree with these files and their layers."""
    tree = Tree(folder)
    for name, text in files.items():
        tree.write(name, text)
    tree.build()
    return tree


def ancestors(path: str) -> set[str]:
    parts = ["resources", *path.split("/")[:-1]]
    return {"cortex://" + "/".join(parts[: size + 1]) for size in range(len(parts))}


@LAWS
@given(TREES, st.data())
def test_a_change_dirties_exactly_the_ancestors(
    files: dict[str, str], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(files)))
    with tempfile.TemporaryDirectory() as folder:
        tree = built_tree(folder, files)
        before = tree.layers()
        tree.write(path, files[path] + " One more word.")
        made = tree.build()
        assert made - {f"cortex://resources/{path}"} == ancestors(path)
        own = {f"{each.removeprefix('cortex://')}/" for each in ancestors(path)}
        for name, content in tree.layers().items():
            if content != before.get(name):
                is_own = any(
                    name in (f"{each}.abstract.md", f"{each}.overview.md")
                    for each in own
                )
                assert is_own or path.rpartition("/")[2] in name
        assert tree.is_fresh()


@LAWS
@given(TREES, st.randoms(use_true_random=False))
def test_the_order_of_creation_does_not_matter(
    files: dict[str, str], chance: object
) -> None:
    found = []
    for _ in range(2):
        names = list(files)
        chance.shuffle(names)
        with tempfile.TemporaryDirectory() as folder:
            tree = built_tree(folder, {name: files[name] for name in names})
            found.append(tree.layers())
    assert found[0] == found[1]


@LAWS
@given(TREES, st.data())
def test_removing_a_file_leaves_the_layers_of_the_tree_without_it(
    files: dict[str, str], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(files)))
    with tempfile.TemporaryDirectory() as folder:
        tree = built_tree(folder, files)
        (tree.cortex / "resources" / path).unlink()
        made = tree.build()
        assert made - {f"cortex://resources/{path}"} == ancestors(path)
        assert tree.is_fresh()
