"""Status of layers: computed from hashes."""

from __future__ import annotations

from layer_tree import CORTEX, Layered

INTRO = "resources/guide/intro.md"
INTRO_L0 = "resources/guide/.layers/intro.md.l0.md"


def rows(status: dict[str, object]) -> set[tuple[str, str, str]]:
    return {(row["address"], row["layer"], row["status"]) for row in status["layers"]}


def test_a_new_tree_misses_its_layers(layered: Layered) -> None:
    status = layered.status()
    assert status["fresh"] == 0
    assert status["stale"] == len(status["layers"]) > 0
    assert status["files"] == 5


def test_a_workspace_without_a_tree_has_no_layers(sandbox) -> None:
    empty = Layered(sandbox)
    assert empty.status()["folders"] == 0
    assert not empty.build().made
    assert empty.verify()["verified"]


def test_a_layer_of_a_removed_file_is_stale(layered: Layered) -> None:
    layered.build()
    layered.remove(INTRO)
    assert (f"cortex://{INTRO}", "L0", "stale") in rows(layered.status())


def test_a_layer_that_became_unnecessary_is_removed(layered: Layered) -> None:
    layered.build()
    layered.write(INTRO, "Short.\n")
    assert (f"cortex://{INTRO}", "L0", "stale") in rows(layered.status())
    layered.build()
    assert INTRO_L0 not in layered.layers()
    assert not layered.status()["layers"]


def test_a_layer_of_another_file_is_stale(layered: Layered) -> None:
    layered.build()
    layered.write("resources/guide/other.md", layered.text(INTRO))
    layered.write("resources/guide/.layers/other.md.l0.md", layered.text(INTRO_L0))
    assert ("cortex://resources/guide/other.md", "L0", "stale") in rows(
        layered.status()
    )


def test_verify_finds_a_layer_whose_header_lies(layered: Layered) -> None:
    from cuedeck.knowledge.layers.layer_file import format_layer_file, parse_layer_file

    layered.build()
    layer = parse_layer_file(layered.files()[INTRO_L0])
    assert layer is not None
    layered.write(INTRO_L0, format_layer_file(layer._replace(body="Not so.")))
    assert not layered.status()["layers"]
    answer = layered.verify()
    assert not answer["verified"]
    assert rows(answer) == {(f"cortex://{INTRO}", "L0", "stale")}


def test_an_unreadable_file_has_no_layers(layered: Layered) -> None:
    place = layered.sandbox.place(f"{CORTEX}/resources/guide/huge.md")
    with place.open("wb") as file:
        file.truncate(70_000_000)
    assert layered.status()["files"] == 5
    layered.build()
    assert layered.verify()["verified"]
