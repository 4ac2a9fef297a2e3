"""Findings about the cortex tree."""

from __future__ import annotations

import os

import pytest
from sandbox import Sandbox

from cuedeck.doctor.examine import examine
from cuedeck.knowledge.cortex.add_message import NewMessage, add_message
from cuedeck.knowledge.layers.build_layers import build_layers

CORTEX = ".cuedeck/cortex"


def findings_of(sandbox: Sandbox) -> dict[str, str]:
    """Return the codes of the findings about the tree, by path."""
    report = examine(sandbox.workspace())
    found = {}
    for each in report.findings:
        if each.path.startswith(CORTEX):
            assert each.hint
            found[each.path.removeprefix(f"{CORTEX}/")] = each.code
    return found


@pytest.mark.parametrize(("path", "code"), [("notes/a.md", "cortex-stray"), ("a.md", "cortex-stray"),
    ("user/ana/moods/a.md", "cortex-stray"), ("user/ana/preferences/a .md ", "cortex-stray"),
    ("session/s1/a.md", "cortex-stray"), ("session/s1/timeline/2026-11/22/notes.md", "cortex-stray"),
    ("session/s1/timeline/2026-11/22/09_15_00_1a2b3c4d.md", "bad-message"),
    ("session/s1/.session.json", "bad-metadata"), ("resources/guide/.abstract.md", "foreign-layer"),
    ("resources/guide/.layers/long.md.l1.md", "foreign-layer")])  # fmt: skip
def test_a_wrong_file_is_reported(sandbox: Sandbox, path: str, code: str) -> None:
    sandbox.write(f"{CORTEX}/resources/guide/long.md", "Long words. " * 2_000)
    build_layers(sandbox.workspace())
    sandbox.write(f"{CORTEX}/{path}", "some text\n")
    found = findings_of(sandbox)
    shown = [each for each in found if path.startswith(each)]
    assert [found[each] for each in shown] == [code]
    assert len(found) == 1


def test_a_layer_cut_in_half_is_reported(sandbox: Sandbox) -> None:
    sandbox.write(f"{CORTEX}/resources/guide/intro.md", "# Intro\n")
    build_layers(sandbox.workspace())
    place = sandbox.root / CORTEX / "resources/guide/.overview.md"
    place.write_bytes(place.read_bytes()[:40])
    assert findings_of(sandbox) == {"resources/guide/.overview.md": "foreign-layer"}


def test_a_link_is_reported_and_not_followed(sandbox: Sandbox) -> None:
    sandbox.write("outside/a.md", "private\n")
    folder = sandbox.root / CORTEX / "resources"
    folder.mkdir(parents=True)
    os.symlink(sandbox.root / "outside", folder / "guide")
    assert findings_of(sandbox) == {"resources/guide": "cortex-stray"}


def test_metadata_of_another_session_are_reported(sandbox: Sandbox) -> None:
    add_message(sandbox.workspace(), NewMessage("Hello."), "s1")
    root = sandbox.root / CORTEX / "session"
    os.rename(root / "s1", root / "s2")
    assert findings_of(sandbox) == {"session/s2/.session.json": "bad-metadata"}
