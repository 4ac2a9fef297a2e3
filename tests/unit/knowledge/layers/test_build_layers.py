"""Building of layers: only what changed, nothing of others overwritten."""

from __future__ import annotations

import os

import pytest
from layer_tree import CORTEX, LONG, Layered

from cuedeck.knowledge.layers.layer_file import parse_layer_file
from cuedeck.model.cortex_address import parse_cortex_address

INTRO = "resources/guide/intro.md"
INTRO_L0 = "resources/guide/.layers/intro.md.l0.md"


def made(receipt: object) -> set[str]:
    return {f"{row['address']} {row['layer']}" for row in receipt.made}


def test_a_build_makes_the_layers_that_are_needed(layered: Layered) -> None:
    receipt = layered.build()
    assert set(layered.layers()) == {
        row["path"].removeprefix(f"{CORTEX}/") for row in receipt.made
    }
    assert INTRO_L0 in layered.layers()
    assert "user/ana/preferences/.layers/editor.md.l0.md" not in layered.layers()
    assert "session/default/timeline/2026-11/22/.abstract.md" in layered.layers()
    status = layered.status()
    assert status["fresh"] == len(receipt.made)
    assert not status["layers"]


def test_limits_hold_by_the_exact_count(layered: Layered) -> None:
    layered.build()
    count = layered.sandbox.workspace().counter()
    for data in layered.layers().values():
        layer = parse_layer_file(data)
        assert layer is not None and layer.body.strip()
        assert layer.tokens == count.count(layer.body)
        assert layer.tokens <= {"L0": 100, "L1": 2_000}[layer.level]


def test_a_second_build_makes_nothing(layered: Layered) -> None:
    first = layered.build()
    before = layered.files()
    again = layered.build()
    assert not again.made
    assert again.reused == len(first.made)
    assert layered.files() == before


def test_an_edit_at_the_last_byte_of_a_large_file_is_seen(layered: Layered) -> None:
    place = "resources/big/data.txt"
    layered.write(place, "word " * 200_000 + "a")
    layered.build()
    layered.write(place, "word " * 200_000 + "b")
    assert {row["address"] for row in layered.status()["layers"]} == {
        f"cortex://{place}",
        "cortex://resources/big",
        "cortex://resources",
    }


def test_an_edited_layer_is_kept_and_reported(layered: Layered) -> None:
    layered.build()
    edited = layered.text(INTRO_L0).replace("The guide", "My own words")
    layered.write(INTRO_L0, edited)
    layered.write(INTRO, f"# Intro\n\nThe new guide.\n\n{LONG}\n")
    receipt = layered.build()
    assert layered.text(INTRO_L0) == edited
    assert [(row["path"], row["status"]) for row in receipt.kept] == [
        (f"{CORTEX}/{INTRO_L0}", "kept")
    ]
    overview = layered.text("resources/guide/.overview.md")
    assert "My own words" not in overview and "The new guide" in overview


@pytest.mark.parametrize(
    "foreign",
    ["# Guide\n\nWritten by a model.\n", "\0\x01", "\ufeff", "", "a" * 1_000_001],
)
@pytest.mark.parametrize("place", ["resources/guide/.overview.md", INTRO_L0])
def test_a_foreign_layer_is_kept_until_it_is_deleted(
    layered: Layered, place: str, foreign: str
) -> None:
    layered.build()
    computed = layered.files()[place]
    layered.write(place, foreign)
    assert (layered.status()["kept"], layered.status()["stale"]) == (1, 0)
    assert [row["status"] for row in layered.build().kept] == ["kept"]
    assert layered.text(place) == foreign
    layered.remove(place)
    layered.build()
    assert layered.files()[place] == computed


def test_a_dry_run_writes_nothing(layered: Layered) -> None:
    before = layered.files()
    receipt = layered.build(dry_run=True)
    assert receipt.made
    assert layered.files() == before
    layered.build()
    assert made(receipt) == {f"{row['address']} {row['layer']}" for row in receipt.made}


def test_an_address_limits_the_build_to_its_ancestors_and_what_is_below(
    layered: Layered,
) -> None:
    receipt = layered.build(top=parse_cortex_address("cortex://user/ana"))
    assert {row["address"] for row in receipt.made} == {
        "cortex://user",
        "cortex://user/ana",
        "cortex://user/ana/preferences",
    }


def test_names_that_no_address_has_are_ignored(layered: Layered) -> None:
    layered.build()
    before = layered.layers()
    layered.write("resources/guide/.hidden.md", "no")
    layered.write("resources/guide/bad|name.md", "no")
    os.symlink("/etc/hostname", layered.sandbox.place(f"{CORTEX}/resources/link.md"))
    os.symlink("/etc", layered.sandbox.place(f"{CORTEX}/resources/folder"))
    assert not layered.build().made
    assert layered.layers() == before


def test_binary_and_odd_files_do_not_stop_a_build(layered: Layered) -> None:
    layered.write("resources/odd/image.png", b"\x89PNG\0\0" * 500)
    layered.write("resources/odd/empty.md", "")
    layered.write("resources/odd/latin.md", "caf\xe9 ".encode("latin-1") * 900)
    layered.write("resources/odd/run.txt", "x" * 300_000)
    layered.write("resources/odd/break.md", "---\nkey: [\n---\n" + LONG)
    layered.write("session/default/timeline/2026-11/22/11_00_00_zz.md", "---\n" + LONG)
    receipt = layered.build()
    assert not receipt.notes
    assert layered.verify()["verified"]


def test_a_folder_of_many_files_counts_those_it_does_not_name(layered: Layered) -> None:
    for number in range(450):
        layered.write(f"resources/many/f{number:03}.md", f"Note {number} on topic.\n")
    layered.build()
    overview = layered.text("resources/many/.overview.md")
    assert "# many: 450 files" in overview
    assert "f000.md" in overview and "f449.md" not in overview
    assert "more" in overview.splitlines()[-1]


def test_messages_of_a_day_are_in_the_order_of_their_numbers(layered: Layered) -> None:
    day = "session/s/timeline/2026-11/23"
    for clock, seq, text in (("10", 1, "First came Ana."), ("09", 2, "Then came Bo.")):
        header = f"---\nid: a\nrole: user\nseq: {seq}\n---\n"
        layered.write(f"{day}/{clock}_00_00_aaaaaaaa.md", header + text)
    layered.build()
    overview = layered.text(f"{day}/.overview.md")
    assert overview.index("First came Ana") < overview.index("Then came Bo")
