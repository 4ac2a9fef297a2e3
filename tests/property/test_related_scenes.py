"""Laws of a scene with its related tier, for generated workspaces and budgets."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory import CARD, Memory, build, card, tokens, views, walk_files
from shop_strategies import SECRETS, shops

from cuedeck.context.scene.budget import gives_way
from cuedeck.context.scene.related_tier import LISTED_OPENING, OPENING
from cuedeck.context.scene.render import KEPT_SHARE
from cuedeck.context.scene.visit_heading import entry_tokens
from cuedeck.context.scene.visit_views import LARGE_SHARE
from cuedeck.model.scene_values import Scene, Shown

Files = dict[str, str | bytes]

BUDGETS = st.one_of(
    st.integers(200, 500), st.integers(200, 3_000), st.integers(200, 20_000)
)
QUICK = settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
STEADY_BUDGET = 2_400
"""Minimum budget. In a smaller one, the hash in the footer may change the room of the
explicit tier by a token.
"""


def related_visits(scene: Scene) -> list[Shown]:
    return [each for each in scene.visits if each.visit.tier == "related"]


@QUICK
@given(
    files=shops(),
    budget=BUDGETS,
    encoding=st.sampled_from(["o200k_base", "cl100k_base"]),
)
def test_scene_with_related_files_keeps_its_budget_and_masks_secrets(
    files: Files, budget: int, encoding: str
) -> None:
    scene = build(files, budget, encoding=encoding, share=1.0)
    assert (
        len(tokens(encoding).load().encode_ordinary(scene.text))
        == scene.tokens
        <= budget
    )
    tiers = [each.visit.tier for each in scene.visits]
    assert tiers == sorted(tiers)  # explicit before related
    addresses = [each.visit.address for each in scene.visits]
    assert len(set(addresses)) == len(addresses)
    outside = re.sub(
        r"^(`{3,})\w*\n.*?^\1\n", "", scene.text, flags=re.MULTILINE | re.DOTALL
    )
    assert outside.count("\n### `") == sum(bool(each.head) for each in scene.visits)
    assert outside.count("\n## Related\n") == bool(related_visits(scene))
    assert outside.count("\n## Receipt\n") == 1
    section = "".join(
        [OPENING, *(each.head + each.body for each in related_visits(scene))]
    )
    if related_visits(scene):
        rest = scene.text.partition(section)[2]
        listed = [each for each in related_visits(scene) if each.view == "line"]
        assert rest.startswith(LISTED_OPENING if listed else "## Receipt\n")
        rows = rest.removeprefix(LISTED_OPENING).split("\n")[1 : len(listed) + 1]
        for row, each in zip(rows, listed, strict=bool(listed)):
            assert (
                row.startswith(f"{each.visit.path}:{each.lines[0]}: ")
                and len(row) <= 200
            )
    answer = "\n".join(
        [scene.text, *(each.visit.why for each in related_visits(scene))]
    ).lower()
    assert not any(secret.lower() in answer for secret in SECRETS)


@QUICK
@given(files=shops(), budget=BUDGETS)
def test_every_related_file_has_a_reason_and_shows_its_own_lines(
    files: Files, budget: int
) -> None:
    memory = Memory(files)
    linked = set(walk_files(files).addresses)
    for each in related_visits(build(files, budget, share=1.0)):
        visit = each.visit
        assert visit.path not in linked and visit.kind in ("doc", "source")
        assert visit.why and visit.edge in dict(visit.ranks) and visit.via == CARD
        if each.view == "line":
            assert not each.head and not each.body and not each.entry
            continue
        reason = each.head.split("\n")[1]
        assert re.fullmatch(r"(in full: )?\S.*", reason) and reason.startswith(
            "in full: "
        ) is (each.view == "full")
        check_lines(memory, each)


def check_lines(memory: Memory, each: Shown) -> None:
    """Check that the fenced rows are numbered lines of the file, and that marks count
    the omitted lines, except after a signature or heading that is shown alone.
    """
    lines = memory.text(each.visit.path).split("\n")
    file = memory.file(each.visit.path)
    assert file is not None
    heads = {symbol.head for symbol in file.symbols}
    marked = heads | {section.start for section in file.sections}
    shown = [line for start, end in each.visit.parts for line in range(start, end + 1)]
    rest = iter(shown)
    _, *rows, _, _, _ = each.body.split("\n")
    last = 0
    is_lone_head = False
    for row in rows:
        gap = re.fullmatch(r"⋮ (\d+) lines?", row)
        if gap is not None:
            last += int(gap[1])
            continue
        number, bar, text = row.partition("│")
        assert bar and int(number) == next(rest)
        follows = last == int(number) - 1
        assert follows != is_lone_head or last == 0
        last = int(number)
        is_lone_head = last in marked and not {last - 1, last + 1} & set(shown)
        assert (
            text == lines[last - 1]
            or "<secret:" in text
            or (last in heads and text.count("\n") == 0)
        )
    assert next(rest, None) is None


@QUICK
@given(files=shops(), budget=BUDGETS)
def test_linked_content_is_equal_with_and_without_related_files(
    files: Files, budget: int
) -> None:
    with_, without = build(files, budget, share=1.0), build(files, budget)
    here = walk_files(files)
    made = views(here, budget)
    long = [
        visit
        for visit in here.visits[1:]
        if visit.whole and made.size(visit) > budget * LARGE_SHARE
    ]
    full = without.tokens > budget * (1 - KEPT_SHARE)
    if (
        long
        or (full and any(gives_way(visit) for visit in here.visits))
        or (budget < STEADY_BUDGET and (is_pressed(with_) or is_pressed(without)))
    ):
        return
    assert parts_of(without) == parts_of(with_)
    linked = [each for each in with_.visits if each.visit.tier == "explicit"]
    assert [each[1:] for each in linked] == [each[1:] for each in without.visits]
    assert with_.left_out == without.left_out


def parts_of(scene: Scene) -> list[str]:
    """Return the text of the task and of the linked part of a scene."""
    task = (
        scene.text.partition("\n## Task\n")[2]
        .partition("\n## Map\n")[0]
        .partition("\n## Receipt\n")[0]
    )
    rest = scene.text.partition("\n## Linked\n")[2].partition("\n## Related\n")[0]
    return [task.partition("\n## Related\n")[0], rest.partition("\n## Receipt\n")[0]]


@QUICK
@given(
    budget=st.integers(1_500, 12_000),
    count=st.integers(2, 14),
    words=st.integers(20, 400),
)
def test_docs_that_link_each_other_leave_room_for_related_files(
    budget: int, count: int, words: int
) -> None:
    """A card with one page of a handbook used to get the whole handbook, and not one
    line of the source that it mentioned.
    """
    pages = {
        f"docs/p{at}.md": f"# Page {at}\n\n{'chapter ' * words}\n\n"
        + "".join(f"See [[p{to}]].\n" for to in range(count) if to != at)
        for at in range(count)
    }
    body = "Tokens of expired sessions are refused.\n"
    source = {
        "src/tokens.py": "def refuse_expired(token):\n    return token.is_expired\n"
    }
    others = {
        f"src/{name}.py": f"def {name}():\n    return 1\n"
        for name in ("garden", "kitchen", "weather")
    }
    files: Files = {CARD: card("docs/p0.md", body=body), **pages, **source, **others}
    scene = build(files, budget, share=1.0)
    assert scene.tokens <= budget
    assert [each.visit.path for each in related_visits(scene)] == ["src/tokens.py"]
    # The docs use the rest of the budget: no omitted or reduced doc would have fitted.
    free = budget - scene.tokens
    smaller = [
        each for each in scene.visits if each.reduced and each.visit.tier == "explicit"
    ]
    assert free < words * 2 + 400 or not (scene.left_out or smaller)


def is_pressed(scene: Scene) -> bool:
    return bool(scene.left_out) or any(each.reduced for each in scene.visits)


@QUICK
@given(files=shops(), budget=BUDGETS, share=st.floats(0, 1))
def test_related_share_is_a_ceiling(files: Files, budget: int, share: float) -> None:
    scene = build(files, budget, share=share)
    part = (
        "## Related\n"
        + scene.text.partition("## Related\n")[2].partition("## Receipt\n")[0]
    )
    cost = sum(
        entry_tokens(each.entry, tokens())
        for each in related_visits(scene)
        if each.entry
    )
    assert not related_visits(scene) or cost + tokens().count(part) <= int(
        budget * share
    )
    assert share or scene == build(files, budget)


FUNCTION = "def step_{0}(token):\n    value = token.expired_{0}\n    return value\n\n\n"


@QUICK
@given(budget=st.integers(1_500, 8_000), docs=st.integers(0, 6), data=st.data())
def test_linked_file_of_one_more_line_keeps_its_bodies(
    budget: int, docs: int, data: st.DataObject
) -> None:
    """A file of 2,010 tokens used to lose all its bodies at a limit of 8,000, of which
    half stayed empty.
    """
    others: Files = {f"docs/{at}.md": "# X\n\n" + "token " * 300 for at in range(docs)}
    others |= {f"src/f{at}.py": f"pebble = {at}\n" for at in range(9)}
    others[CARD] = card("src/a.py", *(f"docs/{at}.md" for at in range(docs)))
    whole = "".join(FUNCTION.format(at) for at in range(budget // 20))
    lines = whole.split("\n")
    share = data.draw(st.sampled_from([0.0, 1.0]))
    length = data.draw(st.integers(40, len(lines) - 2))
    shown: list[int] = []
    for last in (length, length + 1):
        files = {**others, "src/a.py": "\n".join(lines[:last])}
        scene = build(files, budget, share=share)
        assert scene.tokens <= budget
        node = next(each for each in scene.visits if each.visit.path == "src/a.py")
        shown.append(node.tokens)
        names = set(re.findall(r"\w+", node.body))
        assert {f"step_{at}" for at in range(-(-last // 5))} <= names
        if node.view != "full" and not node.reduced:
            # No further body would have fitted.
            assert budget - scene.tokens < 400
    body = tokens().count(FUNCTION.format(100)) + 20
    assert shown[1] >= shown[0] - 2 * body
