"""What imports and names of files say of other files."""

from __future__ import annotations

import pytest
from memory import CARD, card, grounded

from cuedeck.ranking.signal_scores import SignalScores
from cuedeck.ranking.structure_signals import by_imports, by_stem


def imports(*refs: str, **files: str) -> SignalScores:
    return by_imports(grounded({CARD: card(*refs), **files}))


def best(found: SignalScores) -> list[str]:
    return sorted(found.scores, key=lambda path: (-found.scores[path], path))


def test_files_named_like_a_source_are_its_test_its_page_and_its_counterpart() -> None:
    files = {
        "src/token.py": "",
        "tests/test_token.py": "",
        "docs/token.md": "",
        "src/other.py": "",
    }
    found = by_stem(grounded({CARD: card("src/token.py"), **files}))
    assert set(best(found)) == {"tests/test_token.py", "docs/token.md"}
    assert found.why("docs/token.md") == "named like `token.py`"


def test_a_part_of_the_name_says_less_than_all_of_it() -> None:
    files = {
        "src/token_store.py": "",
        "tests/test_token_store.py": "",
        "src/token_form.py": "",
        "src/other.py": "",
    }
    found = by_stem(grounded({CARD: card("src/token_store.py"), **files}))
    assert best(found) == ["tests/test_token_store.py", "src/token_form.py"]


def test_the_nearest_of_those_named_alike_comes_first() -> None:
    files = {"a/b/token.py": "", "a/b/test_token.py": "", "z/token.md": ""}
    found = by_stem(grounded({CARD: card("a/b/token.py"), **files}))
    assert best(found) == ["a/b/test_token.py", "z/token.md"]


PYTHON = {
    "shop/__init__.py": "",
    "shop/a.py": "from shop import b\n",
    "shop/b.py": "from shop import c\n\nx = 1\n",
    "shop/c.py": "y = 2\n",
    "shop/d.py": "z = 3\n",
}


def test_what_a_source_imports_and_what_imports_it() -> None:
    found = imports("shop/b.py", **PYTHON)
    assert set(best(found)[:2]) == {"shop/a.py", "shop/c.py"}
    assert found.why("shop/a.py") == "imports `b.py`"
    assert found.why("shop/c.py") == "imported by `b.py`"
    assert "shop/d.py" not in found.scores


def test_two_imports_away_says_less_than_one() -> None:
    found = imports("shop/a.py", **PYTHON)
    assert found.scores["shop/b.py"] > found.scores["shop/c.py"] > 0
    assert found.why("shop/c.py") == "two imports from `a.py`"


def test_one_of_many_imports_says_less() -> None:
    names = [f"m{at}" for at in range(20)]
    many = {f"shop/{name}.py": "x = 1\n" for name in names}
    found = imports(
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
                "web/a.ts": 'import { b } from "./b";\n',
                "web/b.ts": "export const b = 1;\n",
            },
            "web/b.ts",
            "web/a.ts",
        ),
        (
            {
                "web/a.ts": 'import { b } from "./b";\n',
                "web/b/index.ts": "export const b = 1;\n",
            },
            "web/b/index.ts",
            "web/a.ts",
        ),
        (
            {
                "go.mod": "module example.org/shop\n",
                "main.go": 'package main\n\nimport "example.org/shop/cart"\n',
                "cart/cart.go": "package cart\n",
            },
            "cart/cart.go",
            "main.go",
        ),
        (
            {
                "Cargo.toml": '[package]\nname = "shop"\n',
                "src/lib.rs": "mod cart;\n",
                "src/cart.rs": "pub struct Cart;\n",
            },
            "src/cart.rs",
            "src/lib.rs",
        ),
    ],
    ids=["file", "folder", "package", "crate"],
)
def test_imports_are_followed_in_every_language(
    files: dict[str, str], source: str, other: str
) -> None:
    assert (
        imports(source, **files).why(other) == f"imports `{source.rpartition('/')[2]}`"
    )
    assert (
        imports(other, **files).why(source)
        == f"imported by `{other.rpartition('/')[2]}`"
    )


@pytest.mark.parametrize(
    ("files", "source", "other"),
    [
        (
            {
                "core/Cargo.toml": '[package]\nname = "shop-core"\n',
                "core/src/lib.rs": "pub struct Cart;\n",
                "cli/Cargo.toml": '[package]\nname = "shop-cli"\n',
                "cli/src/main.rs": "use shop_core::Cart;\n",
            },
            "core/src/lib.rs",
            "cli/src/main.rs",
        ),
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
                "packages/site/package.json": '{"name": "@shop/web"}',
                "packages/site/src/index.ts": "export const a = 1;\n",
                "apps/till/main.ts": 'import { a } from "@shop/web";\n',
            },
            "packages/site/src/index.ts",
            "apps/till/main.ts",
        ),
        (
            {
                "packages/site/package.json": '{"name": "@shop/web", "exports": {"./form": "./dist/inner/f.js"}}',
                "packages/site/src/inner/f.ts": "export const a = 1;\n",
                "apps/till/main.ts": 'import { a } from "@shop/web/form";\n',
            },
            "packages/site/src/inner/f.ts",
            "apps/till/main.ts",
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
        (
            {
                "pyproject.toml": '[tool.setuptools.package-dir]\nshop = "lib"\n',
                "lib/__init__.py": "x = 1\n",
                "run.py": "from shop import x\n",
            },
            "lib/__init__.py",
            "run.py",
        ),
    ],
    ids=["crate", "library", "package", "export", "pattern", "module", "mapped"],
)
def test_who_imports_by_the_name_of_a_project_is_found(
    files: dict[str, str], source: str, other: str
) -> None:
    assert (
        imports(source, **files).why(other) == f"imports `{source.rpartition('/')[2]}`"
    )


def test_a_file_that_is_not_what_the_name_of_a_project_stands_for_is_not_imported_by_it() -> (
    None
):
    files = {
        "go.mod": "module example.org/shop\n",
        "cart.go": "package shop\n",
        "inner/deep.go": "package inner\n",
        "cmd/main.go": 'package main\n\nimport "example.org/shop"\n',
    }
    assert "cmd/main.go" not in imports("inner/deep.go", **files).scores


def test_files_of_one_package_need_no_import() -> None:
    files = {
        "go.mod": "module example.org/shop\n",
        "cart/a.go": "package cart\n",
        "cart/b.go": "package cart\n",
    }
    found = imports("cart/a.go", **files)
    assert found.why("cart/b.go") == "in the package of `a.go`"


def test_a_page_imports_nothing() -> None:
    assert not imports(
        "docs/a.md", **{"docs/a.md": "# A\n", "src/a.py": "import b\n"}
    ).scores


def test_one_of_several_sources_is_named_by_its_path() -> None:
    files = {
        "shop/a.py": "from shop import c\n",
        "other/a.py": "x = 1\n",
        "shop/c.py": "x = 1\n",
    }
    assert (
        imports("shop/a.py", "other/a.py", **files).why("shop/c.py")
        == "imported by `shop/a.py`"
    )


def test_the_only_source_is_named_by_its_last_step() -> None:
    files = {"shop/a.py": "from shop import c\n", "shop/c.py": "x = 1\n"}
    assert imports("shop/a.py", **files).why("shop/c.py") == "imported by `a.py`"
