"""Verdicts of each kind of check on a workspace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.ledger.assumptions_toml import read_check
from cuedeck.model.assumption import SHAPES, Assumption, Verdict
from cuedeck.model.errors import Ambiguous, Invalid, NotFound
from cuedeck.parse.manifests import is_manifest
from cuedeck.work.assumptions.assumption_verdicts import (
    CHECKS,
    LARGEST_SEARCHED,
    LONGEST_LINE,
    judge,
)
from cuedeck.work.assumptions.check_sources import Passage, cut


class TextWorkspace:
    """A workspace of texts in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def exists(self, path: str) -> bool:
        return path in self.texts or any(
            each.startswith(f"{path}/") for each in self.texts
        )

    def read(self, path: str) -> str | None:
        if path.startswith("../"):
            raise Invalid(f"`{path}` is outside the workspace")
        return self.texts.get(path)

    def manifests(self) -> Sequence[str]:
        return sorted(filter(is_manifest, self.texts))

    def shown(self, path: str, line: int, words: str) -> str:
        assert (
            words.partition(" = ")[0].rpartition(".")[2]
            in self.texts[path].split("\n")[line - 1]
        )
        return cut(words)

    def passage(self, address: str) -> Passage:
        if address == "twice":
            raise Ambiguous(
                "`twice` matches several addresses", candidates=("a.md", "b.md")
            )
        path, _, anchor = address.partition("#")
        if path not in self.texts:
            raise NotFound(f"not found: `{address}`")
        lines = self.texts[path].split("\n")
        first = int(anchor or 1)
        return Passage(path, first, "\n".join(lines[first - 1 :]))


API = "import x\n\n@get('/a')\ndef a(): ...\n# GraphQL endpoint\n"
TEXTS = {
    "src/api.py": API,
    "package.json": '{"dependencies": {\n"react": "18"}}',
    "web/package.json": "{}",
    "config.toml": '[database]\nengine = "mysql"\n',
    ".env": "DATABASE_URL=\n",
    "docs/api.md": "# API\n\nIt  uses\n  **REST**, as\n\nmost do.\n",
    "wide.txt": "a" * LONGEST_LINE + "needle\nneedle `x`\n",
}


def verdict_of(check: Any, texts: Mapping[str, str] = TEXTS) -> Verdict:
    return judge(
        Assumption("a", "A", "", (), read_check(check), 1), TextWorkspace(texts)
    )


@pytest.mark.parametrize(
    ("check", "holds", "evidence", "where"),
    [
        ({"file_exists": "src/api.py"}, True, "Found `src/api.py`", "src/api.py"),
        ({"file_exists": "src"}, True, "Found `src`", "src"),
        ({"file_exists": "no.py"}, False, "Not found: `no.py`", "no.py"),
        ({"file_absent": "no.py"}, True, "Not found: `no.py`", ""),
        ({"file_absent": "src"}, False, "Found `src`", "src"),
        (
            {"contains": {"path": "src/api.py", "text": "def a"}},
            True, "Found `def a` (src/api.py:4)", "src/api.py:4",
        ),
        (
            {"contains": {"path": "src/api.py", "text": "\n@get"}},
            True, "Found `@get` (src/api.py:3)", "src/api.py:3",
        ),
        (
            {"contains": {"path": "src/api.py", "text": "def b"}},
            False, "Not found: `def b` in src/api.py", "src/api.py",
        ),
        ({"contains": {"path": "no.py", "text": "x"}}, False, "Not found: `no.py`", "no.py"),
        (
            {"contains": {"path": "src/api.py", "regex": r"^@(get|put)\b"}},
            True, "Found `@get` (src/api.py:3)", "src/api.py:3",
        ),
        (
            {"contains": {"path": "wide.txt", "regex": "needle.*"}},
            True, "Found `` needle `x` `` (wide.txt:2)", "wide.txt:2",
        ),
        (
            {"not_contains": {"path": "src/api.py", "regex": "(?i)graphql endpoint"}},
            False, "Found `GraphQL endpoint` (src/api.py:5)", "src/api.py:5",
        ),
        (
            {"not_contains": {"path": "src/api.py", "text": "SOAP"}},
            True, "Not found: `SOAP` in src/api.py", "src/api.py",
        ),
        ({"dependency": "react"}, True, "Found `react` (package.json:2)", "package.json:2"),
        ({"dependency": "vue"}, False, "Not found: `vue` in package.json, web/package.json", ""),
        (
            {"dependency": {"name": "react", "path": "web/package.json"}},
            False, "Not found: `react` in web/package.json", "web/package.json",
        ),
        (
            {"dependency": {"name": "react", "path": "go.mod"}},
            False, "Not found: `go.mod`", "go.mod",
        ),
        (
            {"config": {"path": "config.toml", "key": "database.engine", "equals": "postgresql"}},
            False, "Found `database.engine = mysql` (config.toml:2)", "config.toml:2",
        ),
        (
            {"config": {"path": "config.toml", "key": "database.engine", "equals": "mysql"}},
            True, "Found `database.engine = mysql` (config.toml:2)", "config.toml:2",
        ),
        (
            {"config": {"path": "config.toml", "key": "database.engine"}},
            True, "Found `database.engine` (config.toml:2)", "config.toml:2",
        ),
        (
            {"config": {"path": "config.toml", "key": "database.name"}},
            False, "Not found: `database.name` in config.toml", "config.toml",
        ),
        ({"config": {"path": "no.toml", "key": "a"}}, False, "Not found: `no.toml`", "no.toml"),
        ({"config": {"path": ".env", "key": "DATABASE_URL"}}, True, "Found `DATABASE_URL` (.env:1)", ".env:1"),
        ({"config": {"path": ".env", "key": "TOKEN"}}, False, "Not found: `TOKEN` in .env", ".env"),
        (
            {"doc_says": {"address": "docs/api.md", "text": "IT uses **rest**,\nas most do"}},
            True, "Found `IT uses **rest**, as most do` (docs/api.md:3)", "docs/api.md:3",
        ),
        (
            {"doc_says": {"address": "docs/api.md#5", "text": "most do."}},
            True, "Found `most do.` (docs/api.md:6)", "docs/api.md:6",
        ),
        (
            {"doc_says": {"address": "docs/api.md#5", "text": "REST"}},
            False, "Not found: `REST` in docs/api.md#5", "docs/api.md",
        ),
        ({"doc_says": {"address": "docs/no.md", "text": "x"}}, False, "Not found: `docs/no.md`", ""),
    ],
)  # fmt: skip
def test_each_kind_gives_its_evidence(
    check: Any, holds: bool, evidence: str, where: str
) -> None:
    found = verdict_of(check)
    assert (found.holds, found.evidence, found.where, found.fault) == (
        holds,
        evidence,
        where,
        "",
    )


@pytest.mark.parametrize(
    ("check", "fault"),
    [
        (
            {"contains": {"path": "../x", "text": "x"}},
            "`../x` is outside the workspace",
        ),
        ({"not_contains": {"path": "no.py", "text": "x"}}, "`no.py` does not exist"),
        (
            {"contains": {"path": ".env", "text": "DATABASE"}},
            "texts of `.env` are not read",
        ),
        (
            {"not_contains": {"path": ".env", "regex": "."}},
            "texts of `.env` are not read",
        ),
        (
            {"doc_says": {"address": ".env", "text": "x"}},
            "texts of `.env` are not read",
        ),
        (
            {"config": {"path": ".env", "key": "A", "equals": "b"}},
            "values of `.env` are not read",
        ),
        (
            {"config": {"path": "src/api.py", "key": "A"}},
            "`src/api.py` has no known format",
        ),
        (
            {"dependency": {"name": "x", "path": "src/api.py"}},
            "`src/api.py` names no dependencies",
        ),
        (
            {"doc_says": {"address": "twice", "text": "x"}},
            "`twice` matches several addresses: a.md, b.md",
        ),
        ({"contains": {"path": "huge", "regex": "x"}}, "`huge` is larger than 2 MB"),
        (
            {"config": {"path": "huge.json", "key": "x"}},
            "`huge.json` is larger than 2 MB",
        ),
    ],
)
def test_impossible_check_is_a_fault(check: Any, fault: str) -> None:
    huge = "a" * (LARGEST_SEARCHED + 1)
    verdict = verdict_of(check, {**TEXTS, "huge": huge, "huge.json": huge})
    assert (verdict.holds, verdict.evidence, verdict.fails) == (False, "", False)
    assert verdict.fault.startswith(fault)


def test_evidence_is_cut_to_one_line() -> None:
    verdict = verdict_of({"contains": {"path": "wide.txt", "regex": "a+"}})
    assert verdict.evidence == f"Found `{'a' * 79}…` (wide.txt:1)"


def test_expression_that_matches_the_empty_string_shows_its_line() -> None:
    assert verdict_of(
        {"not_contains": {"path": "src/api.py", "regex": "^"}}
    ).evidence == ("Found `import x` (src/api.py:1)")


def test_broken_project_file_matters_only_if_no_other_has_the_dependency() -> None:
    texts = {"Cargo.toml": "[", "package.json": '{"dependencies": {"react": "1"}}'}
    assert verdict_of({"dependency": "react"}, texts).holds
    assert (
        verdict_of({"dependency": "vue"}, texts).fault == "`Cargo.toml` cannot be read"
    )


@pytest.mark.parametrize(
    ("wanted", "holds", "evidence"),
    [
        (
            "werkzeug>=3",
            True,
            "Assumed `werkzeug >=3`; found `>=3.1` (pyproject.toml:2)",
        ),
        (
            "werkzeug<3",
            False,
            "Assumed `werkzeug <3`; found `>=3.1` (pyproject.toml:2)",
        ),
        ("click>=8", True, "Assumed `click >=8`; found `==8.1` (requirements.txt:1)"),
        ("click<8", False, "Assumed `click <8`; found `==8.1` (requirements.txt:1)"),
        (
            "pytest<8",
            True,
            "Assumed `pytest <8`; found `==7.4` (tests/requirements.txt:1)",
        ),
        (
            "pytest>=8",
            False,
            "Assumed `pytest >=8`; found `==7.4` (tests/requirements.txt:1)",
        ),
        ("rich>=1", False, "Assumed `rich >=1`; found no version (pyproject.toml:2)"),
    ],
)
def test_project_file_nearest_to_the_root_decides_versions(
    wanted: str, holds: bool, evidence: str
) -> None:
    texts = {
        "examples/pyproject.toml": '[project]\ndependencies = ["werkzeug<3", "click<8"]\n',
        "pyproject.toml": '[project]\ndependencies = ["werkzeug>=3.1", "click", "rich"]\n',
        "requirements-old.txt": "click<8\n",
        "requirements.txt": "click==8.1\n",
        "tests/requirements.txt": "pytest==7.4\n",
        "tests/old/requirements.txt": "pytest==9\nrich==1\n",
    }
    verdict = verdict_of({"dependency": wanted}, texts)
    assert (verdict.holds, verdict.evidence) == (holds, evidence)


def test_project_files_beyond_the_limit_are_counted() -> None:
    texts = {f"{name}/package.json": "{}" for name in "abcd"}
    assert (
        verdict_of({"dependency": "x"}, texts).evidence
        == "Not found: `x` in any of 4 project files"
    )
    assert (
        verdict_of({"dependency": "x"}, {}).evidence
        == "Not found: `x` in the project files (there are none)"
    )


def test_assumption_without_a_check_reads_nothing() -> None:
    assert judge(Assumption("a", "A", "", (), None, 1), TextWorkspace({})) == Verdict(
        True, "", ""
    )


def test_every_kind_that_can_be_written_is_checked() -> None:
    assert list(CHECKS) == list(SHAPES)


WORDS = st.lists(st.sampled_from(["a", "B", "ß", "c,"]), min_size=1, max_size=6)
GAPS = st.sampled_from([" ", "\n", "\n\n", "  \n\t"])


@given(WORDS, WORDS, WORDS, st.data())
def test_doc_says_ignores_whitespace_and_case(
    before: list[str], phrase: list[str], after: list[str], data: st.DataObject
) -> None:
    text = "".join(word + data.draw(GAPS) for word in [*before, *phrase, *after])
    verdict = verdict_of(
        {"doc_says": {"address": "d.md", "text": " ".join(phrase).upper()}},
        {"d.md": text},
    )
    assert verdict.holds
    line = text.split("\n")[verdict.line - 1]
    assert phrase[0].casefold() in line.casefold()
