"""A related file on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from memory import CARD, Memory, card, tokens, views, walked

from cuedeck.model.scene_values import Shown
from cuedeck.parse.secrets import find_secrets
from cuedeck.ranking.candidates import CandidatePool
from cuedeck.ranking.line_pieces import PricedFile, estimate
from cuedeck.ranking.memo import Memo
from cuedeck.ranking.packing import spans_of
from cuedeck.ranking.rank_files import Candidate
from cuedeck.scene.mask import Mask
from cuedeck.scene.related_tier import RelatedTier

PATH = "src/a.py"
AWS = "AKIA" + "QYLPMN5HHHFPZAM2"
KEY = "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4"
PEM = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{KEY}\n{KEY[::-1]}\n-----END RSA {'PRIVATE'} KEY-----\n"


def node(text: str, lines: Sequence[int], path: str = PATH, why: str = "its text has `token`") -> Shown:
    """Put lines of a file on a page."""
    here = walked({CARD: card(), path: text})
    file = here.memory.file(path)
    assert file is not None
    rows = here.memory.text(path).split("\n")[: file.lines]
    candidate = Candidate(path, 2.0, {"text": 1, "path": 3}, "text", why)
    page = RelatedTier(
        CandidatePool((), {}, PriceLevels((), ())),
        here.visits[0],
        lookup=here.memory,
        mask=Mask(here.memory, find_secrets),
        count=tokens(),
        labels=views(here).labels,
        memo=Memo(),
    )
    sized = PricedFile(candidate, file.kind, here.memory.hash(path), rows, [estimate(row) for row in rows])
    return page.node(sized, spans_of(sized, lines))


def inside(shown: Shown) -> list[str]:
    """Return the rows inside the fence."""
    fence, *rows, end, blank, rest = shown.body.split("\n")
    assert fence.startswith(end) and (blank, rest) == ("", "")
    return rows


def numbered(count: int) -> str:
    return "".join(f"row number {at} of them\n" for at in range(1, count + 1))


def test_heading_reason_and_lines() -> None:
    shown = node(numbered(40), [3, 4, 20])
    assert shown.head == "### `src/a.py`\nits text has 'token'\n\n"
    assert shown.body.startswith("```python\n")
    assert inside(shown) == [
        "2…",
        "row number 3 of them",
        "row number 4 of them",
        "15…",
        "row number 20 of them",
        "20…",
    ]
    assert (shown.view, shown.lines, shown.visit.parts) == ("section", (3, 20), ((3, 4), (20, 20)))


def test_a_visit_that_nobody_linked() -> None:
    visit = node(numbered(40), [3]).visit
    assert (visit.address, visit.path, visit.kind, visit.tier) == (PATH, PATH, "source", "related")
    assert (visit.via, visit.edge, visit.depth) == (CARD, "text", 1)
    assert visit.ranks == (("path", 3), ("text", 1))
    assert visit.lines == (1, 40)


def test_a_file_of_which_little_is_missing_is_shown_whole() -> None:
    shown = node(numbered(10), [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert (shown.view, shown.visit.parts, shown.lines) == ("full", ((1, 10),), (1, 10))
    assert "\nin full: " in shown.head
    assert inside(shown) == numbered(10).splitlines()


def test_a_file_of_which_much_is_missing_is_not() -> None:
    assert node(numbered(40), [1]).view == "section"


def test_a_last_line_needs_no_newline() -> None:
    assert inside(node(numbered(40).removesuffix("\n"), [39, 40])) == ["38…", *numbered(40).splitlines()[38:]]


def test_a_fence_in_the_text_is_fenced() -> None:
    shown = node("```\n" + numbered(30) + "```\n", [1, 2], path="docs/a.md")
    assert shown.body.startswith("````markdown\n```\n")


def test_tokens_are_those_of_heading_and_text() -> None:
    shown = node(numbered(40), [3, 9])
    assert shown.tokens == tokens().count(shown.head + shown.body)


@given(
    st.lists(
        st.sampled_from(["", "one row", "    another = row(that, is, longer)", "}"]), min_size=1, max_size=40
    ).filter(lambda rows: rows[-1]),
    st.data(),
)
def test_shown_and_left_out_lines_are_together_those_of_the_file(rows: list[str], data: st.DataObject) -> None:
    text = "\n".join(rows) + "\n"
    lines = data.draw(st.sets(st.integers(1, len(rows)), min_size=1))
    shown = node(text, sorted(lines))
    at, said = 0, []
    for row in inside(shown):
        mark = re.fullmatch(r"(\d+)…", row)
        if mark:
            at += int(mark[1])
        else:
            assert row == rows[at]
            at += 1
            said.append(at)
    assert at == len(rows)
    assert lines <= set(said)
    assert said == [line for start, end in shown.visit.parts for line in range(start, end + 1)]
    assert "0…" not in inside(shown)


@given(st.sets(st.integers(1, 34), min_size=1, max_size=6))
def test_a_secret_over_several_lines_is_masked_wherever_it_is_cut(lines: set[int]) -> None:
    text = numbered(15) + PEM + numbered(15)
    body = node(text, sorted(lines), path="docs/key.txt").body
    assert KEY not in body and KEY[::-1] not in body
    whole = Memory({"docs/key.txt": text})
    first, last = (whole.text("docs/key.txt")[:at].count("\n") + 1 for at in whole.secrets("docs/key.txt")[0][:2])
    assert ("<secret:" in body) == any(first <= line <= last for line in lines)


def test_a_secret_in_path_or_reason_is_masked() -> None:
    shown = node(numbered(40), [3], path=f"src/{AWS}.txt", why=f"its text has `{AWS}`")
    assert AWS not in shown.head + shown.body
