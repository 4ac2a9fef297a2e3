"""Laws of a scene, for generated workspaces and budgets."""

from __future__ import annotations

import random
import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory import CARD, WalkedWorkspace, build, card, tokens, views, walk_files

from cuedeck.context.scene.budget import Plan, plan
from cuedeck.context.scene.visit_heading import entry_tokens

AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
PASSWORD = "s3cr3tPa55word"
NAMES = (
    "docs/a.md",
    "docs/b.md",
    "docs/c d's.md",
    "src/a.py",
    "src/b.rs",
    "notes/設計.md",
)
WORDS = st.sampled_from(
    [
        "word " * 30,
        "a line of text\n",
        "## Part\n\ntext\n\n",
        "### Deep\n\n",
        "\n\n",
        "`code` ```` fence\n",
        "```\nfenced\n```\n",
        "def f(a, b):\n    return a\n\n\n",
        "class C:\n    def m(self):\n        pass\n",
        "<|endoftext|>",
        "設計文書と認証の流れ\n",
        "🎉" * 20,
        "x" * 4_000,
        "/*\n",
        " \t ",
        "1234567890" * 9,
        f"key {AWS} end\n",
        f"postgres://me:{PASSWORD}@host/db\n",
        f"## About {AWS}\n\n",
    ]
)
LINKS = st.sampled_from(
    [
        f"[[{name}{anchor}]]\n"
        for name in NAMES
        for anchor in ("", "#Part", "#f", "#L2-L9", "#L1-")
    ]
    + ["[[src/]]\n", "[[2a9f1x]]\n", "[[gone]]\n", f"[[gone#{AWS}]]\n", "[[#Part]]\n"]
)
TEXTS = st.lists(st.one_of(WORDS, WORDS, LINKS), max_size=14).map("".join)
REFS = st.lists(
    st.sampled_from(
        [f'"{name}{anchor}"' for name in NAMES for anchor in ("", "#Part")]
        + [f'{{ref: "{name}", pin: true}}' for name in NAMES]
        + [f'{{ref: "{name}", view: full}}' for name in NAMES]
        + ["src/", "logo.png", "gone.md", f'"docs/a.md#About {AWS}"']
    ),
    max_size=6,
)
TITLES = st.sampled_from(
    [
        "Fix login",
        "t" * 3_000,
        f"Rotate {AWS}",
        "<|endoftext|>" * 9,
        "設計 " * 90,
        "` # > |",
    ]
)
WORKSPACES = st.builds(
    lambda refs, title, body, texts: (
        {CARD: card(*refs, title=f"'{title}'", body=body), "logo.png": b"\0"}
        | dict(zip(NAMES, texts, strict=True))
    ),
    REFS,
    TITLES,
    TEXTS,
    st.lists(TEXTS, min_size=len(NAMES), max_size=len(NAMES)),
)
BUDGETS = st.one_of(
    st.integers(200, 500), st.integers(200, 3_000), st.integers(200, 40_000)
)
QUICK = settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


@QUICK
@given(
    files=WORKSPACES,
    budget=BUDGETS,
    encoding=st.sampled_from(["o200k_base", "cl100k_base"]),
    share=st.sampled_from([0.0, 1.0]),
)
def test_scene_keeps_its_budget_counts_itself_and_reports_omissions(
    files: dict[str, str | bytes], budget: int, encoding: str, share: float
) -> None:
    scene = build(files, budget, encoding=encoding, share=share)
    assert (
        len(tokens(encoding).load().encode_ordinary(scene.text))
        == scene.tokens
        <= budget
    )
    # Every visit appears once. The map has a line for each but the task and the listed
    # files.
    linked = [each for each in scene.visits if each.visit.tier == "explicit"]
    addresses = [each.visit.address for each in linked] + [
        each.address for each in scene.left_out
    ]
    assert sorted(addresses) == sorted(walk_files(files).addresses)
    outside = re.sub(
        r"^(`{3,})\w*\n.*?^\1\n", "", scene.text, flags=re.MULTILINE | re.DOTALL
    )
    assert outside.count("\n### `") == sum(bool(each.head) for each in scene.visits)
    assert outside.count("\n- `") == sum(bool(each.entry) for each in scene.visits)
    assert all(each.head or each.entry for each in linked)
    message = re.search(
        r"^> Context made by CueDeck: ([\d,]+) of", scene.text, re.MULTILINE
    )
    assert message is not None and int(message[1].replace(",", "")) == min(
        -(-scene.tokens // 100) * 100, budget
    )
    assert CARD in addresses[0]
    # The notice is there if and only if a visit was omitted or reduced.
    gave_way = bool(scene.left_out) or any(each.reduced for each in scene.visits)
    assert ("\n> [!WARNING] Truncated\n" in outside) == gave_way == bool(scene.blocks)
    assert all(block.tokens <= block.cap for block in scene.blocks)
    assert AWS not in scene.text and PASSWORD not in scene.text
    assert outside.count("\n## Receipt\n") == 1 and "\x00" not in scene.text


@QUICK
@given(
    pieces=st.lists(
        st.builds(
            "{}{}{}".format,
            st.sampled_from(["# ", "> ", "- `", "```", "````python\n", "### `"]),
            st.text(
                st.sampled_from("ab /\n\r\t`#>-…é設🎉'01.!\u2028\u0301 "), max_size=12
            ),
            st.sampled_from(["\n", "\n\n", ".\n", "`\n\n"]),
        ),
        max_size=8,
    )
)
def test_token_count_of_a_text_is_the_sum_over_its_pieces(pieces: list[str]) -> None:
    """A piece ends with a newline, and the next begins with a character that no token
    joins to the previous line.
    """
    for encoding in ("o200k_base", "cl100k_base"):
        count = tokens(encoding).count
        assert count("".join(pieces)) == sum(map(count, pieces))


def check_law(here: WalkedWorkspace, result: Plan, room: int, budget: int) -> None:
    made, count = views(here, budget), tokens()
    for each in result.shown:
        tokens_of_entry = entry_tokens(each.entry, count) if each.entry else 0
        assert (
            each.cost
            == count.count(each.head) + count.count(each.body) + tokens_of_entry
        )
    free = room - sum(each.cost for each in result.shown)
    assert free >= 0
    visits = {visit.address: visit for visit in here.visits}
    for visit in result.left_out:
        assert made.best(visit, free) is None
    for each in result.shown:
        if each.reduced:
            best = made.best(visits[each.visit.address], free + each.cost)
            # The beginning of a task is smaller than anything but its full text.
            is_cut = each.visit.depth == 0
            assert best is not None
            assert best.view != "full" if is_cut else best.cost <= each.cost
    # Deeper visits take no room that a nearer visit needs for a line.
    deeper = sum(
        each.cost
        for each in result.shown
        if each.visit.depth > 1 and not each.visit.pinned
    )
    for visit in result.left_out:
        if visit.depth < 2 or visit.pinned:
            line = made.offer(visit, "line", 10**9)
            assert line is not None and line.cost > free + deeper


@QUICK
@given(
    files=WORKSPACES,
    room=st.integers(0, 6_000),
    budget=st.sampled_from([200, 1_000, 16_000]),
    data=st.data(),
)
def test_every_view_that_fits_is_shown(
    files: dict[str, str | bytes], room: int, budget: int, data: st.DataObject
) -> None:
    here = walk_files(files)
    notice = data.draw(st.integers(0, 100))
    result = plan(here.visits, views(here, budget), room, notice)
    check_law(here, result, max(0, room - notice) if result.pressed else room, budget)


def test_every_view_that_fits_is_shown_among_hundreds() -> None:
    draw = random.Random(5)
    for length in (1, 3_000):
        refs = [f"docs/{number}.md" for number in range(200)]
        files: dict[str, str | bytes] = {
            ref: "# X\n\n" + "word " * draw.choice([0, 5, 60, 600]) for ref in refs
        }
        files[CARD] = card(
            body="".join(f"[[{ref}]]\n" for ref in refs) + "task " * length
        )
        here = walk_files(files)
        for room in (500, 4_000, 12_000, 20_000):
            check_law(here, plan(here.visits, views(here), room, 0), room, 16_000)


@QUICK
@given(
    files=WORKSPACES,
    budget=BUDGETS,
    shuffle=st.randoms(use_true_random=False),
    share=st.sampled_from([0.0, 1.0]),
)
def test_order_of_files_changes_no_byte(
    files: dict[str, str | bytes], budget: int, shuffle: random.Random, share: float
) -> None:
    turned = list(files.items())
    shuffle.shuffle(turned)
    assert build(dict(turned), budget, share=share) == build(files, budget, share=share)
