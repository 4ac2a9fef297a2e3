"""The ASCII tree for the terminal."""

from __future__ import annotations

from cuedeck.graph.draw.ascii_format import draw_ascii
from cuedeck.model.diagram import Arrow, Box, Drawing

CARD, AUTH, CODE, GONE = (
    ".cuedeck/cards/7k2m9q.md",
    "docs/auth.md#LoginFlow",
    "src/login.py#Login",
    "docs/gone.md",
)
WALK = Drawing(
    "Scene of 7k2m9q",
    (
        Box(CARD, "card", 0, 412, "shown", "full"),
        Box(AUTH, "doc", 1, 1204, "shown", "section"),
        Box(CODE, "source", 2, 2310, "left-out", ""),
        Box(GONE, "dead", 2, 0, "dead", ""),
    ),
    (
        Arrow(CARD, AUTH, "refs"),
        Arrow(AUTH, CODE, "imports"),
        Arrow(AUTH, GONE, "refs"),
        Arrow(CODE, AUTH, "refs"),
    ),
    16000,
    5120,
    ((AUTH, CODE, AUTH),),
)


def test_walk_is_a_tree_with_columns_of_numbers() -> None:
    assert draw_ascii(WALK) == (
        "Scene of 7k2m9q  5,120 of 16,000 tokens\n"
        "\n"
        "                                    depth  tokens  view\n"
        ".cuedeck/cards/7k2m9q.md                0     412  full\n"
        "└─ docs/auth.md#LoginFlow               1   1,204  part\n"
        "   ├─ imports → src/login.py#Login      2   2,310  left out\n"
        "   │  └─ ↑ docs/auth.md#LoginFlow\n"
        "   └─ docs/gone.md                      2          dead\n"
        "\n"
        "cycles\n"
        "  docs/auth.md#LoginFlow → src/login.py#Login → docs/auth.md#LoginFlow\n"
        "\n"
        "legend: kind → node = link of that kind (none: ref), ↑ = listed above\n"
    )


def test_every_node_is_printed_in_full_once() -> None:
    boxes = tuple(
        Box(name, "doc", depth, 1, "shown", "full")
        for name, depth in (("a", 0), ("b", 1), ("c", 1), ("d", 1))
    )
    pairs = ("ab", "ac", "bc", "cb")
    arrows = tuple(Arrow(source, target, "refs") for source, target in pairs)
    lines = draw_ascii(Drawing("", boxes, arrows, 0, 0, ())).splitlines()
    assert [line[:12].rstrip() for line in lines[1:-2]] == [
        "a",
        "├─ b",
        "│  └─ c",
        "│     └─ ↑ b",
        "└─ ↑ c",
        "d",
    ]
    assert lines[-1] == "legend: ↑ = listed above"


def test_card_has_its_title_after_its_address() -> None:
    box = Box(".cuedeck/cards/7k2m9q.md", "card", -1, 0, "plain", "", "Fix login")
    assert (
        draw_ascii(Drawing("", (box,), (), 0, 0, ()))
        == ".cuedeck/cards/7k2m9q.md  Fix login\n"
    )
