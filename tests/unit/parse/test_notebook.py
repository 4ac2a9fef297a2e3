from __future__ import annotations

import json
from typing import Any

import pytest

from cuedeck.model.file import File
from cuedeck.parse.notebook import as_shown
from cuedeck.parse.parse_file import MAX_PARSED_BYTES, parse_file
from cuedeck.parse.text_decoding import Decoded, decode


def notebook(*cells: object, **fields: Any) -> bytes:
    return json.dumps(
        {"nbformat": 4, "metadata": {}, "cells": cells, **fields}
    ).encode()


def markdown(source: object) -> dict[str, object]:
    return {"cell_type": "markdown", "source": source}


def code(source: object, **fields: object) -> dict[str, object]:
    return {"cell_type": "code", "source": source, "outputs": [], **fields}


def shown(data: bytes) -> Decoded:
    return as_shown("a.ipynb", decode(data))


def read(data: bytes) -> File:
    return parse_file("a.ipynb", data)


def kernel(language: str) -> dict[str, object]:
    return {"metadata": {"kernelspec": {"language": language}}}


def test_the_text_is_that_of_the_cells_without_outputs() -> None:
    output = {"output_type": "stream", "text": ["printed\n"]}
    found = shown(
        notebook(
            markdown(["# Title\n", "\n", "text"]),
            code("x = 1\n\ny = 2\n", outputs=[output]),
            code(""),
            {"cell_type": "raw", "source": "raw"},
            markdown("end"),
        )
    )
    assert found.text == (
        "# Title\n\ntext\n\n```python\nx = 1\n\ny = 2\n```\n\n```\nraw\n```\n\nend\n"
    )


@pytest.mark.parametrize(
    ("language", "source", "wanted"),
    [
        ("python", "x", "```python"), ("C++17", "x", "```cpp"), ("R", "x", "```r"), ("bad `name`\n", "x", "```"),
        ("python", "%%bash\nls", "```bash"), ("python", "%%time\nx", "```python"),
        ("python", '"""\n```\n"""', "````python"),
    ],
)  # fmt: skip
def test_code_is_in_a_fence_with_the_language_of_its_kernel(
    language: str, source: str, wanted: str
) -> None:
    rows = shown(notebook(code(source), **kernel(language))).text.split("\n")
    assert rows[0] == wanted
    assert rows[-2] == wanted.rstrip("abcdefghijklmnopqrstuvwxyz")


def test_a_code_block_that_a_markdown_cell_leaves_open_ends_with_the_cell() -> None:
    file = read(notebook(markdown("~~~\nopen"), markdown("## After\n\n[[b]]")))
    assert [(each.title, each.start) for each in file.sections] == [("After", 5)]
    assert [each.ref for each in file.links] == ["b"]


def test_links_headings_and_definitions_have_the_lines_of_the_text() -> None:
    file = read(
        notebook(
            markdown("# Churn\n\nSee [data](../data.md) and [[plan]]."),
            code(
                "%matplotlib inline\nimport sys\n\nclass Model:\n    def fit(self):\n        pass"
            ),
            code("%%bash\nls [[not_a_link]]"),
            code("def score(model):\n    return !ls"),
        )
    )
    assert (file.kind, file.title) == ("doc", "Churn")
    assert [(each.ref, each.line) for each in file.links] == [
        ("../data.md", 3),
        ("plan", 3),
    ]
    assert [(each.name, each.start, each.end) for each in file.symbols] == [
        ("Model", 9, 11),
        ("Model.fit", 10, 11),
        ("score", 20, 21),
    ]
    assert [each.spec for each in file.imports] == ["sys"]


def test_front_matter_in_the_first_cell_counts() -> None:
    raw = {"cell_type": "raw", "source": "---\ntitle: T\nrefs: [a.py]\n---"}
    file = read(notebook(raw, markdown("text")))
    assert (file.title, [each.ref for each in file.links]) == ("T", ["a.py"])


def test_an_older_notebook_has_cells_in_worksheets() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Old"]},
        {
            "cell_type": "code",
            "language": "python",
            "input": ["def fit():\n", "    pass"],
        },
    ]
    file = read(json.dumps({"nbformat": 3, "worksheets": [{"cells": cells}]}).encode())
    assert [each.title for each in file.sections] == ["Old"]
    assert [each.name for each in file.symbols] == ["fit"]
    assert file.diagnostics == ()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells": [\n}', "the notebook is not valid JSON (line 2: Expecting value)"),
        (b"# [[gone]]\n", "the notebook is not valid JSON (line 1: Expecting value)"),
        (b"[1]", "the notebook has no list of `cells`"), (b'{"cells": 1}', "the notebook has no list of `cells`"),
        (b"[" * 100_000, "the JSON of the notebook is nested too deeply"),
        (b'{"a": %s}' % (b"9" * 5_000), "the notebook has a number with too many digits"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_notebook_is_plain_text(data: bytes, message: str) -> None:
    file = read(data)
    assert [(each.code, each.message) for each in file.diagnostics] == [
        ("notebook", message)
    ]
    assert (file.kind, file.links) == ("doc", ())
    assert shown(data).text == data.decode()


@pytest.mark.parametrize("data", [b"", b"\n", notebook()])
def test_an_empty_notebook_has_no_finding(data: bytes) -> None:
    assert read(data).diagnostics == ()


def test_cells_of_any_shape_are_read() -> None:
    odd = [None, 3, {}, {"cell_type": "code"}, {"cell_type": 1, "source": {"a": 1}}]
    text = shown(notebook(*odd, markdown(["a\ud800b\n", None, "c\0d"]))).text
    assert text == "a?b\nc\ufffdd\n"


def test_long_outputs_do_not_hide_the_cells() -> None:
    data = notebook(code("def fit():\n    pass", outputs=["A" * MAX_PARSED_BYTES]))
    assert [each.name for each in read(data).symbols] == ["fit"]
