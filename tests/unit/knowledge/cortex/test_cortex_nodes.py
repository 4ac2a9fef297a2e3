"""Files and folders of the cortex tree as nodes of the graph: links, scenes, `why`,
drawings and findings.
"""

from __future__ import annotations

import os
import shutil
from typing import Any

import pytest
from sandbox import Sandbox

from cuedeck.context.graph.draw_graph import draw_scene, draw_workspace
from cuedeck.context.scene.build_scene import Request, make_scene, scene_key
from cuedeck.context.scene.explain import why
from cuedeck.doctor.examine import examine
from cuedeck.knowledge.layers.build_layers import build_layers

EDITOR = "cortex://user/ana/preferences/editor.md"
EDITOR_PATH = ".cuedeck/cortex/user/ana/preferences/editor.md"
CARD = ".cuedeck/cards/aaaaaa.md"


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa")
    sandbox.activate("aaaaaa")
    sandbox.write("src/zeta.py", "def zeta():\n    return 1\n")
    sandbox.write("docs/auth.md", "# Auth\n\nLogin needs a token.\n")
    sandbox.write(EDITOR_PATH, "# Editor\n\nAna uses Vim.\n\nSee `src/zeta.py`.\n")
    return sandbox


def visits_of(shop: Sandbox) -> dict[str, dict[str, Any]]:
    made = make_scene(shop.workspace(), Request())
    rows = [row for row in made.report["visits"] if row["tier"] == "explicit"]
    return {row["address"]: row for row in rows}


def scene_text(shop: Sandbox) -> str:
    return make_scene(shop.workspace(), Request()).text


@pytest.mark.parametrize(
    "body",
    [
        f"[[{EDITOR}]]",
        f"[[{EDITOR}|the editor]]",
        f"[editor]({EDITOR})",
        f"@ref[{EDITOR}]",
        f"[[{EDITOR_PATH}]]",
        "[[cortex/user/ana/preferences/editor.md]]",
        "[editor](../cortex/user/ana/preferences/editor.md)",
        "[[cortex://user/ana/preferences/editor]]",
        "[[cortex://user/%61na/preferences/editor.md]]",
    ],
)
def test_every_form_of_link_leads_to_one_node(shop: Sandbox, body: str) -> None:
    shop.card("aaaaaa", body=f"{body}\n")
    visit = visits_of(shop)[EDITOR]
    assert (visit["kind"], visit["path"], visit["depth"]) == ("cortex", EDITOR_PATH, 1)
    assert "line" in visit["why"]
    assert "Ana uses Vim." in scene_text(shop)


def test_a_ref_in_front_matter_leads_to_a_node(shop: Sandbox) -> None:
    shop.card("aaaaaa", f"refs: ['{EDITOR}']")
    assert visits_of(shop)[EDITOR]["why"].startswith("named in the refs of")


def test_a_doc_links_a_node(shop: Sandbox) -> None:
    shop.write("docs/auth.md", f"# Auth\n\n[[{EDITOR}]]\n")
    shop.card("aaaaaa", "refs: [docs/auth.md]")
    assert visits_of(shop)[EDITOR]["depth"] == 2


def test_paths_and_links_of_a_node_are_visited_at_the_next_depth(shop: Sandbox) -> None:
    other = "cortex://user/ana/entities/ben.md"
    shop.write(
        ".cuedeck/cortex/user/ana/entities/ben.md",
        "---\nrefs: [docs/auth.md]\n---\n\nBen: [editor](../preferences/editor.md)\n",
    )
    shop.card("aaaaaa", body=f"[[{other}]]\n")
    visits = visits_of(shop)
    assert visits["docs/auth.md"]["why"] == f"mentioned by {other}"
    assert visits[EDITOR]["via"] == other
    assert visits["src/zeta.py"]["via"] == EDITOR


def test_a_plain_address_in_the_text_of_a_node_is_an_edge(shop: Sandbox) -> None:
    note = "cortex://resources/guide/note.md"
    shop.write(".cuedeck/cortex/resources/guide/note.md", f"It says {EDITOR}.\n")
    shop.card("aaaaaa", body=f"[[{note}]]\n")
    assert visits_of(shop)[EDITOR]["via"] == note


def test_the_lines_of_an_anchor_are_shown(shop: Sandbox) -> None:
    shop.card("aaaaaa", body=f"[[{EDITOR}#L3]]\n")
    assert visits_of(shop)[f"{EDITOR}#L3"]["lines"] == [3, 3]
    assert "Ana uses Vim." in scene_text(shop)
    assert "src/zeta.py" not in visits_of(shop)


def test_a_heading_is_an_anchor(shop: Sandbox) -> None:
    shop.write(EDITOR_PATH, "# One\n\nfirst\n\n# Two\n\nsecond\n")
    shop.card("aaaaaa", body=f"[[{EDITOR}#Two]]\n")
    text = scene_text(shop)
    assert "second" in text
    assert "first\n" not in text


def test_a_folder_shows_an_overview(shop: Sandbox) -> None:
    shop.card("aaaaaa", body="[[cortex://user/ana/preferences]]\n")
    visit = visits_of(shop)["cortex://user/ana/preferences"]
    assert visit["path"] == ".cuedeck/cortex/user/ana/preferences"
    assert "editor" in scene_text(shop)


@pytest.mark.parametrize(
    ("count", "view"), [(100, "full"), (300, "full"), (600, "full"), (3_000, "outline")]
)
def test_a_file_is_shown_whole_if_the_limit_has_room_for_it(
    shop: Sandbox, count: int, view: str
) -> None:
    rows = "".join(f"Line {number} of many words.\n\n" for number in range(count))
    shop.write(EDITOR_PATH, f"# Editor\n\n{rows}")
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    text = scene_text(shop)
    assert visits_of(shop)[EDITOR]["view"] == view
    assert (f"Line {count - 1} of many words." in text) == (view == "full")
    assert "Line 0 of many words." in text
    assert (f": `cuedeck read '{EDITOR}'`\n" in text) == (view == "outline")


def test_two_long_files_share_the_limit(shop: Sandbox) -> None:
    rows = "".join(f"Line {number} of many words.\n\n" for number in range(550))
    other = EDITOR.replace("editor", "shell")
    for path in (EDITOR_PATH, EDITOR_PATH.replace("editor", "shell")):
        shop.write(path, f"# Editor\n\n{rows}")
    shop.card("aaaaaa", body=f"[[{EDITOR}]] [[{other}]]\n")
    visits = visits_of(shop)
    assert [visits[each]["view"] for each in (EDITOR, other)] == ["full", "outline"]


def test_an_earlier_statement_of_a_memory_is_not_shown(shop: Sandbox) -> None:
    shop.write(
        EDITOR_PATH,
        "---\ntype: preference\nkey: editor\ntime: 2026-11-22T10:00:00Z\n"
        "sources: []\n---\n\nAna uses Vim.\n\n## Superseded\n\n"
        "- 2026-11-20T10:00:00Z: Ana uses Emacs.\n  cortex://session/s/timeline\n",
    )
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    text = scene_text(shop)
    assert "Ana uses Vim." in text
    assert "Emacs" not in text


def test_a_link_out_of_the_tree_is_no_node(shop: Sandbox) -> None:
    shop.write("secret.txt", "private words\n")
    folder = shop.root / ".cuedeck/cortex/resources/guide"
    folder.mkdir(parents=True)
    os.symlink(shop.root / "secret.txt", folder / "note.md")
    shop.card("aaaaaa", body="[[cortex://resources/guide/note.md]]\n")
    assert list(visits_of(shop)) == [CARD]
    assert "private words" not in scene_text(shop)


def test_a_changed_node_changes_the_scene(shop: Sandbox) -> None:
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    assert "Ana uses Vim." in scene_text(shop)
    assert "Ana uses Vim." in scene_text(shop)
    shop.write(EDITOR_PATH, "Ana uses Zed.\n")
    assert "Ana uses Zed." in scene_text(shop)
    os.remove(shop.root / EDITOR_PATH)
    assert "unresolved: " in scene_text(shop)
    shop.write(EDITOR_PATH, "Ana uses Vim again.\n")
    assert "Ana uses Vim again." in scene_text(shop)


def test_a_tree_made_after_a_dead_link_changes_the_scene(shop: Sandbox) -> None:
    shutil.rmtree(shop.root / ".cuedeck/cortex")
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    assert "unresolved: " in scene_text(shop)
    assert "unresolved: " in scene_text(shop)
    shop.write(EDITOR_PATH, "Ana uses Vim.\n")
    assert "Ana uses Vim." in scene_text(shop)


def test_an_overview_edited_by_hand_changes_the_scene(shop: Sandbox) -> None:
    shop.card("aaaaaa", body="[[cortex://user/ana/preferences]]\n")
    build_layers(shop.workspace())
    assert "Ana uses Vim." in scene_text(shop)
    assert "Ana uses Vim." in scene_text(shop)
    place = shop.root / ".cuedeck/cortex/user/ana/preferences/.overview.md"
    place.write_text(place.read_text().replace("Ana uses Vim.", "Written by hand."))
    assert "Written by hand." in scene_text(shop)


def test_an_unlinked_message_leaves_the_cached_scene_valid(shop: Sandbox) -> None:
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    make_scene(shop.workspace(), Request())
    workspace = shop.workspace()
    workspace.refresh()
    before = scene_key(workspace, Request())
    shop.write(
        ".cuedeck/cortex/session/s/timeline/2026-11/22/09_15_00_1a2b3c4d.md", "Hello\n"
    )
    assert scene_key(workspace, Request()) == before


def test_why_explains_a_node(shop: Sandbox) -> None:
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    answer = why(shop.workspace(), EDITOR_PATH)
    assert answer["in_scene"]
    assert [step["address"] for step in answer["chain"]] == [CARD, EDITOR]


def test_drawings_contain_nodes(shop: Sandbox) -> None:
    shop.card("aaaaaa", body=f"[[{EDITOR}]]\n")
    for drawing in (draw_scene(shop.workspace()), draw_workspace(shop.workspace())):
        kinds = {box.address: box.kind for box in drawing.boxes}
        assert kinds[EDITOR] == "cortex"
        arrows = {(arrow.source, arrow.target) for arrow in drawing.arrows}
        assert (CARD, EDITOR) in arrows
        assert (EDITOR, "src/zeta.py") in arrows


@pytest.mark.parametrize(
    ("ref", "hint"),
    [
        ("cortex://user/ana/preferences/editr.md", f"did you mean `{EDITOR}`?"),
        ("../cortex/user/ana/preferences/editr.md", f"did you mean `{EDITOR}`?"),
        ("cortex://user/anna/preferences", "did you mean `cortex://user/ana`?"),
        ("cortex://nowhere/x.md", "begins with one of"),
        ("cortex://user/../../x", "cannot contain `..`"),
    ],
)
def test_doctor_reports_a_dead_ref_with_the_nearest_match(
    shop: Sandbox, ref: str, hint: str
) -> None:
    shop.card("aaaaaa", f"refs: ['{ref}']")
    report = examine(shop.workspace())
    findings = [each for each in report.findings if ref in each.message]
    assert [each.level for each in findings] == ["error"]
    assert hint in f"{findings[0].message} {findings[0].hint}"
