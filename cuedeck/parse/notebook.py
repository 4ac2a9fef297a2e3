"""Jupyter notebooks as Markdown: the text of the cells, without outputs.

A Markdown cell is its own text; code is in a fence with its language. One blank line
is between two cells. `Decoded.cells` has the lines of each cell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from cuedeck.model.formatting import replace_surrogates
from cuedeck.model.paths import is_notebook
from cuedeck.model.ports import JsonView
from cuedeck.parse.text_decoding import Cell, Decoded, decode
from cuedeck.text.plain_text import string_of

_DEFAULT_LANGUAGE = "python"
_LANGUAGES = {"c++": "cpp", "c#": "csharp", "ipython": "python", "sh": "bash"}
"""Names of kernels for languages that have another name here."""
# Patterns are compiled at first use: few workspaces have a notebook.
_VERSION = r"[\d.]+$"
_INFO_STRING = r"[a-z0-9+#-]{1,30}"
_CELL_MAGIC = r"%%(\w+)"
_MAGICS = {
    "bash": "bash",
    "html": "html",
    "javascript": "javascript",
    "js": "javascript",
    "latex": "latex",
    "markdown": "markdown",
    "perl": "perl",
    "r": "r",
    "ruby": "ruby",
    "sh": "bash",
    "sql": "sql",
    "svg": "svg",
}
"""Languages of code cells that begin with a magic such as `%%bash`; other magics, for
example `%%time`, do not change the language.
"""
_FENCE = r" {0,3}(`{3,}|~{3,})(.*)"


def decode_file(path: str, data: bytes) -> Decoded:
    """Decode a file of the workspace, as it is shown."""
    return as_shown(path, decode(data))


def as_shown(path: str, decoded: Decoded) -> Decoded:
    """Return the text of a file as it is shown everywhere: of a notebook that of its
    cells, of any other file the text itself.

    A file that is not a valid notebook has its own text, and a `fault`.
    """
    if not is_notebook(path) or not decoded.text.strip():
        return decoded
    try:
        notebook = json.loads(decoded.text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}: {error.msg}"
        return decoded._replace(fault=f"the notebook is not valid JSON ({place})")
    except ValueError:
        return decoded._replace(fault="the notebook has a number with too many digits")
    except RecursionError:
        return decoded._replace(fault="the JSON of the notebook is nested too deeply")
    found = _cells(notebook)
    if found is None:
        return decoded._replace(fault="the notebook has no list of `cells`")
    metadata = _table(notebook, "metadata")
    kernel = _table(metadata, "kernelspec")
    language = string_of(kernel.get("language"))
    language = language or string_of(_table(metadata, "language_info").get("name"))
    info = _info_string(language) if language else _DEFAULT_LANGUAGE
    rows, cells = _lay_out(found, info)
    text = replace_surrogates("".join(f"{row}\n" for row in rows)).replace(
        "\0", "\ufffd"
    )
    shown = decode(text.encode())
    return shown._replace(
        encoding=decoded.encoding, newline=decoded.newline, bom=decoded.bom, cells=cells
    )


def _cells(notebook: Any) -> list[JsonView] | None:
    """Return the cells of a notebook, of format 3 from all its worksheets; None if it
    has no list of cells.
    """
    if not isinstance(notebook, dict):
        return None
    lists = [notebook.get("cells")]
    sheets = notebook.get("worksheets")
    if lists == [None] and isinstance(sheets, list):
        lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
    found: list[JsonView] = []
    for cells in lists:
        if not isinstance(cells, list):
            return None
        found += [cell if isinstance(cell, dict) else {} for cell in cells]
    return found


def _table(table: JsonView, key: str) -> JsonView:
    value = table.get(key)
    return value if isinstance(value, dict) else {}


def _info_string(language: str) -> str:
    name = language.strip().lower()
    name = re.sub(_VERSION, "", name)
    name = _LANGUAGES.get(name, name)
    return name if re.fullmatch(_INFO_STRING, name) else ""


def _lay_out(
    cells: Sequence[JsonView], language: str
) -> tuple[list[str], tuple[Cell, ...]]:
    rows: list[str] = []
    placed: list[Cell] = []
    for cell in cells:
        source = list(_source(cell))
        opening, closing, own = _marks(cell, source, language, is_first=not rows)
        if not source:
            opening = closing = ()
        elif rows:
            rows.append("")
        rows += opening
        placed.append(Cell(len(rows) + 1, len(rows) + len(source), own))
        rows += source
        rows += closing
    return rows, tuple(placed)


def _source(cell: JsonView) -> Iterator[str]:
    source = cell.get("source", cell.get("input"))
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text:
        return
    level = cell.get("level")
    mark = ""
    if cell.get("cell_type") == "heading" and isinstance(level, int):
        mark = "#" * min(max(level, 1), 6) + " "
    for row in text.removesuffix("\n").split("\n"):
        yield mark + row


def _marks(
    cell: JsonView, source: Sequence[str], language: str, *, is_first: bool
) -> tuple[Sequence[str], Sequence[str], str]:
    kind = cell.get("cell_type")
    is_front_matter = is_first and source[:1] == ["---"]
    if kind in ("markdown", "heading") or (kind == "raw" and is_front_matter):
        open_fence = _open_fence(source)
        return (), ((open_fence,) if open_fence else ()), ""
    if kind == "raw":
        language = ""
    elif source:
        magic = re.match(_CELL_MAGIC, source[0])
        language = _MAGICS.get(magic[1].lower(), language) if magic else language
    marks = "`" * max(3, 1 + _longest_run(source))
    return (f"{marks}{language}",), (marks,), language


def _open_fence(rows: Sequence[str]) -> str:
    """Return the mark that ends a code block which a Markdown cell leaves open; it ends
    with the cell.
    """
    fence = ""
    for row in rows:
        match = re.match(_FENCE, row)
        if match is None:
            continue
        mark, rest = match.groups()
        if not fence:
            fence = mark if mark[0] == "~" or "`" not in rest else ""
        elif mark.startswith(fence) and not rest.strip():
            fence = ""
    return fence


def _longest_run(rows: Sequence[str]) -> int:
    return max((len(run) for row in rows for run in re.findall("`+", row)), default=0)
