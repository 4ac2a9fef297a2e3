"""Python imports: packages, modules, stubs, roots."""

from __future__ import annotations

import pytest
from import_trees import SourceTree

FLIT = SourceTree(
    """
    pyproject.toml flit_core/pyproject.toml
    flit/__init__.py flit/__main__.py flit/_get_dirs.py flit/install.py flit/log.py flit/vcs/__init__.py
    flit/vcs/git.py flit/vcs/hg.py
    flit_core/flit_core/__init__.py flit_core/flit_core/common.py flit_core/flit_core/config.py
    flit_core/flit_core/tests_core/__init__.py flit_core/flit_core/tests_core/test_config.py
    tests/__init__.py tests/conftest.py tests/test_install.py
    """,
    ("pyproject.toml", "", ""),
    ("flit_core/pyproject.toml", "", "flit_core"),
)
SRC = SourceTree(
    """
    pyproject.toml setup.py docs/conf.py
    src/click/__init__.py src/click/core.py src/click/types.py src/click/_compat.py src/click/json.py
    src/click/native.pyi src/click/both.py src/click/both.pyi
    tests/conftest.py tests/helper.py tests/unit/test_core.py
    """,
    ("pyproject.toml", "", "src"),
)


@pytest.mark.parametrize(
    ("path", "spec", "names", "taken"),
    [
        ("flit/install.py", ".", ("log",), ["flit/log.py"]),
        ("flit/install.py", ".log", ("enable_colourful_output",), ["flit/log.py"]),
        ("flit/vcs/git.py", "..log", ("x", "y"), ["flit/log.py"]),
        (
            "flit/vcs/git.py",
            "..",
            ("log", "__version__"),
            ["flit/__init__.py", "flit/log.py"],
        ),
        (
            "flit/install.py",
            ".vcs",
            ("git", "identify_vcs"),
            ["flit/vcs/__init__.py", "flit/vcs/git.py"],
        ),
        ("flit/__init__.py", ".", ("vcs",), ["flit/vcs/__init__.py"]),
    ],
)
def test_relative_imports_begin_at_the_folder_of_the_file(
    path: str, spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert FLIT.resolve_import(path, spec, *names) == taken


@pytest.mark.parametrize(
    ("path", "spec", "names", "taken"),
    [
        (
            "flit/install.py",
            "flit_core.common",
            ("Module",),
            ["flit_core/flit_core/common.py"],
        ),
        ("flit/install.py", "flit_core", ("config", "__version__"), None),
        ("tests/test_install.py", "flit", (), ["flit/__init__.py"]),
        ("tests/test_install.py", "flit.vcs.hg", (), ["flit/vcs/hg.py"]),
        ("tests/test_install.py", "tests.conftest", ("x",), ["tests/conftest.py"]),
        (
            "flit_core/flit_core/tests_core/test_config.py",
            "flit_core",
            ("common",),
            ["flit_core/flit_core/common.py"],
        ),
    ],
)
def test_absolute_imports_begin_at_the_roots_of_project_files(
    path: str, spec: str, names: tuple[str, ...], taken: list[str] | None
) -> None:
    both = ["flit_core/flit_core/__init__.py", "flit_core/flit_core/config.py"]
    assert FLIT.resolve_import(path, spec, *names) == (taken or both)


def test_src_layout_is_found_from_the_tests_and_from_inside() -> None:
    assert SRC.resolve_import("tests/unit/test_core.py", "click", "Path") == [
        "src/click/__init__.py"
    ]
    assert SRC.resolve_import("tests/unit/test_core.py", "click.core", "Context") == [
        "src/click/core.py"
    ]
    assert SRC.resolve_import("src/click/core.py", "click._compat") == [
        "src/click/_compat.py"
    ]
    assert SourceTree("src/app/__init__.py tests/test_app.py").resolve_import(
        "tests/test_app.py", "app"
    ) == ["src/app/__init__.py"]


def test_standard_library_module_is_not_a_file_of_its_name() -> None:
    assert SRC.resolve_import("src/click/core.py", "json") == []
    assert SRC.resolve_import("src/click/core.py", "types", "TracebackType") == []
    assert SRC.resolve_import("src/click/core.py", ".types", "Path") == [
        "src/click/types.py"
    ]
    scripts = SourceTree("tools/logging.py tools/run.py tools/email/utils.py")
    assert scripts.resolve_import("tools/run.py", "logging") == []
    assert scripts.resolve_import("tools/run.py", "email.utils", "formataddr") == []


def test_package_named_like_a_library_module_is_found_by_its_submodules() -> None:
    tree = SourceTree(
        "platform/__init__.py platform/core.py engine/__init__.py app/main.py"
    )
    assert tree.resolve_import("app/main.py", "platform", "core") == [
        "platform/core.py"
    ]
    assert tree.resolve_import("app/main.py", "platform.core", "x") == [
        "platform/core.py"
    ]
    assert tree.resolve_import("app/main.py", "platform", "system") == []


def test_no_import_begins_inside_a_package() -> None:
    assert SRC.resolve_import("docs/conf.py", "core") == []


def test_packages_without_init_are_folders_of_modules() -> None:
    tree = SourceTree(
        "pyproject.toml src/space/one/mod.py src/space/two/mod.py tests/test_x.py",
        ("pyproject.toml", "", "src"),
    )
    assert tree.resolve_import("tests/test_x.py", "space.one", "mod") == [
        "src/space/one/mod.py"
    ]
    assert tree.resolve_import("tests/test_x.py", "space.two.mod", "x") == [
        "src/space/two/mod.py"
    ]
    assert tree.resolve_import("src/space/one/mod.py", "..two", "mod") == [
        "src/space/two/mod.py"
    ]
    assert tree.resolve_import("tests/test_x.py", "space", "one") == []


def test_nearest_project_wins_between_packages_of_one_name() -> None:
    tree = SourceTree(
        "one/pyproject.toml one/app/core.py one/tests/test_a.py two/pyproject.toml two/app/core.py two/tests/test_a.py",
        ("one/pyproject.toml", "", "one"),
        ("two/pyproject.toml", "", "two"),
    )
    assert tree.resolve_import("one/tests/test_a.py", "app.core", "x") == [
        "one/app/core.py"
    ]
    assert tree.resolve_import("two/tests/test_a.py", "app.core", "x") == [
        "two/app/core.py"
    ]


def test_package_may_be_stored_under_another_name() -> None:
    tree = SourceTree(
        "setup.cfg code/__init__.py code/a.py run.py", ("setup.cfg", "mine", "code")
    )
    assert tree.resolve_import("run.py", "mine.a", "x") == ["code/a.py"]
    assert tree.resolve_import("run.py", "mine", "a", "b") == [
        "code/__init__.py",
        "code/a.py",
    ]


def test_relative_import_out_of_the_workspace_resolves_to_nothing() -> None:
    assert FLIT.resolve_import("flit/vcs/git.py", "....", "x") == []
    assert SourceTree("a.py b.py").resolve_import("a.py", ".", "b") == ["b.py"]
    assert SourceTree("a.py b.py").resolve_import("a.py", "..", "b") == []
