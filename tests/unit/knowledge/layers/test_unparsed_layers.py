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


def test_titles_and_directives_in_a_module_doc_are_left_out(layered: Layered) -> None:
    text = (
        '"""\nTagged JSON\n~~~~~~~~~~~\n\nSerialize any value.\n\n'
        ".. autoclass:: Tag\n    :members:\n\nIt can be extended.\n"
        '"""\n\n\nclass Tag:\n    pass\n'
    )
    assert abstract(layered, "tag.py", text) == (
        "tag.py — Serialize any value.\nDefines: Tag\n"
    )


def test_a_module_doc_of_a_title_alone_is_kept(layered: Layered) -> None:
    text = '"""\nTagged JSON\n~~~~~~~~~~~\n"""\n\n\nclass Tag:\n    pass\n'
    assert abstract(layered, "tag.py", text) == "tag.py — Tagged JSON\nDefines: Tag\n"


@pytest.mark.parametrize(
    ("name", "text", "wanted"),
    [
        (
            "feed.test.ts",
            (
                "import { a } from 'a'\n"
                "import type {\n  B,\n} from '../b'\nimport './c.css'\n\n"
                "describe('feeding', () => {\n  it('feeds', () => {})\n})\n"
            ),
            "feed.test.ts\ndescribe('feeding', () => { it('feeds', () => {}) })\n",
        ),
        (
            "run.py",
            "from zoo import (\n    feed,\n)\nimport os\n\nfeed(os.environ['x'])\n",
            "run.py\nfeed(os.environ['x'])\n",
        ),
        ("all.py", "from zoo import feed\n", "all.py\nfrom zoo import feed\n"),
    ],
)
def test_imports_are_no_part_of_the_first_lines(
    layered: Layered, name: str, text: str, wanted: str
) -> None:
    assert abstract(layered, name, text) == wanted


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


MIT = (
    "Copyright (c) 2026 [Ana](https://ana.example)\n\nPermission is hereby granted, "
    "free of charge, to any person obtaining a copy of this software.\n"
)


def test_the_notice_of_a_licence_does_not_describe_a_source(layered: Layered) -> None:
    notice = (
        "// Copyright 2013-2026 The Zoo Authors\n//\n"
        '// Licensed under the Apache License, Version 2.0 (the "License");\n'
        "// You may obtain a copy of the License at\n//\n"
        "//      http://www.apache.org/licenses/LICENSE-2.0\n//\n"
        "// Unless required by applicable law or agreed to in writing, software\n"
        "// is distributed WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND.\n\n"
    )
    code = "package zoo\n\nfunc Feed() {}\n"
    assert abstract(
        layered, "a.go", f"{notice}// Package zoo feeds animals.\n{code}"
    ) == ("a.go — Package zoo feeds animals.\nDefines: Feed\n")
    assert abstract(layered, "b.go", notice + code) == "b.go\nDefines: Feed\n"


def test_the_usage_below_a_doc_is_not_its_first_sentence(layered: Layered) -> None:
    text = '"""Write the tables.\n\n    python write.py\n"""\n\nA = 1\n'
    assert abstract(layered, "write.py", text).startswith(
        "write.py — Write the tables.\n"
    )


def test_a_script_without_a_comment_shows_its_commands(layered: Layered) -> None:
    text = "#!/bin/sh -e\n\nruff check zoo\n"
    assert abstract(layered, "check", text) == "check\nruff check zoo\n"


def test_a_heading_after_the_lead_is_not_the_title(layered: Layered) -> None:
    text = (
        "<p>logo</p>\n\nZoo feeds animals every day of the week.\n\n## Features\n\nx\n"
    )
    assert abstract(layered, "README.md", text) == (
        "README — Zoo feeds animals every day of the week.\nSections: Features\n"
    )


def test_a_change_log_shows_its_newest_entries(layered: Layered) -> None:
    text = "# Changelog\n\nAll notable changes.\n\n" + "".join(
        f"## 1.{minor}\n\n- Entry {minor} about the animal number {minor}.\n\n"
        for minor in range(60, 0, -1)
    )
    found = abstract(layered, "CHANGELOG.md", text)
    assert found.startswith("Changelog\nSections: 1.60; 1.59;")
    assert "\nNewest: Entry 60 about the animal number 60.; Entry 59" in found


def test_minified_and_generated_texts_state_their_size(layered: Layered) -> None:
    code = "function a(b){return b}" * 100
    assert abstract(layered, "a.min.js", code) == (
        "a.min.js — minified text: 1 line, 2,300 bytes\n"
    )
    data = json.dumps({"rows": list(range(1_000)), "total": 5})
    assert abstract(layered, "rows.json", data) == (
        f"rows.json — minified text: 1 line, {len(data):,} bytes\nKeys: rows, total\n"
    )
    marked = "# Code generated by x. DO NOT EDIT.\nvalue = 1\n"
    assert abstract(layered, "made.py", marked).startswith(
        "made.py — generated text: 3 lines, 46 bytes"
    )


def test_a_text_that_is_read_in_part_has_no_exact_size(layered: Layered) -> None:
    assert abstract(layered, "a.min.js", "a=b;" * 300_000) == (
        "a.min.js — minified text: more than 1,000,000 characters\n"
    )


@pytest.mark.parametrize("name", ["a.json", "a.toml", "a.yaml", "a.ipynb", "a.rst"])
@pytest.mark.parametrize("text", ["{", "[" * 5_000, '{"cells": 5}', "=\n=\n", "- a"])
def test_damaged_files_have_layers(layered: Layered, name: str, text: str) -> None:
    assert abstract(layered, name, text)


def test_secrets_in_keys_are_masked(layered: Layered) -> None:
    assert SECRET not in abstract(layered, "a.json", json.dumps({SECRET: 1}))
