"""Status of layers: computed from hashes, with and without the cache."""

from __future__ import annotations

import os

from layer_tree import CORTEX, LONG, Layered

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


def test_the_cache_and_a_full_read_agree(layered: Layered) -> None:
    layered.build()
    layered.write(INTRO, f"# Intro\n\nNew.\n\n{LONG}")
    layered.write("resources/guide/.abstract.md", "foreign")
    layered.remove("user/ana/preferences/editor.md")
    for _ in range(3):
        assert layered.status() == layered.status(use_cache=False)


def test_a_change_that_keeps_size_and_time_is_found_by_a_full_read(
    layered: Layered,
) -> None:
    layered.build()
    layered.status()
    place = layered.sandbox.place(f"{CORTEX}/{INTRO}")
    stamp = place.stat()
    text = place.read_text()
    place.write_text(text.replace("The guide.", "The GUIDE."))
    os.utime(place, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    stale = {
        (f"cortex://{where}", level, "stale")
        for where in (INTRO, "resources/guide", "resources")
        for level in ("L0", "L1")
    }
    assert rows(layered.status(use_cache=False)) == stale
    assert rows(layered.status()) == stale  # the change time of the file differs


def test_a_damaged_cache_is_not_used(layered: Layered) -> None:
    layered.build()
    wanted = layered.status()
    place = layered.sandbox.private("layers.json")
    for damage in (b"", b"{", b"[]", b'{"rules":"","states":[1]}'):
        place.write_bytes(damage)
        assert layered.status() == wanted
    data = place.read_text().replace('"[', '"{')
    place.write_text(data)
    assert layered.status() == wanted


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


def test_an_unreadable_file_is_reported(layered: Layered) -> None:
    place = layered.sandbox.place(f"{CORTEX}/resources/guide/huge.md")
    with place.open("wb") as file:
        file.truncate(70_000_000)
    status = layered.status()
    assert status["failed"] == 1
    assert layered.build().failed[0]["address"] == "cortex://resources/guide/huge.md"
