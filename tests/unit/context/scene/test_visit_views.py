from __future__ import annotations

import re
from dataclasses import replace

import pytest
from memory import CARD, card, tokens, views, walk_files

from cuedeck.context.scene.visit_views import Views
from cuedeck.model.scene_values import Shown, Visit

SOURCE = "".join(f"def f{n}(a, b):\n    return a + b + {n}\n\n\n" for n in range(100))
NUMBERED = "\n".join(f"{at}│{row}" for at, row in enumerate(SOURCE.splitlines(), 1))
"""The source as a scene shows it."""


def views_of_one_file(
    path: str, text: str | bytes, *refs: str, budget: int = 16_000
) -> tuple[Views, Visit]:
    here = walk_files({CARD: card(*(refs or (path,))), path: text})
    return views(here, budget), here.visit(path)


def offer_of(path: str, text: str | bytes, view: str, *refs: str) -> Shown:
    made, visit = views_of_one_file(path, text, *refs)
    parts = visit.parts if view == "section" else ()
    offer = made.offer(visit, view, 10**9, parts)  # type: ignore[arg-type]
    assert offer is not None
    return offer


def views_by_room(made: Views, visit: Visit) -> list[str]:
    """Return the views from the largest room to the smallest, each once."""
    full = made.best(visit, 10**9)
    most = full.cost if full else 0
    found = (made.best(visit, room) for room in range(most, 0, -1))
    return list(dict.fromkeys(offer.view for offer in found if offer is not None))


@pytest.mark.parametrize(
    ("path", "text", "refs", "expected"),
    [
        ("docs/a.md", "# A\n\n" + "text " * 90, (), ["full", "outline", "line"]),
        (
            "docs/a.md",
            "# A\n\n# B\n\ntext\n\n# C\n" + "text " * 90,
            ("docs/a.md", "docs/a.md#B"),
            ["full", "section", "outline", "line"],
        ),
        ("src/a.py", SOURCE, (), ["full", "outline", "line"]),
        ("logo.png", b"\0", (), ["line"]),
    ],
)
def test_views_go_from_the_largest_to_the_line(
    path: str, text: str, refs: tuple[str, ...], expected: list[str]
) -> None:
    made, visit = views_of_one_file(path, text, *refs)
    assert views_by_room(made, visit) == expected


def with_bodies(visit: Visit) -> Visit:
    """Return the visit of `SOURCE` with its functions as bodies, the last one first."""
    bodies = tuple((4 * n + 1, 4 * n + 2) for n in reversed(range(100)))
    return replace(visit, bodies=bodies)


def test_linked_part_without_room_yields_to_its_first_bodies() -> None:
    made, visit = views_of_one_file("src/a.py", SOURCE, budget=4_000)
    whole = replace(with_bodies(visit), parts=((1, 202),))
    shown = made.best(whole, 1_000)
    assert shown is not None and shown.view == "section"
    # The most valuable bodies inside of the linked lines come first.
    assert shown.visit.parts[-1] == (201, 202)
    assert made.is_reduced(whole, shown)
    small = made.largest(whole, 1_000)
    assert small is not None and small.view == "section"


def test_source_above_a_quarter_of_the_budget_gets_bodies_for_a_quarter() -> None:
    size = tokens().count(NUMBERED)
    made, visit = views_of_one_file("src/a.py", SOURCE, budget=4 * size)
    full = made.best(visit, 10**9)
    assert full is not None and full.view == "full"
    made, visit = views_of_one_file("src/a.py", SOURCE, budget=4 * size - 4)
    part = made.best(with_bodies(visit), 10**9)
    assert part is not None and part.view == "section"
    # The next body would exceed the share.
    assert size - 50 < part.cost <= size
    assert part.visit.parts[-1] == (397, 398) and part.visit.parts[0][0] > 5
    assert not made.is_reduced(with_bodies(visit), part)
    largest = made.largest(with_bodies(visit), full.cost)
    assert largest is not None and largest[1:] == full[1:]


@pytest.mark.parametrize("room", [1_000, 1_500, 2_000, 2_500])
def test_bodies_fill_the_room_of_a_visit_that_does_not_fit_in_full(room: int) -> None:
    made, visit = views_of_one_file("src/a.py", SOURCE)
    offer = made.best(with_bodies(visit), room)
    assert offer is not None and offer.view == "section"
    assert room - 100 < offer.cost <= room
    assert made.is_reduced(with_bodies(visit), offer)


def test_view_in_part_names_every_definition() -> None:
    made, visit = views_of_one_file("src/a.py", SOURCE, budget=2_000)
    for each in (visit, with_bodies(visit)):
        offer = made.best(each, 10**9)
        assert offer is not None and offer.view != "full"
        assert all(re.search(rf"\bf{n}\b", offer.body) for n in range(100))


def test_large_source_whose_parts_cost_as_much_is_planned_in_full() -> None:
    """Bodies with a mark each were shown at a higher price than the whole file."""
    size = tokens().count(NUMBERED)
    parts = [f"src/a.py#f{n}" for n in range(100)]
    refs = ("src/a.py", *parts)
    made, visit = views_of_one_file("src/a.py", SOURCE, *refs, budget=4 * size - 4)
    best = made.best(visit, 10**9)
    assert best is not None and best.view == "full"
    refs = ("src/a.py", *parts[::9])
    made, visit = views_of_one_file("src/a.py", SOURCE, *refs, budget=4 * size - 4)
    best = made.best(visit, 10**9)
    assert best is not None and best.view == "section"


@pytest.mark.parametrize("ref", ["{ref: src/a.py, view: full}", "src/a.py#L1-"])
def test_requested_full_text_of_a_large_source_is_planned(ref: str) -> None:
    for refs in ((ref,), ("src/a.py", ref)):
        here = walk_files({CARD: card(*refs), "src/a.py": SOURCE})
        best = views(here, 1_000).best(here.visits[1], 10**9)
        assert best is not None and best.view == "full"


def test_map_line_names_the_lines_of_its_view() -> None:
    text = "".join(f"def f{n}():\n    return {n}\n" for n in range(9))
    reason = f"named in the refs of {CARD} (line 5)\n"
    assert offer_of("src/a.py", text, "full").entry == f"- `src/a.py` 1-18: {reason}"
    assert (
        offer_of("src/a.py", text, "outline").entry
        == f"- `src/a.py` outline of 18 lines: {reason}"
    )
    size = tokens().count(
        "\n".join(f"{at}│{row}" for at, row in enumerate(text.splitlines(), 1))
    )
    assert (
        offer_of("src/a.py", text, "line").entry
        == f"- `src/a.py` not shown, {size} tokens: {reason}"
    )
    refs = ("src/a.py", "src/a.py#f1", "src/a.py#L9")
    assert (
        offer_of("src/a.py", text, "section", *refs).entry
        == f"- `src/a.py` 3-4, 9: {reason}"
    )
    more = (*refs, "src/a.py#L11-L12", "src/a.py#L14", "src/a.py#L16", "src/a.py#L18")
    assert (
        offer_of("src/a.py", text, "section", *more).entry
        == f"- `src/a.py` 3-4, 9, 11-12, 14 +2: {reason}"
    )


def test_head_of_the_root_states_status_and_priority() -> None:
    here = walk_files({CARD: card(extra="priority: high\n")})
    offer = views(here).offer(here.visits[0], "full", 10**9)
    assert offer is not None
    message = "depth 0, shown in full: the root card; status active; priority high"
    assert offer.head == f"### `{CARD}`\n{message}\n\n"


def test_every_fence_of_a_file_names_its_language() -> None:
    assert offer_of("src/a.py", "x = 1\n", "full").body == "```python\n1│x = 1\n```\n\n"
    assert (
        offer_of("src/a.py", "def f(): pass\n", "outline").body
        == "```python\n1│def f()\n```\n\n"
    )
    refs = ("src/a.py", "src/a.py#f")
    assert (
        offer_of("src/a.py", "x = 1\ndef f(): pass\n", "section", *refs).body
        == "```python\n2│def f(): pass\n```\n\n"
    )


@pytest.mark.parametrize(
    ("text", "body", "lines"),
    [
        ("", "```text\n```\n\n", (1, 1)),
        ("\n\n\n", "```text\n1│\n2│\n3│\n```\n\n", (1, 3)),
        ("a", "```text\n1│a\n```\n\n", (1, 1)),
        ("\na\n\n", "```text\n1│\n2│a\n3│\n```\n\n", (1, 3)),
        ("```\ncode\n```\n", "````text\n1│```\n2│code\n3│```\n````\n\n", (1, 3)),
        (b"a\r\nb\r\n", "```text\n1│a\n2│b\n```\n\n", (1, 2)),
        ("\ufeffa\n", "```text\n1│a\n```\n\n", (1, 1)),
    ],
)
def test_unusual_texts_are_shown_unchanged(
    text: str | bytes, body: str, lines: tuple[int, int]
) -> None:
    offer = offer_of("a.md", text, "full")
    assert (offer.body, offer.lines) == (body.replace("text", "markdown", 1), lines)


def test_large_folder_is_shown_by_its_direct_entries() -> None:
    here = walk_files(
        {CARD: card("src/"), **{f"src/{n % 50:02}/{n}.txt": "" for n in range(5_000)}}
    )
    made, visit = views(here, 4_000), here.visits[1]
    offer = made.best(visit, 3_000)
    assert offer is not None and offer.view == "outline"
    assert offer.body.startswith("```\n00/ (100 files)\n01/ (100 files)\n")
    assert made.size(visit) > 10_000


def task_views(body: str) -> tuple[Views, Visit]:
    here = walk_files({CARD: f"---\ntitle: Fix login\n---\n\n{body}"})
    return views(here), here.visits[0]


def test_cut_uses_its_room_and_ends_with_the_number_of_omitted_lines() -> None:
    made, root = task_views(
        "".join(f"line number {n} of the text\n" for n in range(5, 500))
    )
    for room in (90, 200, 1_000):
        offer = made.cut(root, room)
        assert offer is not None and offer.view == "section"
        assert room - 20 < offer.tokens <= room
        *shown, mark = offer.body.split("\n")[1:-3]
        last = offer.lines[1]
        assert shown[-1].startswith(f"line number {last}"[: len(shown[-1])])
        assert mark in (
            f"⋮ {root.lines[1] - last} lines",
            f"⋮ cut in line {last} of {root.lines[1]}",
        )
        assert shown[0] == "line number 5 of the text" and "shown in part" in offer.head


def test_cut_after_a_multi_line_secret_counts_the_lines_of_the_file() -> None:
    secret = (
        f"-----BEGIN RSA {'PRIVATE'} KEY-----\n"
        + "MIIEowIBAAKCAQEAx0J4Qm9vYmFyYmF6cXV4\n" * 4
    )
    made, root = task_views(
        f"{secret}-----END RSA {'PRIVATE'} KEY-----\n"
        + "".join(f"row {n}\n" for n in range(11, 300))
    )
    for room in range(90, 200, 10):
        offer = made.cut(root, room)
        assert offer is not None
        *_, shown, mark = offer.body.split("\n")[:-3]
        assert shown.startswith(f"row {offer.lines[1]}"[: len(shown)])
        assert mark in (
            f"⋮ {root.lines[1] - offer.lines[1]} lines",
            f"⋮ cut in line {offer.lines[1]} of 299",
        )
