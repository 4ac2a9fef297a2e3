"""Go imports: folders of a module."""

from __future__ import annotations

from import_trees import SourceTree

COBRA = SourceTree(
    """
    go.mod args.go command.go command_test.go cobra_test.go
    doc/man_docs.go doc/util.go doc/man_docs_test.go doc/man.md
    internal/site/site.go tools/go.mod tools/lint/lint.go tools/main.go
    """,
    ("go.mod", "github.com/spf13/cobra", ""),
    ("tools/go.mod", "github.com/spf13/cobra/tools", "tools"),
)


def test_package_is_every_file_of_its_folder_except_tests() -> None:
    assert COBRA.resolve_import("doc/util.go", "github.com/spf13/cobra") == [
        "args.go",
        "command.go",
    ]
    assert COBRA.resolve_import("command.go", "github.com/spf13/cobra/doc") == [
        "doc/man_docs.go",
        "doc/util.go",
    ]
    assert COBRA.resolve_import(
        "command.go", "github.com/spf13/cobra/internal/site"
    ) == ["internal/site/site.go"]


def test_longest_module_path_owns_a_package() -> None:
    assert COBRA.resolve_import(
        "tools/main.go", "github.com/spf13/cobra/tools/lint"
    ) == ["tools/lint/lint.go"]


def test_external_test_of_a_package_imports_the_files_of_its_folder() -> None:
    assert COBRA.resolve_import("cobra_test.go", "github.com/spf13/cobra") == [
        "args.go",
        "command.go",
    ]


def test_other_modules_and_the_standard_library_resolve_to_nothing() -> None:
    for spec in (
        "fmt",
        "path/filepath",
        "github.com/spf13/pflag",
        "github.com/spf13/cobrasnake",
        "doc",
    ):
        assert COBRA.resolve_import("command.go", spec) == []


def test_neighbours_are_the_files_of_the_package_and_only_tests_see_tests() -> None:
    assert COBRA.resolver.neighbours("args.go") == ("command.go",)
    assert COBRA.resolver.neighbours("command_test.go") == (
        "args.go",
        "cobra_test.go",
        "command.go",
    )
    assert COBRA.resolver.neighbours("doc/util.go") == ("doc/man_docs.go",)
    assert COBRA.resolver.neighbours("doc/man.md") == ()
