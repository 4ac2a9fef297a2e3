from __future__ import annotations

import json
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cuedeck.parse.import_roots import read_roots

NAMES = [
    "go.mod", "tsconfig.json", "package.json", "Cargo.toml", "pyproject.toml", "composer.json",
]  # fmt: skip


def roots(path: str, text: str | object) -> list[tuple[str, str]]:
    found = read_roots(
        path, dedent(text) if isinstance(text, str) else json.dumps(text)
    )
    return [(root.prefix, root.target) for root in found]


@pytest.mark.parametrize(
    "text",
    [
        "module a.b/c\n", '// x\nmodule "a.b/c" // y\ngo 1.22\n', "go 1\n\tmodule\ta.b/c\n",
    ],
)  # fmt: skip
def test_a_go_module_is_its_folder(text: str) -> None:
    assert roots("go.mod", text) == [("a.b/c", ".")]
    assert roots("sub/x/go.mod", text) == [("a.b/c", "sub/x")]


def test_paths_of_a_tsconfig_are_joined_to_its_folder() -> None:
    text = """\
    {
      "extends": "./base.json", // comment
      "compilerOptions": {
        /* "paths": {"no": ["no"]} */
        "paths": {
          "@/*": ["./src/*", "gen//*"],
          "url//x": ["../../up/x.ts"],
          "up": ["../../../up"],
        },
      },
    }
    """
    assert roots("web/app/tsconfig.json", text) == [
        ("@/*", "web/app/src/*"),
        ("@/*", "web/app/gen/*"),
        ("url//x", "up/x.ts"),
    ]


def test_a_base_url_is_where_paths_and_all_names_begin() -> None:
    config = {
        "compilerOptions": {"baseUrl": "src", "paths": {"a": ["lib/a"], "b": "no list"}}
    }
    assert roots("web/tsconfig.app.json", config) == [
        ("a", "web/src/lib/a"),
        ("b", "web/src/no list"),
        ("*", "web/src/*"),
    ]
    assert roots("jsconfig.json", {"compilerOptions": {"baseUrl": "."}}) == [("*", "*")]


def test_a_package_is_its_folder_and_exports() -> None:
    assert roots("packages/a/package.json", {"name": "@x/a"}) == [
        ("@x/a", "packages/a")
    ]
    assert roots("package.json", {"name": "a", "exports": "./index.js"}) == [
        ("a", "index.js"),
        ("a", "."),
    ]
    assert roots("p/package.json", {"name": "a", "main": "lib/a.js"}) == [
        ("a", "p/lib/a.js"),
        ("a", "p"),
    ]
    exports = {
        ".": {"types": "./t.d.ts", "import": {"default": "./src/i.js"}},
        "./sub": "./src/sub.js",
        "./*": "./all/*",
        "./x": None,
    }
    assert roots("p/package.json", {"name": "a", "exports": exports}) == [
        ("a", "p/src/i.js"),
        ("a/sub", "p/src/sub.js"),
        ("a", "p"),
    ]


def test_a_package_imports_its_own_files_by_hash() -> None:
    config = {"imports": {"#x": "./src/x.js", "#y/*": {"default": "./y/*"}, "z": "./z"}}
    assert roots("p/package.json", config) == [("#x", "p/src/x.js"), ("#y/*", "p/y/*")]


def test_a_crate_is_its_library() -> None:
    assert roots("c/Cargo.toml", '[package]\nname = "my-crate"\n') == [
        ("my_crate", "c/src/lib.rs")
    ]
    text = '[package]\nname = "a"\n[lib]\nname = "b_c"\npath = "lib/x.rs"\n'
    assert roots("Cargo.toml", text) == [("b_c", "lib/x.rs"), ("a", "lib/x.rs")]
    assert roots("Cargo.toml", '[workspace]\nmembers = ["a"]\n') == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[tool.setuptools.packages.find]\nwhere = ["src", "lib"]\n', [("", "p/src"), ("", "p/lib")]),
        ('[tool.setuptools]\npackage-dir = {"" = "src", x = "other/x"}\n', [("", "p/src"), ("x", "p/other/x")]),
        ('[tool.poetry]\npackages = [{include = "a", from = "src"}, {include = "b"}]\n', [("", "p/src")]),
        ('[tool.hatch.build.targets.wheel]\npackages = ["src/a", "src/b"]\n', [("", "p/src")]),
        ('[tool.hatch.build]\nsources = ["src"]\n', [("", "p/src")]),
        ('[tool.hatch.build.targets.wheel]\npackages = ["a"]\n', [("", "p")]),
        ('[project]\nname = "x"\n[tool.ruff]\nsrc = ["src"]\n', []), ('[tool.setuptools]\npackages = ["a"]\n', []),
    ],
)  # fmt: skip
def test_python_packages_lie_where_their_builder_looks(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert roots("p/pyproject.toml", text) == expected


def test_namespaces_of_php_are_folders() -> None:
    config = {
        "autoload": {"psr-4": {"App\\": "src/", "": ["a", "b"]}},
        "autoload-dev": {"psr-4": {"T\\U\\": "tests"}},
    }
    assert roots("composer.json", config) == [
        ("App", "src"),
        ("", "a"),
        ("", "b"),
        ("T\\U", "tests"),
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "text",
    ["", "{", "[1]", '"x"', "null", "[" * 100_000, '{"a":' * 50_000, "a = 1", "\0"],
)
def test_broken_files_and_other_shapes_have_no_roots(name: str, text: str) -> None:
    assert roots(name, text) == []


@pytest.mark.parametrize(
    "path", ["go.sum", "mytsconfig.json", "package-lock.json", "a/Cargo.lock", "x.py"]
)
def test_other_files_have_no_roots(path: str) -> None:
    assert roots(path, 'module x\n{"name": "x"}\n') == []


KEYS = "name imports exports compilerOptions paths baseUrl autoload psr-4 . ./x #x import default main"
PLACES = ["", "src", "../x", "./a/*", "#x", "/abs", "a\0b", "App\\"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(PLACES),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(KEYS.split()), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.sampled_from(["tsconfig.json", "package.json", "composer.json"]), VALUES)
def test_no_shape_raises_or_leads_out(name: str, value: object) -> None:
    for _, target in roots(f"p/q/{name}", value):
        assert target
        assert not target.startswith(("/", "../"))
        assert "\0" not in target
