from __future__ import annotations

import pytest
import seed_workspace
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, build, card, tokens

from cuedeck.model.scene_values import Scene
from cuedeck.scene.parse_scene import Node, Reading, read_scene, related_lines

TRAPS = [
    "### `docs/a.md` (lines 1-2)",
    "depth 1, shown in full: a trap",
    "in full: a trap",
    "",
    "```",
    "````python",
    "## Receipt",
    "card `x` · budget 1 · 2 tokens o200k_base",
    "sha256 " + "0" * 64,
    "> [!WARNING] Truncated",
    "9…",
    "a\x0cb\u2028c",
    "words",
]
FILES = {
    CARD: card("docs/a.md", "docs/b.md#Two", "src/long.py"),
    "docs/a.md": "# A\n\n[[c]] and words\n",
    "docs/b.md": "# B\n\n## One\n\nno\n\n## Two\n\nyes [x](c.md#end)\n",
    "docs/c.md": "# C\n\n" + "many words of it\n" * 40 + "\n## End\n\nthe end\n",
    "src/long.py": "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(60)),
}


def read(scene: Scene) -> Reading:
    found = read_scene(scene.text)
    assert found is not None
    return found


def check(scene: Scene) -> None:
    """What is read is what was rendered."""
    found = read(scene)
    assert [(node.head, node.body) for node in found.nodes] == [(shown.head, shown.body) for shown in scene.visits]
    assert [node.view for node in found.nodes] == [shown.view for shown in scene.visits]
    assert [(node.tier, node.depth) for node in found.nodes] == [
        (shown.visit.tier, shown.visit.depth) for shown in scene.visits
    ]
    assert (found.budget, found.tokens, found.encoding) == (scene.budget, scene.tokens, scene.encoding)
    assert found.receipt == scene.receipt


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("budget", [16_000, 1_500, 700, 560, 420, 300, 200])
@pytest.mark.parametrize("files", [seed_workspace.FILES, FILES], ids=["seed", "mixed"])
def test_a_scene_is_read_back_as_it_was_rendered(files: dict[str, str], budget: int, encoding: str) -> None:
    check(build(files, budget, encoding=encoding))


def test_names_and_reasons_are_those_of_the_visits() -> None:
    scene = build(FILES, 2_000)
    found = read(scene)
    assert found.card == CARD
    assert [node.name for node in found.nodes] == [shown.visit.address for shown in scene.visits]
    assert [node.why for node in found.nodes] == [shown.visit.why for shown in scene.visits]
    assert [node.lines for node in found.nodes][:3] == ["1-12", "1-3", "7-9"]
    assert [node.view for node in found.nodes] == [shown.view for shown in scene.visits]
    assert {node.view for node in found.nodes} == {"full", "outline"}
    count = tokens()
    assert [count.count(node.head) + count.count(node.body) for node in found.nodes] == [
        shown.tokens for shown in scene.visits
    ]


@settings(max_examples=40, deadline=None)
@given(
    bodies=st.lists(st.lists(st.sampled_from(TRAPS), max_size=12), min_size=2, max_size=2),
    budget=st.sampled_from([200, 400, 800, 16_000]),
)
def test_text_that_looks_like_a_scene_is_not_taken_for_one(bodies: list[list[str]], budget: int) -> None:
    first, second = ("\n".join(rows) for rows in bodies)
    check(build({CARD: card("docs/a.md", body=f"{first}\n"), "docs/a.md": f"# A\n\n{second}\n"}, budget))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Notes\n\nnothing of ours\n",
        f"```\n## Receipt\n\nbudget 1 · 2 tokens o200k_base\nsha256 {'0' * 64}\n```\n",
        "## Receipt\n\nbudget 1 · 2 tokens o200k_base\nsha256 short\n",
        "```\nnever closed\n## Receipt\n",
    ],
    ids=["empty", "other", "in a fence", "no hash", "open fence"],
)
def test_what_has_no_receipt_is_no_scene(text: str) -> None:
    assert read_scene(text) is None


def test_every_cut_of_a_scene_is_read_without_an_error() -> None:
    text = build(seed_workspace.FILES).text
    assert all(read_scene(text[:end]) is None for end in range(len(text) - 1))


def related(body: str) -> Node:
    return Node("a.py", "", "related", 1, "section", "why", "", body)


def test_names_with_backticks_are_read_back() -> None:
    root, doc = ".cuedeck/cards/`a``b.md", "docs/c`d.md"
    found = read_scene(build({root: card(doc), doc: "word " * 9_000}, 900, root=root).text)
    assert found is not None
    assert (found.card, [node.name for node in found.nodes]) == (root, [root, doc])
    assert found.nodes[1].why == "named in the refs of .cuedeck/cards/'a''b.md (line 5)"


@pytest.mark.parametrize(
    ("rows", "spans"),
    [
        (["a", "b"], ((1, 2),)),
        (["3…", "a", "b", "2…", "c", "7…"], ((4, 5), (8, 8))),
        (["a", "1…", "b"], ((1, 1), (3, 3))),
        ([], ()),
    ],
)
def test_the_lines_of_a_related_node_follow_from_its_gaps(rows: list[str], spans: tuple[tuple[int, int], ...]) -> None:
    assert related_lines(related("".join(f"{row}\n" for row in ["```python", *rows, "```", ""]))) == spans


def test_a_related_node_is_told_by_its_reason() -> None:
    text = build(seed_workspace.FILES).text
    node = "### `src/a.py`\nits text has 'token'; all 9 tokens\n\n```python\n4…\nx\n```\n\n"
    found = read_scene(text.replace("## Receipt\n", f"## Related\n\n> Nobody linked these.\n\n{node}## Receipt\n"))
    assert found is not None
    last = found.nodes[-1]
    assert (last.name, last.tier, last.view) == ("src/a.py", "related", "section")
    assert last.why == "its text has 'token'; all 9 tokens"
    assert last.head + last.body == node
