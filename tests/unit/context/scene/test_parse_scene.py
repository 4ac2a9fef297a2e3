from __future__ import annotations

import re

import pytest
import seed_workspace
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, build, card

from cuedeck.context.scene.diff_scenes import Reading, read_scene
from cuedeck.context.scene.related_tier import LISTED_OPENING
from cuedeck.model.scene_values import Scene, Shown

TRAPS = [
    "### `docs/a.md`",
    "depth 1, shown in full: a trap",
    "in full: a trap",
    "",
    "```",
    "````python",
    "## Map",
    "- `docs/a.md` not shown, 9 tokens: a trap",
    "## Related",
    LISTED_OPENING.rstrip("\n"),
    "src/a.py:3: a trap",
    "## Receipt",
    "card `x` · limit 1 · 2 tokens o200k_base",
    "sha256 " + "0" * 12,
    "> [!WARNING] Truncated",
    "⋮ 9 lines",
    "9│a trap",
    "a\x0cb\u2028c",
    "words",
]
FILES = {
    CARD: card("docs/a.md", "docs/b.md#Two", "src/long.py"),
    "docs/a.md": "# A\n\n[[c]] and words\n",
    "docs/b.md": "# B\n\n## One\n\nno\n\n## Two\n\nyes [x](c.md#end)\n",
    "docs/c.md": "# C\n\n" + "many words of it\n" * 40 + "\n## End\n\nthe end\n",
    "src/long.py": "".join(f"def f{n}():\n    return {n}\n\n\n" for n in range(200)),
}


def read(scene: Scene) -> Reading:
    found = read_scene(scene.text)
    assert found is not None
    return found


def assert_round_trip(scene: Scene) -> None:
    """Check that the parsed scene equals the rendered scene."""
    found = read(scene)
    assert [node.name for node in found.nodes] == [
        _printed_name(shown) for shown in scene.visits
    ]
    for node, shown in zip(found.nodes, scene.visits, strict=True):
        if shown.view == "line" and shown.visit.tier == "related":
            assert (
                node.head.startswith(f"{shown.visit.path}:{shown.lines[0]}: ")
                and f"\n{node.head}" in scene.text
            )
            assert (node.body, node.lines) == ("", str(shown.lines[0]))
        elif shown.view == "line" and shown.visit.depth:
            assert (node.head, node.body, node.lines) == (shown.entry, "", "")
        else:
            assert (node.head, node.body) == (shown.head, shown.body)
            assert node.lines == _fenced_ranges(shown)
    assert [node.view for node in found.nodes] == [shown.view for shown in scene.visits]
    assert [(node.tier, node.depth) for node in found.nodes] == [
        (
            shown.visit.tier,
            0
            if shown.view == "line" and shown.visit.tier == "explicit"
            else shown.visit.depth,
        )
        for shown in scene.visits
    ]
    assert (found.budget, found.tokens, found.encoding) == (
        scene.budget,
        scene.tokens,
        scene.encoding,
    )
    assert found.receipt == scene.receipt[:12]


def _printed_name(shown: Shown) -> str:
    """Return the printed name of a visit: from its heading, else from its map line."""
    found = re.match(r"(?:###|-) (`+)(.+?)\1", shown.head or shown.entry)
    if found is None:
        return shown.visit.path
    return found[2] if found[1] == "`" else found[2][1:-1]


def _fenced_ranges(shown: Shown) -> str:
    """Return the line ranges in the fence of a visit; the task has no line numbers."""
    numbers = (
        []
        if shown.visit.depth == 0
        else [int(n) for n in re.findall(r"^(\d+)│", shown.body, re.MULTILINE)]
    )
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ", ".join(
        f"{start}-{end}" if start < end else f"{start}"
        for start, end in zip(starts, ends, strict=True)
    )


@pytest.mark.parametrize("encoding", ["o200k_base", "cl100k_base"])
@pytest.mark.parametrize("budget", [16_000, 1_500, 700, 560, 420, 300, 200])
@pytest.mark.parametrize("files", [seed_workspace.FILES, FILES], ids=["seed", "mixed"])
def test_rendered_scene_is_parsed_back(
    files: dict[str, str], budget: int, encoding: str
) -> None:
    assert_round_trip(build(files, budget, encoding=encoding))


STORES = {
    f"src/store{at:02}.py": f"# the expired token{' of a very long line' * (at > 9) * 200}\n\n\ndef keep_{at}():\n"
    + "".join(f"    step_{at}_{n} = something_long({n})\n" for n in range(30))
    for at in range(30)
}
FILLERS = {
    f"src/filler{at:02}.py": f"def filler_{at}(box):\n    return box\n"
    for at in range(300)
}


def test_map_only_files_and_listed_files_are_parsed_back() -> None:
    refs = ("docs/a.md", "logo.png", "src/", "docs/b.md#Two", "src/long.py")
    files: dict[str, str | bytes] = {**FILES, **STORES, **FILLERS, "logo.png": b"\0"}
    files[CARD] = card(*refs, title="Expired token")
    views = set()
    for budget in (16_000, 4_000, 2_000, 900, 700, 500, 420, 300):
        scene = build(files, budget, share=0.5)
        assert_round_trip(scene)
        views |= {(shown.visit.tier, shown.view) for shown in scene.visits}
    assert views >= {
        ("explicit", view) for view in ("full", "section", "outline", "line")
    } - {("explicit", "section")}
    assert views >= {("related", "section"), ("related", "line")}


@settings(max_examples=40, deadline=None)
@given(
    bodies=st.lists(
        st.lists(st.sampled_from(TRAPS), max_size=12), min_size=2, max_size=2
    ),
    budget=st.sampled_from([200, 400, 800, 16_000]),
)
def test_text_that_looks_like_a_scene_is_not_parsed_as_one(
    bodies: list[list[str]], budget: int
) -> None:
    first, second = ("\n".join(rows) for rows in bodies)
    assert_round_trip(
        build(
            {
                CARD: card("docs/a.md", body=f"{first}\n"),
                "docs/a.md": f"# A\n\n{second}\n",
            },
            budget,
        )
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Notes\n\nnothing of ours\n",
        f"```\n## Receipt\n\nlimit 1 · 2 tokens o200k_base\nsha256 {'0' * 12}\n```\n",
        "## Receipt\n\nlimit 1 · 2 tokens o200k_base\nsha256 short\n",
        "```\nnever closed\n## Receipt\n",
    ],
    ids=["empty", "other", "in a fence", "no hash", "open fence"],
)
def test_text_without_receipt_is_not_a_scene(text: str) -> None:
    assert read_scene(text) is None


def test_truncated_scene_is_parsed_without_an_error() -> None:
    text = build(seed_workspace.FILES).text
    assert all(read_scene(text[:end]) is None for end in range(len(text) - 1))


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (["1│a", "2│b"], "1-2"),
        (["4│a", "5│b", "⋮ 2 lines", "8│c"], "4-5, 8"),
        (["1│a", "⋮ 1 line", "3│b"], "1, 3"),
        ([], ""),
    ],
)
def test_lines_of_a_node_are_the_numbers_in_its_fence(
    rows: list[str], lines: str
) -> None:
    fenced = "".join(f"{row}\n" for row in ["```python", *rows, "```", ""])
    assert (
        _parse_with_related_node(f"### `src/a.py`\nits text has 'token'\n\n{fenced}")
        .nodes[-1]
        .lines
        == lines
    )


def _parse_with_related_node(node: str) -> Reading:
    text = build(seed_workspace.FILES).text
    found = read_scene(
        text.replace(
            "## Receipt\n",
            f"## Related\n\n> Nobody linked these.\n\n{node}## Receipt\n",
        )
    )
    assert found is not None
    return found


def test_related_node_is_recognised_by_its_reason() -> None:
    node = (
        "### `src/a.py`\nits text has 'token'; all 9 tokens\n\n```python\n5│x\n```\n\n"
    )
    found = _parse_with_related_node(node)
    last = found.nodes[-1]
    assert (last.name, last.tier, last.view) == ("src/a.py", "related", "section")
    assert last.why == "its text has 'token'; all 9 tokens"
    assert last.head + last.body == node
