"""Fixtures of the tests of layers: a small cortex tree."""

from __future__ import annotations

import pytest
from layer_tree import LONG, Layered
from sandbox import Sandbox


@pytest.fixture
def layered(sandbox: Sandbox) -> Layered:
    found = Layered(sandbox)
    found.write(
        "user/ana/preferences/editor.md",
        "---\ntype: preference\nkey: editor\n---\nAna uses Vim.\n",
    )
    found.write("resources/guide/intro.md", f"# Intro\n\nThe guide.\n\n{LONG}\n")
    found.write("resources/guide/tools/run.py", '"""Run it."""\n\n\ndef go(): ...\n')
    found.say("09_15_00_1a2b3c4d", "We decided to use SQLite. It is fast.")
    found.say("09_16_00_2a2b3c4d", "Agreed. The index stays in one file.", "assistant")
    return found
