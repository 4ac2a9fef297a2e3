"""SCENE.md, `graph --scene`, `graph` and `why` agree on every node of workspaces with
many links.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cuedeck.context.graph.draw_graph import draw_scene, draw_workspace
from cuedeck.context.scene.build_scene import Request, make_scene
from cuedeck.context.scene.explain import why
from cuedeck.engine.open_workspace import open_workspace
from cuedeck.engine.workspace import Workspace
from cuedeck.model.entry_node import ENTRY_KINDS

CARD = ".cuedeck/cards/2a9f1x.md"
FILES = (
    ".cuedeck/cards/k7m2pq.md",
    "docs/a.md",
    "docs/b.md",
    "src/one.py",
    "src/two.py",
    "src/zeta.py",
)
PLACES = (*FILES, "docs/a.md#Part", "src/one.py#first")
ENTRIES = {
    "decision": ("d1", "d2", "gone", "refused"),
    "attempt": ("t1", "t2"),
    "assumption": ("holds",),
    "record": ("rec-one", "rec-old", "rec-new", "rec-secret"),
    "experience": ("xp1", "xp-secret"),
    "session": ("s1",),
}
RETIRED = (
    "decision:gone",
    "decision:refused",
    "record:rec-old",
    "record:rec-secret",
    "experience:xp-secret",
)
ADDRESSES = tuple(
    f"{kind}:{identity}" for kind, ids in ENTRIES.items() for identity in ids
)
TIME = "2026-01-01T00:00:00Z"

links = st.lists(st.sampled_from([*PLACES, *ADDRESSES, *ADDRESSES]), max_size=4)
card_links = st.lists(st.sampled_from(ADDRESSES), min_size=3, max_size=8)
places = st.lists(st.sampled_from([*PLACES, *ADDRESSES]), max_size=3)


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, str]:
    """Draw the files of a workspace with an active card."""
    files = {
        ".cuedeck/active": "2a9f1x\n",
        ".cuedeck/config.toml": "[scene]\ndepth = 3\n",
    }
    for path in (CARD, *FILES):
        files[path] = draw(file_text(path))
    files[".cuedeck/decisions.jsonl"] = _rows(
        _entry(
            "d1",
            decision="Take d1",
            affects=draw(places),
            card=draw(st.sampled_from(["", "2a9f1x"])),
        ),
        _entry("gone", decision="Take gone", affects=draw(places)),
        _entry("d2", decision="Take d2", affects=draw(places), supersedes="gone"),
        _entry(
            "refused", decision="Take none", affects=draw(places), status="rejected"
        ),
    )
    files[".cuedeck/attempts.jsonl"] = _rows(
        *(
            _entry(identity, on=draw(places), tried="x", failed="y")
            for identity in ENTRIES["attempt"]
        )
    )
    affects = json.dumps(draw(places))
    files[".cuedeck/assumptions.toml"] = (
        f'[[assumption]]\nid = "holds"\ntext = "It holds"\naffects = {affects}\n'
    )
    files[".cuedeck/MEMORY.md"] = "# MEMORY.md\n\n---\n\n" + "".join(
        f"- {_record(identity, draw(prose()), **more)}\n"
        for identity, more in (
            ("rec-one", {}),
            ("rec-old", {}),
            ("rec-new", {"supersedes": ["rec-old"]}),
            ("rec-secret", {"label": "secret"}),
        )
    )
    files[".cuedeck/experiences.jsonl"] = _rows(
        {"id": "xp1", "text": draw(prose())},
        {"id": "xp-secret", "text": draw(prose()), "sensitivity": "secret"},
    )
    used = draw(
        st.dictionaries(
            st.sampled_from(FILES),
            st.sampled_from(["read", "write", "both"]),
            min_size=1,
            max_size=3,
        )
    )
    working = {
        path: {"hash": "", "role": role, "timestamp": TIME}
        for path, role in used.items()
    }
    session = {
        "sessionId": "s1",
        "createdAt": TIME,
        "lastAccess": TIME,
        "workingSet": working,
        "status": "closed",
    }
    files[".cuedeck/sessions/s1.json"] = json.dumps(session)
    return files


@st.composite
def file_text(draw: st.DrawFn, path: str) -> str:
    found = draw(card_links if path == CARD else links)
    if path.endswith(".py"):
        comment = f"# cuedeck: refs {', '.join(found)}\n" if found else ""
        return f"{comment}\n\ndef first():\n    return 1\n"
    front = draw(st.booleans())
    rows = "".join(f"  - {address}\n" for address in found)
    head = (
        f"---\ntitle: Page {path[-5]}\nrefs:\n{rows}---\n"
        if front and rows
        else f"---\ntitle: Page {path[-5]}\n---\n"
    )
    body = "" if front else "".join(f"[[{address}]]\n\n" for address in found)
    return f"{head}\n{body}\n# Part\n\ntext\n\n# More\n\n{'' if not found else f'[[{found[0]}]]'}\n"


@st.composite
def prose(draw: st.DrawFn) -> str:
    return f"Remember {' and '.join(draw(places)) or 'nothing'} of it"


def _entry(identity: str, **fields: object) -> dict[str, object]:
    return {"id": identity, "timestamp": TIME, **fields}


def _record(identity: str, text: str, label: str = "public", **more: object) -> str:
    provenance = {"sourceChannel": "cli", "timestamp": TIME, "sensitivity": label}
    value = {
        "id": identity,
        "sessionId": "main",
        "category": "note",
        "text": text,
        "provenance": provenance,
    }
    return json.dumps({**value, **more})


def _rows(*values: Mapping[str, object]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


def write_workspace(root: str, files: Mapping[str, str]) -> Workspace:
    for path, text in files.items():
        place = os.path.join(root, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
    return open_workspace(root, {})


def linked_nodes(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the visits and the block entries, each with depth, via, edge and
    reason.
    """
    entries = [row for block in report["blocks"] for row in block["entries"]]
    return [*(row for row in report["visits"] if row["tier"] == "explicit"), *entries]


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(files=workspaces())
def test_all_views_of_the_graph_agree(files: Mapping[str, str]) -> None:
    with tempfile.TemporaryDirectory() as root:
        workspace = write_workspace(root, files)
        try:
            check_views(workspace)
        finally:
            workspace.close()


def check_views(workspace: Workspace) -> None:
    made = make_scene(workspace, Request())
    nodes = linked_nodes(made.report)
    addresses = [node["address"] for node in nodes]
    assert len(set(addresses)) == len(addresses), (
        "an entry is a visit or in a block, not both"
    )
    assert not set(RETIRED) & set(addresses)

    for row in made.report["visits"]:
        if row["tier"] == "explicit":
            assert f"`{row['address']}`" in made.text and row["why"] in made.text
            if row["view"] == "full":
                head = f"### `{row['address']}`\ndepth {row['depth']}, "
                assert head in made.text

    drawing = draw_scene(workspace)
    boxes = {box.address: box for box in drawing.boxes if box.state != "related"}
    left_out = {row["address"] for row in made.report["left_out"]}
    assert set(boxes) == {*addresses, *left_out}
    arrows = {(arrow.source, arrow.target): arrow.edge for arrow in drawing.arrows}
    for node in nodes:
        assert boxes[node["address"]].depth == node["depth"]
        if node["via"] is not None:
            one, other = node["via"], node["address"]
            assert (arrows.get((one, other)) or arrows.get((other, one))) == node[
                "edge"
            ]
        check_why(workspace, node)
    check_whole_graph(workspace, nodes)


def check_why(workspace: Workspace, node: Mapping[str, Any]) -> None:
    answer = why(workspace, node["address"])
    assert answer["in_scene"]
    chain: Sequence[Mapping[str, Any]] = answer["chain"]
    last = chain[-1]
    assert (last["address"], last["depth"], last["why"], last["edge"]) == (
        node["address"],
        node["depth"],
        node["why"],
        node["edge"],
    )
    assert [step["depth"] for step in chain] == list(range(len(chain)))
    assert node["via"] == (chain[-2]["address"] if len(chain) > 1 else None)


def check_whole_graph(workspace: Workspace, nodes: Sequence[Mapping[str, Any]]) -> None:
    """Check that every edge that led to a node is drawn in the graph of the workspace,
    between whole files and entries.
    """
    edges = {
        (arrow.source, arrow.target, arrow.edge)
        for arrow in draw_workspace(workspace, "none").arrows
    }
    for node in nodes:
        source, target = (
            whole_address(node["via"] or ""),
            whole_address(node["address"]),
        )
        is_successor = node["why"].startswith("it replaced ")
        if node["via"] and source != target and not is_successor:
            is_leaf = "tier" not in node
            assert (
                (target, source, node["edge"])
                if is_leaf
                else (source, target, node["edge"])
            ) in edges


def whole_address(address: str) -> str:
    return (
        address
        if address.startswith(tuple(f"{kind}:" for kind in ENTRY_KINDS))
        else address.partition("#")[0]
    )
