"""Properties of the import resolution of every language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from import_trees import source

from cuedeck.graph.imports import Resolver
from cuedeck.model.file import Import, Root
from cuedeck.parse.languages import import_strategy

SUFFIXES = (
    "py",
    "pyi",
    "ts",
    "js",
    "d.ts",
    "go",
    "rs",
    "java",
    "cs",
    "php",
    "c",
    "h",
    "rb",
    "sh",
    "md",
    "json",
)
NAMES = (
    "a",
    "b",
    "core",
    "index",
    "mod",
    "main",
    "lib",
    "__init__",
    "src",
    "x_test",
    "test_a",
)
PROJECTS = (
    "go.mod",
    "Cargo.toml",
    "package.json",
    "tsconfig.json",
    "pyproject.toml",
    "composer.json",
)
HOSTILE = (
    "",
    ".",
    "..",
    "*",
    "/",
    "//",
    "::",
    "crate",
    "crate::",
    "super::super::super",
    "self",
    "mod:",
    "mod:..",
    "#",
    "@",
    "@/",
    "\\",
    "<>",
    '"',
    "$",
    "$(",
    "a//b",
    "a..b",
    ".a..b",
    "a.",
    "a::::b",
    "../../../../etc/passwd",
    "/etc/passwd",
    "." * 1000,
    "../" * 300,
    "a/" * 500,
    "a." * 500,
    "a::" * 300,
    "x" * 100_000,
    "größe.模块",
    "\ud800",
    "a\0b",
    "./a\0",
    "\n",
    "./%2e%2e/a",
    "?",
    "./?x",
)

_folders = st.lists(st.sampled_from(NAMES), max_size=3)
_files = st.builds("{}.{}".format, st.sampled_from(NAMES), st.sampled_from(SUFFIXES))
_paths = st.builds(lambda folders, name: "/".join((*folders, name)), _folders, _files)
_words = st.sampled_from((*NAMES, "*", "", "..", "."))
_specs = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(max_size=12),
    st.builds(
        lambda head, mark, words: head + mark.join(words),
        st.sampled_from(
            (
                "",
                "./",
                "../",
                ".",
                "..",
                "@/",
                "#",
                "crate::",
                "super::",
                "self::",
                "mod:",
                '"',
                "<",
                "$X/",
            )
        ),
        st.sampled_from(("/", ".", "::", "\\")),
        st.lists(_words, min_size=1, max_size=4),
    ),
)
_imports = st.builds(
    Import, _specs, st.lists(_words, max_size=3).map(tuple), st.integers(1, 9)
)
_roots = st.tuples(
    st.builds(
        lambda folders, name: "/".join((*folders, name)),
        _folders,
        st.sampled_from(PROJECTS),
    ),
    st.builds(
        Root,
        st.sampled_from(
            ("", "a", "core", "@/*", "*", "#*", "#a", "a/b", "App\\", "*a*", "é")
        ),
        st.sampled_from(
            (
                "",
                "src",
                "src/*",
                "lib/lib.rs",
                "../out",
                "/etc",
                "dist/index.js",
                "*",
                "a/../b",
                "a//b",
            )
        ),
    ),
)


@given(
    paths=st.lists(_paths, max_size=30),
    roots=st.lists(_roots, max_size=6),
    path=_paths,
    imports=st.lists(_imports, max_size=6),
    shuffle=st.randoms(use_true_random=False),
)
def test_only_other_known_files_are_found_in_an_order_independent_of_paths(
    paths: list[str],
    roots: list[tuple[str, Root]],
    path: str,
    imports: list[Import],
    shuffle: st.Random,
) -> None:
    file = source(path, *imports)
    found = Resolver(paths, roots, import_strategy).resolve(file)
    assert {each.path for each in found} <= set(paths) - {path}
    assert {each.line for each in found} <= {each.line for each in imports}
    assert [(each.line, each.path) for each in found] == sorted(
        (each.line, each.path) for each in found
    )
    assert len(set(found)) == len(found)
    other = [*paths, *paths]
    shuffle.shuffle(other)
    again = Resolver(other, roots, import_strategy)
    assert again.resolve(file) == found
    assert again.resolve(replace(file, title="x")) == found


def test_file_has_the_names_of_its_projects_with_the_nearest_first() -> None:
    roots = [
        ("tsconfig.json", Root("web", "packages/web/src/index.ts")),
        ("packages/web/package.json", Root("@shop/web", "packages/web/dist/index.js")),
        (
            "packages/web/package.json",
            Root("@shop/web/form", "packages/web/dist/form.js"),
        ),
        ("packages/till/package.json", Root("@shop/till", "packages/till")),
    ]
    paths = [
        "packages/web/src/index.ts",
        "packages/web/src/form.ts",
        "packages/till/main.ts",
        "a.ts",
    ]
    resolver = Resolver(paths, roots, import_strategy)
    assert [resolver.names(path) for path in paths] == [
        ("@shop/web", "web"),
        ("@shop/web/form",),
        ("@shop/till",),
        (),
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("folder", ["", "a/", "a/b/c/"])
def test_hostile_specs_resolve_to_nothing_without_an_error(
    suffix: str, folder: str
) -> None:
    paths = [f"{folder}main.{suffix}", "go.mod", "Cargo.toml", "package.json"]
    roots = [
        ("go.mod", Root("a", "a")),
        ("tsconfig.json", Root("*", "*")),
        ("Cargo.toml", Root("a", "a/lib.rs")),
    ]
    imports = [
        Import(spec, names, 1)
        for spec in HOSTILE
        for names in ((), ("*",), ("a", "..", ""))
    ]
    assert (
        Resolver(paths, roots, import_strategy).resolve(source(paths[0], *imports))
        == ()
    )


def test_root_outside_the_workspace_is_ignored() -> None:
    resolver = Resolver(
        ["a/b.py", "run.py"], [("pyproject.toml", Root("", "../a"))], import_strategy
    )
    assert resolver.resolve(source("x/run.py", Import("b", (), 1)))[0].path == "a/b.py"
    resolver = Resolver(
        ["a/b.ts", "run.ts"],
        [("tsconfig.json", Root("@/*", "../a/*"))],
        import_strategy,
    )
    assert resolver.resolve(source("run.ts", Import("@/b", (), 1))) == ()
