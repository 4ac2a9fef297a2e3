"""The drawing of a workspace: refs and the code around them."""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

from cuedeck.context.graph.draw_graph import (
    Extent,
    draw_scene,
    draw_workspace,
    statistics,
)
from cuedeck.graph.draw import FORMATS
from cuedeck.graph.draw.drawing_parts import MOST
from cuedeck.model.diagram import Arrow, Drawing

REFS = (
    Arrow(".cuedeck/cards/aaaaaa.md", "docs/auth.md", "refs"),
    Arrow("docs/auth.md", "src/auth.py", "refs"),
)


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", "refs: [docs/auth.md]")
    sandbox.write(
        "docs/auth.md",
        "# Auth\n\n[code](../src/auth.py), which `Login` is in.\n\nForms: `Form.show`\n",
    )
    sandbox.write("src/auth.py", "import db\n\n\nclass Login:\n    pass\n")
    sandbox.write("src/db.py", "import far\n")
    sandbox.write("src/far.py", "x = 1\n")
    sandbox.write("src/form.py", "class Form:\n    def show(self):\n        pass\n")
    sandbox.write("src/alone.py", "y = 1\n")
    sandbox.write("tests/test_auth.py", "from auth import Login\n")
    sandbox.write("vendor/auth_user.py", "import auth\n")
    return sandbox


def drawing_of(sandbox: Sandbox, code: Extent = "near") -> Drawing:
    return draw_workspace(sandbox.workspace(), code)


def test_code_next_to_linked_files_is_drawn_with_its_evidence(shop: Sandbox) -> None:
    found = drawing_of(shop)
    assert found.title == "references and code of the workspace"
    assert found.arrows == (
        *REFS,
        Arrow("src/auth.py", "src/db.py", "imports", 1),
        Arrow("tests/test_auth.py", "src/auth.py", "tests", 1),
        Arrow("docs/auth.md", "src/form.py", "documents", 5),
    )
    assert [box.address for box in found.boxes] == [
        ".cuedeck/cards/aaaaaa.md",
        "docs/auth.md",
        "src/auth.py",
        "src/db.py",
        "src/form.py",
        "tests/test_auth.py",
    ]


def test_links_of_sessions_attempts_and_experiences_are_drawn(sandbox: Sandbox) -> None:
    sandbox.write("a.md")
    session = sandbox.answer("session", "start")["session"]
    attempt = sandbox.answer(
        "attempt", "add", "--on", "a.md", "--tried", "x", "--failed", "y"
    )["id"]
    experience = sandbox.answer("experience", "add", "--", "forms are slow")["id"]
    linked = [f"session:{session}", f"attempt:{attempt}", f"experience:{experience}"]
    sandbox.write("a.md", "".join(f"[[{address}]]\n" for address in linked))
    found = drawing_of(sandbox)
    refs = [Arrow("a.md", address, "refs") for address in linked]
    assert found.arrows == (*refs, Arrow(f"attempt:{attempt}", "a.md", "on"))
    assert sorted((box.address, box.kind) for box in found.boxes) == [
        ("a.md", "doc"),
        (f"attempt:{attempt}", "attempt"),
        (f"experience:{experience}", "experience"),
        (f"session:{session}", "session"),
    ]
    assert all(draw(found) for draw in FORMATS.values())


def test_extent_all_draws_every_file_with_an_edge(shop: Sandbox) -> None:
    found = drawing_of(shop, "all")
    assert Arrow("src/db.py", "src/far.py", "imports", 1) in found.arrows
    addresses = {box.address for box in found.boxes}
    assert "src/far.py" in addresses
    assert not addresses & {"src/alone.py", "vendor/auth_user.py"}


def test_extent_none_draws_only_refs(shop: Sandbox) -> None:
    found = drawing_of(shop, "none")
    assert (found.title, found.arrows) == ("references of the workspace", REFS)
    assert len(found.boxes) == 3


def test_cochange_is_drawn_only_between_otherwise_unconnected_files(
    shop: Sandbox,
) -> None:
    shop.write("CHANGELOG.md", "# Changes\n")
    shop.git("init", "-q")
    shop.git("add", "-A")
    shop.git("commit", "-q", "-m", "Begin")
    for turn in range(3):
        for path in ("src/auth.py", "src/db.py", "src/form.py", "CHANGELOG.md"):
            place = shop.place(path)
            place.write_text(f"{place.read_text()}# turn {turn}\n")
        shop.git("commit", "-q", "-a", "-m", "All of them")
    found = [arrow for arrow in drawing_of(shop).arrows if arrow.edge == "cochange"]
    assert found == [
        Arrow("src/auth.py", "src/form.py", "cochange", commits=4),
        Arrow("src/db.py", "src/form.py", "cochange", commits=4),
    ]
    edges = json.loads(FORMATS["json"](drawing_of(shop)))["edges"]
    assert edges[-1] == {
        "source": "src/db.py",
        "target": "src/form.py",
        "edge": "cochange",
        "commits": 4,
    }


def test_statistics_name_edge_types_when_code_is_drawn(shop: Sandbox) -> None:
    assert statistics(drawing_of(shop))["types"] == {
        "documents": 1,
        "imports": 1,
        "refs": 2,
        "tests": 1,
    }
    assert "types" not in statistics(drawing_of(shop, "none"))


def test_cycle_of_imports_is_no_cycle_of_refs(shop: Sandbox) -> None:
    shop.write("src/db.py", "import auth\n")
    assert drawing_of(shop).cycles == ()


def test_omitted_files_are_counted(shop: Sandbox) -> None:
    for number in range(90):
        shop.write(f"src/user_{number:02}.py", "import auth\n")
    found = drawing_of(shop)
    assert found.left_out == 90 + 3 - (MOST - 3)
    assert json.loads(FORMATS["json"](found))["left_out"] == found.left_out
    assert drawing_of(shop, "all").left_out == 0


def test_drawn_scene_shows_its_first_related_files_after_the_linked_ones(
    sandbox: Sandbox,
) -> None:
    sandbox.card("aaaaaa", "title: Expired token", "refs:", "  - docs/auth.md")
    sandbox.activate("aaaaaa")
    sandbox.write("docs/auth.md", "# Auth\n\nHow people come in.\n")
    for number in range(20):
        sandbox.write(
            f"src/token_{number:02}.py",
            f"def keep_{number}(token):\n    return 'expired'\n",
        )
    for number in range(60):
        sandbox.write(
            f"src/other_{number:02}.py", f"def other_{number}(box):\n    return box\n"
        )
    found = draw_scene(sandbox.workspace())
    related = [box for box in found.boxes if box.state == "related"]
    assert [box.address for box in found.boxes[:2]] == [
        ".cuedeck/cards/aaaaaa.md",
        "docs/auth.md",
    ]
    assert (len(related), found.left_out) == (12, 8)
    assert all(box.depth == -1 and box.tokens > 0 and box.view for box in related)
    assert [arrow.target for arrow in found.arrows if arrow.edge == "related"] == [
        box.address for box in related
    ]
