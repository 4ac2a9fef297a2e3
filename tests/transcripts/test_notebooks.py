"""Transcripts of commands on a notebook: its cells are the text, cited by cell."""

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
        "cell 1:1│# Churn\n"
        "cell 1:2│\n"
        "cell 1:3│See [data](../src/load.py) and [[gone]].\n"
        "cell 1│\n"
        "cell 2│```python\n"
        "cell 2:1│from src.load import rows\n"
    ) in scene
    assert "cell 4:1│token = '<secret:github-token:1>'\n" in scene
    assert f"- `{BOOK}` cell 1:1-cell 4:2: named in the refs of" in scene
    assert f"reached by the link on cell 1:3 of {BOOK}" in scene
    assert f"- unresolved: `gone` (missing) on cell 1:3 of {BOOK}" in scene
    assert "walrus" not in scene
    assert "evaluate_zebra (all" not in scene  # no line is listed twice


@pytest.mark.parametrize(
    ("address", "canonical", "text"),
    [
        (f"{BOOK}#cell 3", f"{BOOK}#cell 3:1-3", "cell 3:1│## Threshold\ncell 3:2│\n"),
        (
            f"{BOOK}:cell 2:3",
            f"{BOOK}#cell 2:3",
            "cell 2:3│def evaluate_zebra(model):\n",
        ),
        (f"{BOOK}#L9", f"{BOOK}#cell 2:4", "cell 2:4│    return model\n"),
        (f"{BOOK}#evaluate_zebra", f"{BOOK}#evaluate_zebra", "cell 2:3│def "),
        ("[[churn.ipynb#Threshold]]", f"{BOOK}#Threshold", "cell 3:1│## Threshold\n"),
    ],
)
def test_read_accepts_each_printed_place(
    lab: Sandbox, address: str, canonical: str, text: str
) -> None:
    answer = lab.answer("read", address, "--numbers")
    assert answer["address"] == canonical
    assert answer["text"].startswith(text)


def test_find_recall_doctor_and_why_cite_the_cell(lab: Sandbox) -> None:
    found = lab.run("find", "evaluate_zebra").out
    assert f"{BOOK}#evaluate_zebra  symbol  cell 2:3-4" in found
    assert f"\n{BOOK}:cell 2:3: def evaluate_zebra(model):\n" in found
    assert f"\n{BOOK}:cell 4:2: evaluate_zebra(1)\n" in found
    recalled = lab.run("recall", "zebra threshold").out
    assert f"{BOOK}#cell 3:3 doc: The zebra threshold is 0.37.\n" in recalled
    assert "walrus" not in lab.run("recall", "walrus").out
    findings = lab.run("doctor", "--all").out
    assert f"{BOOK}:cell 1:3  `gone` has no target" in findings
    lab.write("logo.png", b"\x89PNG\0\0")
    other = {"cell_type": "markdown", "source": "text\n[logo](../logo.png)"}
    lab.write("nbs/other.ipynb", json.dumps({"cells": [other]}))
    links = lab.run("why", "logo.png").out
    assert "linked from nbs/other.ipynb:cell 1:2 as ../logo.png" in links


def test_json_has_the_line_of_the_text_and_the_cell(lab: Sandbox) -> None:
    answer = lab.answer("find", "evaluate_zebra")
    rows = [(row["line"], row.get("cell")) for row in answer["occurrences"]]
    assert rows == [(8, "cell 2:3"), (18, "cell 4:2")]
    assert answer["hits"][0]["cells"] == "cell 2:3-4"


def test_a_notebook_that_is_no_json_is_plain_text_with_a_finding(lab: Sandbox) -> None:
    lab.write(BOOK, '{"cells": [\n<<<<<<< HEAD\n')
    assert "2│<<<<<<< HEAD\n" in lab.run("scene", "--print").out
    found = lab.run("doctor", "--all").out
    assert "the notebook is not valid JSON (line 2: Expecting value)" in found
