"""Layers of files that are neither Markdown nor source code."""

from __future__ import annotations

import json

import pytest
from layer_tree import Layered

SECRET = "AKIA" + "IOSFODNN7EXAMPLF"


def abstract(layered: Layered, name: str, text: str) -> str:
    layered.write(f"resources/data/{name}", text)
    found: str = layered.read(f"cortex://resources/data/{name}", "L0")["text"]
    return found


def test_headings_of_restructured_text_are_headings(layered: Layered) -> None:
    text = (
        "=====\nGuide\n=====\n\n.. image:: a.png\n   :alt: b\n\n"
        "The guide explains ``run`` in detail.\n\n"
        "Install\n-------\n\nText.\n\nUse\n---\n\nText.\n"
    )
    assert abstract(layered, "guide.rst", text) == (
        "Guide — The guide explains `run` in detail.\nSections: Install; Use\n"
    )


def test_a_notebook_is_described_by_its_markdown(layered: Layered) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Sales\n", "\n", "Sales of 2026.\n"]},
        {"cell_type": "code", "source": ["print(1)\n"], "outputs": []},
        {"cell_type": "markdown", "source": "## By month\n\n## By region\n"},
    ]
    assert abstract(layered, "sales.ipynb", json.dumps({"cells": cells})) == (
        "Sales — Sales of 2026.\nSections: By month; By region\n"
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "title = 'x'\n[owner]\nname = 'y'\n[tool.z]\na = 1\n"),
        ("a.json", '{"title": 1, "owner": {"name": 2}, "tool": []}'),
        ("a.yaml", "title: x\nowner:\n  name: y\ntool: []\n"),
    ],
)
def test_a_data_file_lists_its_top_level_keys(
    layered: Layered, name: str, text: str
) -> None:
    assert (
        abstract(layered, name, text)
        == f"data/{name}\nKeys: title, owner, tool\n"[len("data/") :]
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.toml", "[project]\nname = 'zoo'\ndescription = 'Feeds  animals.'\n"),
        ("b.toml", "[tool.poetry]\nname = 'zoo'\ndescription = 'Feeds animals.'\n"),
        ("package.json", '{"name": "zoo", "description": "Feeds animals."}'),
        ("mkdocs.yml", "site_name: zoo\nsite_description: Feeds animals.\n"),
        ("api.yaml", "info:\n  title: zoo\n  description: Feeds animals.\n"),
    ],
)
def test_a_manifest_begins_with_its_description(
    layered: Layered, name: str, text: str
) -> None:
    first = abstract(layered, name, text).split("\n")[0]
    assert first == f"{name} — zoo: Feeds animals."


def test_the_usage_below_a_doc_is_not_its_first_sentence(layered: Layered) -> None:
    text = '"""Write the tables.\n\n    python write.py\n"""\n\nA = 1\n'
    assert abstract(layered, "write.py", text).startswith(
        "write.py — Write the tables.\n"
    )


def test_a_script_without_a_comment_shows_its_commands(layered: Layered) -> None:
    text = "#!/bin/sh -e\n\nruff check zoo\n"
    assert abstract(layered, "check", text) == "check\n#!/bin/sh -e ruff check zoo\n"


@pytest.mark.parametrize("name", ["a.json", "a.toml", "a.yaml", "a.ipynb", "a.rst"])
@pytest.mark.parametrize("text", ["{", "[" * 5_000, '{"cells": 5}', "=\n=\n", "- a"])
def test_damaged_files_have_layers(layered: Layered, name: str, text: str) -> None:
    assert abstract(layered, name, text)


def test_secrets_in_keys_are_masked(layered: Layered) -> None:
    assert SECRET not in abstract(layered, "a.json", json.dumps({SECRET: 1}))
