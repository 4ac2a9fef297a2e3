"""Signals from imports and file names."""

from __future__ import annotations

import pytest
from memory import CARD, card, ranking_context

from cuedeck.context.ranking.signal_scores import SignalScores
from cuedeck.context.ranking.structure_signals import by_imports, by_stem


def import_scores(*refs: str, **files: str) -> SignalScores:
    return by_imports(ranking_context({CARD: card(*refs), **files}))


def ranked_paths(found: SignalScores) -> list[str]:
    return sorted(found.scores, key=lambda path: (-found.scores[path], path))


def test_test_and_page_named_like_a_source_are_ranked() -> None:
    files = {
        "src/token.py": "",
        "tests/test_token.py": "",
        "docs/token.md": "",
        "src/other.py": "",
    }
    found = by_stem(ranking_context({CARD: card("src/token.py"), **files}))
    assert set(ranked_paths(found)) == {"tests/test_token.py", "docs/token.md"}
    assert found.why("docs/token.md") == "named like `token.py`"


def test_partly_equal_name_scores_lower_than_an_equal_one() -> None:
    files = {
        "src/token_store.py": "",
        "tests/test_token_store.py": "",
        "src/token_form.py": "",
        "src/other.py": "",
    }
    found = by_stem(ranking_context({CARD: card("src/token_store.py"), **files}))
    assert ranked_paths(found) == ["tests/test_token_store.py", "src/token_form.py"]


def test_nearest_of_several_equal_names_comes_first() -> None:
    files = {"a/b/token.py": "", "a/b/test_token.py": "", "z/token.md": ""}
    found = by_stem(ranking_context({CARD: card("a/b/token.py"), **files}))
    assert ranked_paths(found) == ["a/b/test_token.py", "z/token.md"]


PYTHON = {
    "shop/__init__.py": "",
    "shop/a.py": "from shop import b\n",
    "shop/b.py": "from shop import c\n\nx = 1\n",
    "shop/c.py": "y = 2\n",
    "shop/d.py": "z = 3\n",
}


def test_imported_and_importing_files_are_ranked() -> None:
    found = import_scores("shop/b.py", **PYTHON)
    assert set(ranked_paths(found)[:2]) == {"shop/a.py", "shop/c.py"}
    assert found.why("shop/a.py") == "imports `b.py`"
    assert found.why("shop/c.py") == "imported by `b.py`"
    assert "shop/d.py" not in found.scores


def test_two_steps_of_imports_score_lower_than_one() -> None:
    found = import_scores("shop/a.py", **PYTHON)
    assert found.scores["shop/b.py"] > found.scores["shop/c.py"] > 0
    assert found.why("shop/c.py") == "two imports from `a.py`"


def test_one_of_many_imports_scores_lower() -> None:
    names = [f"m{at}" for at in range(20)]
    many = {f"shop/{name}.py": "x = 1\n" for name in names}
    found = import_scores(
        "shop/a.py",
        **{
            **PYTHON,
            **many,
            "shop/all.py": f"from shop import a, {', '.join(names)}\n",
        },
    )
    assert found.why("shop/all.py") == "imports `a.py`"
    assert found.scores["shop/b.py"] > found.scores["shop/all.py"]


@pytest.mark.parametrize(
    ("files", "source", "other"),
    [
        (
            {
                "Cargo.toml": '[package]\nname = "shop"\n[lib]\nname = "till"\npath = "lib/entry.rs"\n',
                "lib/entry.rs": "pub struct Cart;\n",
                "tests/buying.rs": "use till::Cart;\n",
            },
            "lib/entry.rs",
            "tests/buying.rs",
        ),
        (
            {
                "tsconfig.json": '{"compilerOptions": {"paths": {"@shop/*": ["packages/*/src"]}}}',
                "packages/web/src/index.ts": "export const a = 1;\n",
                "apps/till/main.ts": 'import { a } from "@shop/web";\n',
            },
            "packages/web/src/index.ts",
            "apps/till/main.ts",
        ),
        (
            {
                "go.mod": "module example.org/shop\n",
                "cart.go": "package shop\n",
                "cmd/till/main.go": 'package main\n\nimport "example.org/shop"\n',
            },
            "cart.go",
            "cmd/till/main.go",
        ),
    ],
    ids=["library", "pattern", "module"],
)
def test_importer_by_project_name_is_found(
    files: dict[str, str], source: str, other: str
) -> None:
    assert (
        import_scores(source, **files).why(other)
        == f"imports `{source.rpartition('/')[2]}`"
    )


def test_files_of_one_package_are_related_without_an_import() -> None:
    files = {
        "go.mod": "module example.org/shop\n",
        "cart/a.go": "package cart\n",
        "cart/b.go": "package cart\n",
    }
    found = import_scores("cart/a.go", **files)
    assert found.why("cart/b.go") == "in the package of `a.go`"


def test_doc_has_no_imports() -> None:
    assert not import_scores(
        "docs/a.md", **{"docs/a.md": "# A\n", "src/a.py": "import b\n"}
    ).scores


def test_reason_names_one_of_several_sources_by_its_path() -> None:
    files = {
        "shop/a.py": "from shop import c\n",
        "other/a.py": "x = 1\n",
        "shop/c.py": "x = 1\n",
    }
    assert (
        import_scores("shop/a.py", "other/a.py", **files).why("shop/c.py")
        == "imported by `shop/a.py`"
    )
