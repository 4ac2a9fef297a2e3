"""Transcripts of commands on a notebook: its cells are the text."""

from __future__ import annotations

import json

import pytest
from sandbox import Sandbox

TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xYz"
CELLS = [
    {
        "cell_type": "markdown",
        "source": ["# Churn\n", "\n", "See [data](../src/load.py) and [[gone]].\n"],
    },
    {
        "cell_type": "code",
        "source": "from src.load import rows\n\ndef evaluate_zebra(model):\n    return model",
        "outputs": [{"text": ["a walrus in the output"]}],
    },
    {"cell_type": "markdown", "source": "## Threshold\n\nThe zebra threshold is 0.37."},
    {"cell_type": "code", "source": f"token = '{TOKEN}'\nevaluate_zebra(1)"},
]
BOOK = "nbs/churn.ipynb"


@pytest.fixture
def lab(sandbox: Sandbox) -> Sandbox:
    sandbox.card("aaaaaa", f"refs: [{BOOK}]")
    sandbox.activate("aaaaaa")
    sandbox.write(BOOK, json.dumps({"nbformat": 4, "metadata": {}, "cells": CELLS}))
    sandbox.write("src/load.py", "def rows():\n    return []\n")
    sandbox.write("plan.md", "# Plan\n\n[[churn.ipynb#Threshold]]\n")
    return sandbox


def test_a_scene_shows_the_cells_of_a_notebook(lab: Sandbox) -> None:
    scene = lab.run("scene", "--print").out
    assert (
        "````markdown\n"
        "1│# Churn\n"
        "2│\n"
        "3│See [data](../src/load.py) and [[gone]].\n"
        "4│\n"
        "5│```python\n"
        "6│from src.load import rows\n"
    ) in scene
    assert "17│token = '<secret:github-token:1>'\n" in scene
    assert f"- `{BOOK}` 1-19: named in the refs of" in scene
    assert f"reached by the link on line 3 of {BOOK}" in scene
    assert "walrus" not in scene
    assert "evaluate_zebra (all" not in scene  # no line is listed twice


def test_headings_and_definitions_of_a_notebook_are_anchors(lab: Sandbox) -> None:
    for name, line in (("evaluate_zebra", "8│def "), ("Threshold", "12│## Threshold")):
        answer = lab.answer("read", f"[[churn.ipynb#{name}]]", "--numbers")
        assert answer["address"] == f"{BOOK}#{name}"
        assert answer["text"].startswith(line)


def test_outputs_of_a_notebook_are_not_found(lab: Sandbox) -> None:
    recalled = lab.run("recall", "zebra threshold").out
    assert f"{BOOK}#L14 doc: The zebra threshold is 0.37.\n" in recalled
    assert "walrus" not in lab.run("recall", "walrus").out


def test_a_notebook_that_is_no_json_is_plain_text_with_a_finding(lab: Sandbox) -> None:
    lab.write(BOOK, '{"cells": [\n<<<<<<< HEAD\n')
    assert "2│<<<<<<< HEAD\n" in lab.run("scene", "--print").out
    found = lab.run("doctor", "--all").out
    assert "the notebook is not valid JSON (line 2: Expecting value)" in found
