from __future__ import annotations

from memory import CARD, card, walk_files

from cuedeck.graph.neighbourhood import find_cycles

A, B = "docs/a.md", "docs/b.md"


def walked_addresses(
    files: dict[str, str | bytes], depth: int = 3, pinned: tuple[str, ...] = ()
) -> list[str]:
    return sorted(walk_files(files, depth=depth, pinned=pinned).addresses)


def cycles_of(
    files: dict[str, str | bytes], depth: int = 3
) -> tuple[tuple[str, ...], ...]:
    return find_cycles(walk_files(files, depth=depth + 1).found.refs())


def chain_of_docs(length: int) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        f"docs/{n}.md": f"[[docs/{n + 1}]]\n" for n in range(1, length)
    }
    return {CARD: card("docs/1.md"), **files, f"docs/{length}.md": "end\n"}


def test_links_are_followed_to_the_depth_limit() -> None:
    assert walked_addresses(chain_of_docs(5)) == [
        CARD,
        "docs/1.md",
        "docs/2.md",
        "docs/3.md",
    ]
    assert walked_addresses(chain_of_docs(5), depth=1) == [CARD, "docs/1.md"]
    assert walked_addresses(chain_of_docs(5), depth=0) == [CARD]
    assert len(walked_addresses(chain_of_docs(5), depth=20)) == 6


def test_anchored_node_follows_links_inside_it_and_refs_of_its_file() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#In"),
        A: "---\nrefs: [src/always.py]\n---\n[[before]]\n\n# In\n\n[[inside]]\n\n"
        "## Sub\n\n[[below]]\n\n# Out\n\n[[after]]\n",
        **{f"docs/{name}.md": "" for name in ("before", "inside", "below", "after")},
        "src/always.py": "",
    }
    assert walked_addresses(files) == [
        CARD,
        "docs/a.md#In",
        "docs/below.md",
        "docs/inside.md",
        "src/always.py",
    ]


def test_pinned_refs_come_after_own_refs_and_apply_at_any_depth() -> None:
    files: dict[str, str | bytes] = {CARD: card("docs/a.md"), A: "", B: ""}
    here = walk_files(files, pinned=(B,))
    assert here.addresses == [CARD, A, B]
    assert (
        here.visit(B).pinned
        and here.visit(B).why == "pinned for every card by config.toml"
    )
    assert walk_files(files, depth=0, pinned=(B,)).addresses == [CARD, B]


def test_dead_ref_is_reported_once_per_line_in_walk_order() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("gone.md", "docs/a.md", "docs/a.md#In"),
        A: "# In\n\n[[lost]] and [[lost]]\n\n[[lost]]\n",
    }
    misses = walk_files(files).found.unresolved
    assert [(miss.ref, miss.source, miss.line) for miss in misses] == [
        ("gone.md", CARD, 5),
        ("lost", A, 3),
        ("lost", A, 5),
    ]


def test_only_the_first_dead_refs_have_suggestions() -> None:
    misses = walk_files(
        {CARD: card(*(f"docs/aa{n}.md" for n in range(150))), "docs/aa.md": ""}
    ).found.unresolved
    assert len(misses) == 150
    assert misses[0].suggestion == "docs/aa.md"
    assert misses[-1].suggestion == ""


def test_pictures_and_folders_are_visited_by_refs_but_not_by_markdown_links() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md"),
        A: "[p](../logo.png) [f](../src/) [g](../LICENSE)\n",
        "logo.png": b"\x89PNG\0",
        "src/x.py": "",
        "LICENSE": "MIT\n",
    }
    assert walked_addresses(files) == [CARD, "LICENSE", A]
    files[CARD] = card("docs/a.md", "logo.png", "src/")
    assert walked_addresses(files) == [CARD, "LICENSE", A, "logo.png", "src/"]
    files[CARD] = card("docs/a.md", body="[[src/]]\n")
    assert walked_addresses(files) == [CARD, "LICENSE", A, "src/"]


def test_link_to_the_own_place_is_no_edge() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X", body=f"[[2a9f1x]] [[{CARD}]]\n"),
        A: "# X\n\n[[#X]]\n",
    }
    here = walk_files(files)
    assert here.addresses == [CARD, "docs/a.md#X"]
    assert cycles_of(files) == ()


def test_files_that_refer_to_each_other_are_a_cycle() -> None:
    assert cycles_of({CARD: card("docs/a.md"), A: "[[b]]\n", B: "[[a]]\n"}) == (
        (A, B, A),
    )


def test_link_back_to_another_section_is_a_cycle_only_if_that_one_links_on() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X"),
        A: "# X\n\n[[b]]\n\n# Y\n\nend\n",
        B: "[[a#Y]]\n",
    }
    assert cycles_of(files) == ()
    files[A] = "# X\n\n[[b]]\n\n# Y\n\n[[b]]\n"
    assert cycles_of(files) == (("docs/a.md#Y", B, "docs/a.md#Y"),)


def test_link_back_to_the_whole_file_closes_the_cycle_through_its_section() -> None:
    files: dict[str, str | bytes] = {
        CARD: card("docs/a.md#X"),
        A: "# X\n\n[[b]]\n\n# Y\n",
        B: "[[a]]\n",
    }
    assert cycles_of(files) == ((A, B, A),)


def test_part_inside_its_whole_file_is_no_separate_cycle() -> None:
    assert (
        cycles_of({CARD: card("docs/a.md"), A: "# X\n\n[[#Y]]\n\n# Y\n\n[[#X]]\n"})
        == ()
    )


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
    assert walked_addresses(files) == [CARD, "docs/a.md#Login Flow"]
