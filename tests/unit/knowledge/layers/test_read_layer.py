"""Reading of layers: of the tree, and of cards, docs, sources, folders, entries."""

from __future__ import annotations

import pytest
from layer_tree import LONG, Layered

from cuedeck.knowledge.layers.read_layer import read_with_layer
from cuedeck.model.cortex_address import CortexAddressError
from cuedeck.model.errors import Invalid, NotFound

INTRO = "cortex://resources/guide/intro.md"
DAY = "cortex://session/default/timeline/2026-11/22"


def test_a_layer_is_read_without_a_build(layered: Layered) -> None:
    answer = layered.read(INTRO, "L0")
    assert answer["text"].startswith("Intro — The guide.")
    assert answer["tokens"] <= 101
    assert answer["layer"] == "L0" and answer["generated_by"] == "extractive"
    assert not layered.layers()


def test_stored_and_computed_layers_are_equal(layered: Layered) -> None:
    wanted = {
        (place, level): layered.read(place, level)
        for place in (INTRO, DAY, "cortex://resources", "cortex://session/default")
        for level in ("L0", "L1")
    }
    layered.build()
    for (place, level), answer in wanted.items():
        assert answer["status"] == "stale"
        assert layered.read(place, level) == {**answer, "status": "fresh"}


def test_a_stale_layer_is_computed_again(layered: Layered) -> None:
    layered.build()
    layered.write("resources/guide/intro.md", f"# Intro\n\nThe second.\n\n{LONG}")
    answer = layered.read(INTRO, "L0")
    assert "The second." in answer["text"] and answer["status"] == "stale"
    assert "The second." in layered.read("cortex://resources/guide", "L1")["text"]


def test_an_edited_layer_is_read_while_its_text_is_unchanged(layered: Layered) -> None:
    layered.build()
    place = "resources/guide/.layers/intro.md.l0.md"
    layered.write(place, layered.text(place).replace("The guide.", "Edited."))
    answer = layered.read(INTRO, "L0")
    assert "Edited." in answer["text"] and answer["generated_by"] == "hand"
    assert answer["status"] == "kept"
    layered.write("resources/guide/intro.md", f"# Intro\n\nThe second.\n\n{LONG}")
    answer = layered.read(INTRO, "L0")
    assert "The second." in answer["text"] and answer["generated_by"] == "extractive"


def test_queries_and_lines_of_addresses(layered: Layered) -> None:
    assert layered.read(f"{INTRO}?layer=L0") == layered.read(INTRO, "L0")
    assert layered.read(f"{INTRO}#L1-L3")["text"] == "# Intro\n\nThe guide.\n"
    assert layered.read(f"{INTRO}?layer=L2")["text"].startswith("# Intro")
    assert layered.read(DAY)["layer"] == "L1"
    with pytest.raises(Invalid):
        layered.read(f"{INTRO}#L1", "L0")
    with pytest.raises(NotFound):
        layered.read("cortex://resources/none", "L0")
    with pytest.raises(CortexAddressError):
        layered.read("cortex://resources/../../x", "L0")


def test_the_tree_is_read_by_address_and_by_path(layered: Layered) -> None:
    workspace = layered.sandbox.workspace()
    for spelling in (INTRO, ".cuedeck/cortex/resources/guide/intro.md"):
        answer = read_with_layer(workspace, spelling, "L2")
        assert answer["text"].startswith("# Intro")


def test_the_timeline_cites_its_messages(layered: Layered) -> None:
    text = layered.read(DAY, "L1")["text"]
    assert (
        "- 09:15 user: We decided to use SQLite. It is fast. [09_15_00_1a2b3c4d]"
        in text
    )
    above = layered.read("cortex://session/default", "L1")["text"]
    assert "[timeline/2026-11/22/09_15_00_1a2b3c4d]" in above


def test_a_memory_begins_with_its_kind_and_key(layered: Layered) -> None:
    place = "cortex://user/ana/preferences/editor.md"
    assert layered.read(place, "L0")["text"] == "preference: editor — Ana uses Vim.\n"


@pytest.fixture
def files(layered: Layered) -> Layered:
    sandbox = layered.sandbox
    sandbox.write("docs/auth.md", f"# Auth\n\nHow users log in.\n\n## Flow\n\n{LONG}\n")
    sandbox.write(
        "src/auth.py",
        '"""Log users in."""\n\n\nclass Login:\n    """One login."""\n\n'
        "    def verify(self, token: str) -> bool:\n"
        '        """Check a token."""\n        return bool(token)\n',
    )
    sandbox.card("abc123", "status: active", "title: Fix login", body="Do it soon.")
    return layered


@pytest.mark.parametrize(
    ("address", "level", "wanted"),
    [
        ("docs/auth.md", "L0", "Auth — How users log in.\n"),
        ("src/auth.py", "L0", "src/auth.py — Log users in.\nDefines: Login, verify\n"),
        ("abc123", "L0", "Fix login (card, active, medium) — Do it soon.\n"),
        ("src/", "L0", "src: 1 file\n- auth.py — Log users in.\n"),
        ("src/auth.py#Login.verify", "L0", "src/auth.py#Login.verify\n"),
        ("docs/auth.md#Flow", "L0", "Flow — Sentence 0 explains"),
    ],
)
def test_layers_of_the_workspace(
    files: Layered, address: str, level: str, wanted: str
) -> None:
    workspace = files.sandbox.workspace()
    answer = read_with_layer(workspace, address, level)
    assert answer["text"].startswith(wanted)
    assert answer["tokens"] <= 101
    assert read_with_layer(workspace, address, level) == answer


KEY = "AKIA" + "IOSFODNN7EXAMPLF"
OTHER_KEY = "AKIA" + "Z5MPQ3WXYT7RNKD4"


def overview_of_src(layered: Layered) -> str:
    answer = read_with_layer(layered.sandbox.workspace(), "src/", "L1")
    text: str = answer["text"]
    return text


def test_the_root_folder_has_a_title(files: Layered) -> None:
    workspace = files.sandbox.workspace()
    assert read_with_layer(workspace, ".", "L0")["text"].startswith(".: ")
    assert read_with_layer(workspace, ".", "L1")["text"].startswith("# .: ")


def test_a_folder_does_not_number_the_secrets_of_its_files(files: Layered) -> None:
    files.sandbox.write("src/a.py", f'"""Use {KEY} here."""\n')
    files.sandbox.write("src/b.py", f'"""Use {OTHER_KEY} here."""\n')
    shown = overview_of_src(files)
    assert "- a.py — Use <secret:aws-key> here.\n" in shown
    assert "- b.py — Use <secret:aws-key> here.\n" in shown


def test_a_cut_line_of_a_folder_contains_no_part_of_a_secret(files: Layered) -> None:
    for at in range(150):
        letters = f"{chr(65 + at // 26)}{chr(65 + at % 26)}"
        name = f"{OTHER_KEY[:18]}{letters}"
        files.sandbox.write(f"src/{name}.py", '"""Parse the words of a page."""\n')
    shown = overview_of_src(files)
    assert "<secret:aws-key>.py" in shown
    assert OTHER_KEY[:10] not in shown


def test_an_overview_never_cuts_the_name_of_a_file(files: Layered) -> None:
    names = [f"test_{'ab'[at % 2]}_long_name_of_part_{at:03}.py" for at in range(150)]
    for name in names:
        files.sandbox.write(f"src/{name}", '"""Explain a part of the machine."""\n')
    rows = overview_of_src(files).rstrip().split("\n")[2:]
    shown = [row[2:].split(" — ")[0] for row in rows if row.startswith("- ")]
    assert shown == ["auth.py", *sorted(names)]


def test_a_very_large_folder_describes_its_files_and_counts_others(
    files: Layered,
) -> None:
    for at in range(2_000):
        files.sandbox.write(f"src/made/m{at}.py", "")
    shown = overview_of_src(files)
    assert shown == (
        "# src: 1 folder, 1 file\n\n"
        "- auth.py — Log users in.\n  class Login: One login.\n"
        "- made/ — 2,000 files\n"
    )


def test_a_name_with_a_line_break_is_one_line_of_its_folder(files: Layered) -> None:
    files.sandbox.write("src/new\nline.py", '"""Break."""\n')
    files.sandbox.write("src/red\x1b[31m.py", '"""Colour."""\n')
    shown = overview_of_src(files)
    assert "- new line.py — Break.\n" in shown
    assert "- red [31m.py — Colour.\n" in shown


def test_line_numbers_of_a_layer_are_refused(files: Layered) -> None:
    with pytest.raises(Invalid):
        read_with_layer(files.sandbox.workspace(), "docs/auth.md", "L0", numbers=True)


def test_a_layer_of_the_workspace_follows_its_file(files: Layered) -> None:
    read_with_layer(files.sandbox.workspace(), "docs/auth.md", "L0")
    files.sandbox.write("docs/auth.md", f"# Auth\n\nAll new.\n\n{LONG}\n")
    answer = read_with_layer(files.sandbox.workspace(), "docs/auth.md", "L0")
    assert answer["text"].startswith("Auth — All new.")


def test_commands(files: Layered) -> None:
    run = files.sandbox.answer
    assert run("layers", "status")["stale"]
    assert run("layers", "verify", code=1)["verified"] is False
    assert run("layers", "build", "--dry-run")["made"]
    assert run("layers", "build")["made"]
    assert run("layers", "verify")["verified"] is True
    assert run("layers", "status")["fresh"]
    assert run("read", INTRO, "--layer", "L0")["layer"] == "L0"
    assert run("read", "docs/auth.md", "--layer", "L1")["layer"] == "L1"
    text = files.sandbox.ok("layers", "status").out
    assert "need no file" in text
    error = run("layers", "build", "cortex://nowhere", code=1)["error"]
    assert error["code"] == 1010
