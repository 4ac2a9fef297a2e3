from __future__ import annotations

from memory import CARD, card, walked

from cuedeck.graph.address_lookup import resolve_address
from cuedeck.graph.cycles import find_cycles
from cuedeck.graph.neighbourhood import neighbourhood

A, B = "docs/a.md", "docs/b.md"


def addresses(
    files: dict[str, str | bytes], depth: int = 3, pinned: tuple[str, ...] = ()
) -> list[str]:
    return sorted(walked(files, depth=depth, pinned=pinned).addresses)


def cycles(
    files: dict[str, str | bytes], depth: int = 3
) -> tuple[tuple[str, ...], ...]:
    return find_cycles(walked(files, depth=depth).found.refs())


def chain(length: int) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        f"docs/{n}.md": f"[[docs/{n + 1}]]\n" for n in range(1, length)
    }
    return {CARD: card("docs/1.md"), **files, f"docs/{length}.md": "end\n"}


def test_links_are_followed_to_the_depth_limit_and_no_further() -> None:
    assert addresses(chain(5)) == [CARD, "docs/1.md", "docs/2.md", "docs/3.md"]
    assert addresses(chain(5), depth=1) == [CARD, "docs/1.md"]
    assert addresses(chain(5), depth=0) == [CARD]
    assert len(addresses(chain(5), depth=20)) == 6


def test_an_anchored_node_follows_the_links_inside_it_and_the_refs_of_its_file() -> (
    None
):
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#In"),
        A: "---\nrefs: [src/always.py]\n---\n[[before]]\n\n# In\n\n[[inside]]\n\n"
        "## Sub\n\n[[below]]\n\n# Out\n\n[[after]]\n",
        **{f"docs/{name}.md": "" for name in ("before", "inside", "below", "after")},
        "src/always.py": "",
    }
    assert addresses(files) == [
        CARD,
        "docs/a.md#In",
        "docs/below.md",
        "docs/inside.md",
        "src/always.py",
    ]


def test_pinned_refs_stand_behind_the_own_ones_and_hold_at_any_depth() -> None:
    files: dict[str, str | bytes] = {CARD: card("docs/a.md"), A: "", B: ""}
    here = walked(files, pinned=(B,))
    assert here.addresses == [CARD, A, B]
    assert (
        here.visit(B).pinned
        and here.visit(B).why == "pinned for every card by config.toml"
    )
    assert walked(files, depth=0, pinned=(B,)).addresses == [CARD, B]


def test_a_pinned_ref_that_leads_nowhere_is_told_of_the_configuration() -> None:
    (miss,) = walked({CARD: card()}, pinned=("docs/gone.md",)).found.unresolved
    assert (miss.source, miss.line, miss.form) == (".cuedeck/config.toml", 0, "pinned")


def test_a_dead_ref_is_noted_once_a_place_in_the_order_of_the_walk() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("gone.md", "docs/a.md", "docs/a.md#In"),
        A: "# In\n\n[[lost]] and [[lost]]\n\n[[lost]]\n",
    }
    misses = walked(files).found.unresolved
    assert [(miss.ref, miss.source, miss.line) for miss in misses] == [
        ("gone.md", CARD, 5),
        ("lost", A, 3),
        ("lost", A, 5),
    ]


def test_only_the_first_dead_refs_are_compared_with_what_there_is() -> None:
    misses = walked(
        {CARD: card(*(f"docs/aa{n}.md" for n in range(150))), "docs/aa.md": ""}
    ).found.unresolved
    assert len(misses) == 150
    assert misses[0].suggestion == "docs/aa.md"
    assert misses[-1].suggestion == ""


def test_pictures_and_folders_are_visited_when_a_ref_means_them_not_when_prose_points_there() -> (
    None
):
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md"),
        A: "[p](../logo.png) [f](../src/) [g](../LICENSE)\n",
        "logo.png": b"\x89PNG\0",
        "src/x.py": "",
        "LICENSE": "MIT\n",
    }
    assert addresses(files) == [CARD, "LICENSE", A]
    files[CARD] = card("docs/a.md", "logo.png", "src/")
    assert addresses(files) == [CARD, "LICENSE", A, "logo.png", "src/"]
    files[CARD] = card("docs/a.md", body="[[src/]]\n")
    assert addresses(files) == [CARD, "LICENSE", A, "src/"]


def test_a_link_to_the_own_place_is_no_edge() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X", body=f"[[2a9f1x]] [[{CARD}]]\n"),
        A: "# X\n\n[[#X]]\n",
    }
    here = walked(files)
    assert here.addresses == [CARD, "docs/a.md#X"]
    assert cycles(files) == ()


def test_files_that_refer_to_each_other_are_a_cycle() -> None:
    assert cycles({CARD: card("docs/a.md"), A: "[[b]]\n", B: "[[a]]\n"}) == ((A, B, A),)


def test_a_way_back_into_another_section_is_no_cycle_unless_that_one_links_on() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X"),
        A: "# X\n\n[[b]]\n\n# Y\n\nend\n",
        B: "[[a#Y]]\n",
    }
    assert cycles(files) == ()
    files[A] = "# X\n\n[[b]]\n\n# Y\n\n[[b]]\n"
    assert cycles(files) == (("docs/a.md#Y", B, "docs/a.md#Y"),)


def test_a_way_back_to_the_whole_of_a_file_closes_the_circle_through_its_section() -> (
    None
):
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X"),
        A: "# X\n\n[[b]]\n\n# Y\n",
        B: "[[a]]\n",
    }
    assert cycles(files) == ((A, B, A),)


def test_a_part_inside_its_whole_is_no_cycle_of_its_own() -> None:
    assert (
        cycles({CARD: card("docs/a.md"), A: "# X\n\n[[#Y]]\n\n# Y\n\n[[#X]]\n"}) == ()
    )


def test_a_circle_through_the_card_is_found() -> None:
    assert cycles({CARD: card("docs/a.md"), A: "[[2a9f1x]]\n"}) == ((CARD, A, CARD),)


def test_a_circle_that_closes_at_the_depth_limit_is_found() -> None:
    """Its last link is not followed by the walk, because both ends are there
    already.
    """
    files = {**chain(3), "docs/3.md": "[[docs/1]]\n"}
    assert cycles(files) == (("docs/1.md", "docs/2.md", "docs/3.md", "docs/1.md"),)
    assert cycles({**chain(3), "docs/3.md": "[[docs/1]]\n"}, depth=2) == ()


def test_thousands_of_parts_of_one_file_are_told_apart_quickly() -> None:
    lines = 4_000
    links = "".join(f"[[src/x.txt#L{n}-L{n + 1}]]\n" for n in range(1, lines))
    here = walked({CARD: card(body=links), "src/x.txt": "line\n" * lines})
    assert len(here.found.refs()) == lines - 1


def test_two_spellings_of_one_place_are_one_node() -> None:
    files: dict[str, str | bytes] = {
        CARD: card(
            "docs/a.md#Login Flow",
            "a#login-flow",
            "docs/a.md#LoginFlow",
            "docs/a.md#L1-L4",
        ),
        A: "# Login Flow\n\ntext\n\n# End\n",
    }
    assert addresses(files) == [CARD, "docs/a.md#Login Flow"]


def test_the_same_files_reach_the_same_in_any_order() -> None:
    files = chain(4) | {A: "[[b]]\n", B: "[[docs/1]]\n"}
    turned = dict(reversed(files.items()))
    first, second = walked(files), walked(turned)
    assert first.visits == second.visits
    assert first.found.refs() == second.found.refs()


def test_a_root_need_not_be_a_card() -> None:
    here = walked({A: "[[b]]\n", B: ""}, root=A)
    found = neighbourhood(resolve_address(A, here.memory), here.memory, 1)
    assert [edge.target.address for edge in found.edges_from(found.root)] == [B]
