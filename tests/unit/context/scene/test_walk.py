from __future__ import annotations

import pytest
import seed_workspace
from hypothesis import given, settings
from hypothesis import strategies as st
from memory import CARD, WalkedWorkspace, card, walk_files

from cuedeck.model.scene_values import Span

A, B, C = "docs/a.md", "docs/b.md", "docs/c.md"
SECTIONS = "# One\n\ntext\n\n# Two\n\ntext\n\n## Sub\n\ntext\n\n# Three\n\ntext\n"


def spans(here: WalkedWorkspace, address: str) -> tuple[Span, ...]:
    return here.visit(address).spans


def test_seed_example_is_walked_in_its_order() -> None:
    assert walk_files(seed_workspace.FILES).addresses == list(seed_workspace.ORDER)
    assert [visit.depth for visit in walk_files(seed_workspace.FILES).visits] == [
        0,
        1,
        2,
        2,
    ]


def test_card_without_refs_is_the_only_visit() -> None:
    (root,) = walk_files({CARD: card()}).visits
    assert (root.address, root.depth, root.via, root.edge, root.why) == (
        CARD,
        0,
        None,
        None,
        "the root card",
    )
    assert root.whole and root.kind == "card" and root.tier == "explicit"


def test_visits_are_ordered_by_depth_then_as_written() -> None:
    here = walk_files(
        {CARD: card(B, A), A: "[[c]]\n", B: "[[d]]\n", C: "", "docs/d.md": ""}
    )
    assert here.addresses == [CARD, B, A, "docs/d.md", C]


def test_front_matter_refs_come_before_links_of_the_text() -> None:
    here = walk_files({CARD: card(B, body="[[a]] and [[c]]\n"), A: "", B: "", C: ""})
    assert here.addresses == [CARD, B, A, C]


def test_node_is_visited_once_at_its_smallest_depth() -> None:
    here = walk_files(
        {CARD: card(A, B), A: "[[c]] [[b]]\n", B: "[[c]]\n", C: "[[a]] [[2a9f1x]]\n"}
    )
    assert here.addresses == [CARD, A, B, C]
    assert here.visit(B).depth == 1
    assert (here.visit(C).via, here.visit(C).why) == (
        A,
        f"reached by the link on line 1 of {A}",
    )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (card(A), f"named in the refs of {CARD} (line 5)"),
        (card(body="[[a]]\n"), f"reached by the link on line 8 of {CARD}"),
        (
            card(body="[a](../../docs/a.md)\n"),
            f"reached by the link on line 8 of {CARD}",
        ),
        (card(body="see @doc/a\n"), f"reached by the mention on line 8 of {CARD}"),
        (
            card("{ref: docs/a.md, pin: true}"),
            f"named in the refs of {CARD} (line 5) and pinned there",
        ),
    ],
)
def test_visit_names_the_line_that_led_to_it(text: str, why: str) -> None:
    visit = walk_files({CARD: text, A: ""}).visit(A)
    assert (visit.why, visit.edge, visit.via) == (why, "refs", CARD)


def test_parts_of_one_file_follow_the_first_of_them() -> None:
    here = walk_files(
        {CARD: card("docs/a.md#Three", B, "docs/a.md#One"), A: SECTIONS, B: ""}
    )
    assert here.addresses == [CARD, "docs/a.md#Three", "docs/a.md#One", B]


def test_whole_file_replaces_its_parts_of_the_same_depth() -> None:
    here = walk_files({CARD: card("docs/a.md#One", B, A), A: SECTIONS, B: ""})
    assert here.addresses == [CARD, A, B]
    assert here.visit(A).parts == ((1, 4),)


def test_whole_file_replaces_deeper_parts() -> None:
    here = walk_files({CARD: card(A, B), A: SECTIONS, B: "[[a#Two]]\n"})
    assert here.addresses == [CARD, A, B]
    assert here.visit(A).parts == ((5, 12),)


def test_deeper_whole_file_adds_only_lines_not_yet_shown() -> None:
    here = walk_files({CARD: card("docs/a.md#Two", B), A: SECTIONS, B: "[[a]]\n"})
    assert here.addresses == [CARD, "docs/a.md#Two", B, A]
    assert spans(here, "docs/a.md#Two") == ((5, 12),)
    assert spans(here, A) == ((1, 4), (13, 15))
    assert here.visit(A).whole and here.visit(A).lines == (1, 15)


def test_links_in_the_remaining_lines_of_a_file_are_followed() -> None:
    text = "# One\n\n# Two\n\n[[c]]\n"
    here = walk_files({CARD: card("docs/a.md#One", B), A: text, B: "[[a]]\n", C: ""})
    assert here.addresses == [CARD, "docs/a.md#One", B, A, C]
    assert here.visit(C).via == A


def test_overlapping_lines_are_shown_once() -> None:
    here = walk_files(
        {
            CARD: card("src/x.txt#L2-L5", "src/x.txt#L4-L8", "src/x.txt#L1-L3"),
            "src/x.txt": "x\n" * 9,
        }
    )
    assert here.addresses == [
        CARD,
        "src/x.txt#L2-L5",
        "src/x.txt#L4-L8",
        "src/x.txt#L1-L3",
    ]
    assert [visit.spans for visit in here.visits[1:]] == [
        ((2, 5),),
        ((6, 8),),
        ((1, 1),),
    ]


def test_table_of_contents_asks_for_no_part_and_no_full_view() -> None:
    contents = "# Guide\n- [Guide](#guide)\n- [One](#one)\n## One\ntext\n"
    visit = walk_files({CARD: card(A), A: contents}).visit(A)
    assert visit.parts == ()
    assert not visit.wants_full
    other = walk_files({CARD: card(A, B), A: contents, B: "[one](a.md#one)\n"})
    assert other.visit(A).parts == ((4, 5),)


def test_pin_counts_whichever_ref_gives_it() -> None:
    pinned = walk_files(
        {
            CARD: card(A, B),
            A: "",
            B: "---\nrefs:\n  - {ref: docs/a.md, pin: true}\n---\n",
        }
    ).visit(A)
    assert pinned.pinned
    assert pinned.why == f"named in the refs of {CARD} (line 5)"


@pytest.mark.parametrize(
    "ref", ["{ref: src/x.py, view: full}", "src/x.py#L1-", "src/x.py#l1-"]
)
def test_full_view_is_used_whichever_ref_requests_it(ref: str) -> None:
    files: dict[str, str | bytes] = {CARD: card("src/x.py", ref), "src/x.py": "x = 1\n"}
    assert walk_files(files).addresses == [CARD, "src/x.py"]
    assert walk_files(files).visit("src/x.py").wants_full
    assert (
        not walk_files({CARD: card("src/x.py"), "src/x.py": "x = 1\n"})
        .visit("src/x.py")
        .wants_full
    )


def test_folders_and_pictures_are_visits() -> None:
    here = walk_files(
        {CARD: card("src/", "logo.png"), "src/x.py": "", "logo.png": b"\0"}
    )
    assert [(visit.address, visit.kind) for visit in here.visits[1:]] == [
        ("src/", "folder"),
        ("logo.png", "binary"),
    ]


REFS = st.lists(
    st.sampled_from(
        [
            f"docs/{name}.md{anchor}"
            for name in "abc"
            for anchor in ("", "#One", "#Two", "#Sub", "#L2-L6", "#L4-", "#L1")
        ]
    ),
    max_size=6,
)


def wiki_links(refs: list[str]) -> str:
    return "".join(f"[[{ref}]]\n" for ref in refs)


@settings(max_examples=80)
@given(
    own=REFS, links=st.lists(REFS, min_size=12, max_size=12), depth=st.integers(0, 4)
)
def test_every_line_belongs_to_one_visit_at_its_smallest_depth(
    own: list[str], links: list[list[str]], depth: int
) -> None:
    texts = {}
    for name in "abc":
        one, two, sub, three = (wiki_links(links.pop()) for _ in range(4))
        texts[f"docs/{name}.md"] = (
            f"# One\n{one}\n# Two\n{two}\n## Sub\n{sub}\n# Three\n{three}\n"
        )
    here = walk_files({CARD: card(body=wiki_links(own)), **texts}, depth=depth)
    assert len(set(here.addresses)) == len(here.addresses)
    assert [visit.depth for visit in here.visits] == sorted(
        visit.depth for visit in here.visits
    )
    assert all(visit.depth <= depth for visit in here.visits)
    owners: dict[tuple[str, int], str] = {}
    for visit in here.visits:
        assert list(visit.spans) == sorted(visit.spans)
        for start, end in visit.spans:
            for line in range(start, end + 1):
                assert (
                    owners.setdefault((visit.path, line), visit.address)
                    == visit.address
                )
        assert all(
            any(start <= p[0] and p[1] <= end for start, end in visit.spans)
            for p in visit.parts
        )
        if visit.via is not None:
            assert here.visit(visit.via).depth == visit.depth - 1
    for visit in here.visits:
        for edge in here.found.edges():
            if edge.target.path == visit.path:
                lines = range(edge.target.start, edge.target.end + 1)
                assert all((visit.path, line) in owners for line in lines) or depth == 0
