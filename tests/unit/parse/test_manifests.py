"""Dependencies that project files name."""

from __future__ import annotations

from textwrap import dedent

import pytest

from cuedeck.model.errors import Invalid
from cuedeck.parse.manifests import find_dependency, is_manifest

PYPROJECT = """\
[build-system]
requires = ["hatchling"]

[project]
name = "flask"
dependencies = [
    "Django>=4",
    "Foo.Bar[extra] ; python_version > '3'",
]

[project.optional-dependencies]
test = ["pytest==8"]

[dependency-groups]
dev = ["ruff", {include-group = "test"}]

[tool.poetry.dependencies]
python = "^3.11"
requests = {version = "2"}

[tool.poetry.group.docs.dependencies]
sphinx = "*"
"""
REQUIREMENTS = """\
# numpy
-r base.txt
--index-url https://example.org
scipy >= 1  # fast
Typing_Extensions; python_version < "3"
httpx@https://example.org/httpx.whl
git+https://example.org/x.git@main#egg=eggs
./local/thing
https://example.org/pack.whl
"""
PACKAGE = """\
{
  "name": "react-dom",
  "scripts": {"jest": "jest"},
  "dependencies": {"react": "18", "@types/node": "20"},
  "devDependencies": {
    "jest": "29"
  },
  "peerDependencies": {"vue": "3"},
  "optionalDependencies": {"fsevents": "2"}
}
"""
CARGO = """\
[package]
name = "serde"
[dependencies]
tokio = "1"
json = { package = "serde_json", version = "1" }
[dev-dependencies]
proptest = "1"
[build-dependencies]
cc = "1"
[workspace.dependencies]
async-trait = "0.1"
[target.'cfg(unix)'.dependencies]
nix = "0.2"
"""
GO = """\
module example.org/app

go 1.22

require github.com/spf13/cobra v1.8.0
require (
\tgithub.com/x/y/v2 v2.0.0 // indirect
\t// gone.org/z v1.0.0
)
replace github.com/x/y/v2 => ../y
"""


@pytest.mark.parametrize(
    ("path", "text", "name", "line"),
    [
        ("pyproject.toml", PYPROJECT, "django", 7), ("pyproject.toml", PYPROJECT, "foo_bar", 8),
        ("pyproject.toml", PYPROJECT, "PyTest", 12), ("sub/pyproject.toml", PYPROJECT, "ruff", 15),
        ("pyproject.toml", PYPROJECT, "requests", 19), ("pyproject.toml", PYPROJECT, "sphinx", 22),
        ("pyproject.toml", PYPROJECT, "hatchling", None), ("pyproject.toml", PYPROJECT, "flask", None),
        ("requirements.txt", REQUIREMENTS, "scipy", 4),
        ("requirements-dev.txt", REQUIREMENTS, "typing.extensions", 5),
        ("requirements/dev.txt", REQUIREMENTS, "httpx", 6), ("requirements.txt", REQUIREMENTS, "eggs", 7),
        ("requirements.txt", REQUIREMENTS, "numpy", None), ("requirements.txt", REQUIREMENTS, "https", None),
        ("web/package.json", PACKAGE, "react", 4), ("package.json", PACKAGE, "@types/node", 4),
        ("package.json", PACKAGE, "jest", 6), ("package.json", PACKAGE, "vue", 8),
        ("package.json", PACKAGE, "fsevents", 9), ("package.json", PACKAGE, "React", None),
        ("package.json", PACKAGE, "react-dom", None), ("Cargo.toml", CARGO, "tokio", 4),
        ("Cargo.toml", CARGO, "serde-json", 5), ("Cargo.toml", CARGO, "json", 5),
        ("Cargo.toml", CARGO, "proptest", 7), ("Cargo.toml", CARGO, "cc", 9),
        ("Cargo.toml", CARGO, "async_trait", 11), ("Cargo.toml", CARGO, "nix", 13),
        ("Cargo.toml", CARGO, "serde", None), ("go.mod", GO, "github.com/spf13/cobra", 5),
        ("go.mod", GO, "github.com/x/y/v2", 7), ("go.mod", GO, "gone.org/z", None),
        ("go.mod", GO, "github.com/x/y", None),
    ],
)  # fmt: skip
def test_names_are_compared_as_their_ecosystem_does(
    path: str, text: str, name: str, line: int | None
) -> None:
    found = find_dependency(path, text, name)
    assert (found[0].line if found else None) == line


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "{"), ("pyproject.toml", "x = "), ("Cargo.toml", "["), ("package.json", "[" * 100_000),
    ],
)  # fmt: skip
def test_a_broken_file_is_an_error(path: str, text: str) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        find_dependency(path, text, "x")


@pytest.mark.parametrize(
    "text", ["[]", '{"dependencies": 3}', '{"dependencies": [3, null]}', "null", "3"]
)
def test_odd_shapes_name_nothing(text: str) -> None:
    assert find_dependency("package.json", text, "x") is None


def test_other_files_name_no_dependencies() -> None:
    for path in (
        "package-lock.json",
        "a.txt",
        "go.sum",
        "docs/requirements.md",
        "cargo.toml.bak",
    ):
        assert not is_manifest(path)
        with pytest.raises(Invalid, match="names no dependencies"):
            find_dependency(path, "", "x")


def test_a_name_that_is_part_of_another_has_its_own_line() -> None:
    text = dedent(
        """\
        {"dependencies": {
          "react-dom": "1",
          "@x/react": "1",
          "react": "1"
        }}
        """
    )
    found = find_dependency("package.json", text, "react")
    assert found
    assert found[0].line == 4


@pytest.mark.parametrize(
    ("path", "text", "name", "versions", "line"),
    [
        ("pyproject.toml", '[project]\nname = "x"\nrequires-python = ">=3.10"\n', "python", ">=3.10", 3),
        ("pyproject.toml", PYPROJECT, "python", "^3.11", 18), ("pyproject.toml", PYPROJECT, "requests", "2", 19),
        ("pyproject.toml", PYPROJECT, "Django", ">=4", 7), ("requirements.txt", REQUIREMENTS, "scipy", ">= 1", 4),
        ("requirements.txt", REQUIREMENTS, "httpx", "", 6),
        ("package.json", '{"engines": {\n"node": ">=18 <23"}}', "node", ">=18 <23", 2),
        ("package.json", PACKAGE, "react", "18", 4), ("go.mod", GO, "go", "1.22", 3),
        ("go.mod", GO, "github.com/spf13/cobra", "v1.8.0", 5),
        ("Cargo.toml", '[package]\nname = "x"\nrust-version = "1.74"\n', "rust", "1.74", 3),
        ("Cargo.toml", CARGO, "serde_json", "1", 5),
    ],
)  # fmt: skip
def test_versions_are_read_also_those_of_interpreters_and_compilers(
    path: str, text: str, name: str, versions: str, line: int
) -> None:
    found = find_dependency(path, text, name)
    assert found
    assert (found[0].versions, found[0].line) == (versions, line)


@pytest.mark.parametrize(
    ("path", "text", "name", "wanted", "fits"),
    [
        ("go.mod", GO, "go", ">=1.21", True), ("go.mod", GO, "go", ">=1.23", False),
        ("go.mod", GO, "github.com/spf13/cobra", ">=1.8", True),
        ("Cargo.toml", '[package]\nrust-version = "1.74"\n', "rust", ">=1.70", True),
        ("Cargo.toml", CARGO, "tokio", ">=1,<2", True), ("package.json", PACKAGE, "react", "^18", True),
        ("package.json", PACKAGE, "react", ">=19", False), ("pyproject.toml", PYPROJECT, "sphinx", ">=1", False),
        ("pyproject.toml", PYPROJECT, "foo.bar", ">=1", False),
    ],
)  # fmt: skip
def test_all_versions_that_are_allowed_must_be_wanted(
    path: str, text: str, name: str, wanted: str, fits: bool
) -> None:
    found = find_dependency(path, text, name, wanted)
    assert found
    assert found[1] is fits


def test_a_requirement_of_a_million_marks_is_read_once() -> None:
    """A search from each `#` to the end of the line would take hours."""
    assert find_dependency(
        "requirements.txt",
        "a @ https://example.org/" + "&#" * 1_000_000 + "\nzz>=1",
        "zz",
    )


@pytest.mark.parametrize(
    "fragment", ["#egg=eggs", "#subdirectory=x&egg=eggs", "#a#egg=eggs"]
)
def test_the_fragment_of_a_url_names_the_requirement(fragment: str) -> None:
    assert find_dependency(
        "requirements.txt", f"git+https://example.org/x?egg=no&egg=no{fragment}", "eggs"
    )


def test_many_blocks_without_an_end_are_read_once() -> None:
    """A search for the end of each block would take hours."""
    assert find_dependency(
        "go.mod", "require (\n" * 300_000 + "a.org/b v1.0.0\n)\n", "a.org/b"
    )
