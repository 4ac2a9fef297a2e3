"""Rendering of one related file."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from memory import CARD, Memory, card, tokens, views, walk_files

from cuedeck.context.ranking.line_pieces import (
    CandidatePool,
    PricedFile,
    estimate,
    spans_of,
)
from cuedeck.context.ranking.memo import Memo
from cuedeck.context.ranking.rank_files import Candidate
from cuedeck.context.scene.related_tier import RelatedTier
from cuedeck.context.scene.visit_heading import entry_tokens
from cuedeck.model.scene_values import Shown

PATH = "src/a.py"
KEY = "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4"
PEM = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{KEY}\n{KEY[::-1]}\n-----END RSA {'PRIVATE'} KEY-----\n"


def render_node(
    text: str, lines: Sequence[int], path: str = PATH, why: str = "its text has `token`"
) -> Shown:
    """Render lines of a file as a related node."""
    here = walk_files({CARD: card(), path: text})
    file = here.memory.file(path)
    assert file is not None
    rows = here.memory.text(path).split("\n")[: file.lines]
    candidate = Candidate(path, 2.0, {"text": 1, "path": 3}, "text", why)
    tier = RelatedTier(
        CandidatePool((), ()), here.visits[0], views(here).renderer, Memo()
    )
    sized = PricedFile(
        candidate,
        file.kind,
        here.memory.hash(path),
        rows,
        [estimate(row) for row in rows],
    )
    return tier.node(sized, spans_of(sized, lines))


def fenced_rows(shown: Shown) -> list[str]:
    """Return the rows inside the fence."""
    fence, *rows, end, blank, rest = shown.body.split("\n")
    assert fence.startswith(end) and (blank, rest) == ("", "")
    return rows


def numbered_text(count: int) -> str:
    return "".join(f"row number {at} of them\n" for at in range(1, count + 1))


def test_node_has_heading_reason_and_numbered_lines() -> None:
    shown = render_node(numbered_text(40), [3, 4, 20])
    assert shown.head == "### `src/a.py`\nits text has 'token'\n\n"
    assert shown.body.startswith("```python\n")
    assert fenced_rows(shown) == [
        "3│row number 3 of them",
        "4│row number 4 of them",
        "⋮ 15 lines",
        "20│row number 20 of them",
    ]
    assert (shown.view, shown.lines, shown.visit.parts) == (
        "section",
        (3, 20),
        ((3, 4), (20, 20)),
    )


def test_visit_of_a_related_file_has_its_signal_and_ranks() -> None:
    visit = render_node(numbered_text(40), [3]).visit
    assert (visit.address, visit.path, visit.kind, visit.tier) == (
        PATH,
        PATH,
        "source",
        "related",
    )
    assert (visit.via, visit.edge, visit.depth) == (CARD, "text", 1)
    assert visit.ranks == (("path", 3), ("text", 1))
    assert visit.lines == (1, 40)


def test_map_line_names_the_lines_and_the_signal() -> None:
    shown = render_node(numbered_text(40), [3, 4, 20])
    assert shown.entry == "- `src/a.py` 3-4, 20: words in its text\n"
    assert shown.cost == shown.tokens + entry_tokens(shown.entry, tokens())


@given(
    st.lists(
        st.sampled_from(["", "one row", "    another = row(that, is, longer)", "}"]),
        min_size=1,
        max_size=40,
    ).filter(lambda rows: rows[-1]),
    st.data(),
)
def test_shown_and_omitted_lines_add_up_to_the_file(
    rows: list[str], data: st.DataObject
) -> None:
    text = "\n".join(rows) + "\n"
    lines = data.draw(st.sets(st.integers(1, len(rows)), min_size=1))
    shown = render_node(text, sorted(lines))
    message: list[int] = []
    expected = 0
    for row in fenced_rows(shown):
        gap = re.fullmatch(r"⋮ (\d+) lines?", row)
        if gap:
            assert message
            expected += int(gap[1])
            continue
        number, _, row = row.partition("│")
        expected = expected if message else int(number)
        assert (int(number), row) == (expected, rows[expected - 1])
        message.append(expected)
        expected += 1
    assert lines <= set(message)
    assert message == [
        line for start, end in shown.visit.parts for line in range(start, end + 1)
    ]


def test_very_long_line_is_cut_in_a_source_but_not_in_a_doc() -> None:
    text = "x" * 1_000 + "\n" + numbered_text(40)
    assert fenced_rows(render_node(text, [1])) == ["1│" + "x" * 199 + "…"]
    assert fenced_rows(render_node(text, [1], path="docs/a.md")) == ["1│" + "x" * 1_000]


@given(st.sets(st.integers(1, 34), min_size=1, max_size=6))
def test_multi_line_secret_is_masked_wherever_it_is_cut(lines: set[int]) -> None:
    text = numbered_text(15) + PEM + numbered_text(15)
    body = render_node(text, sorted(lines), path="docs/key.txt").body
    assert KEY not in body and KEY[::-1] not in body
    whole = Memory({"docs/key.txt": text})
    first, last = (
        whole.text("docs/key.txt")[:at].count("\n") + 1
        for at in whole.secrets("docs/key.txt")[0][:2]
    )
    assert ("<secret:" in body) == any(first <= line <= last for line in lines)
    rows = text.splitlines()
    for row in body.split("\n"):
        number, bar, shown = row.partition("│")
        assert (
            not bar
            or shown == rows[int(number) - 1]
            or shown == "<secret:private-key:1>"
        )
