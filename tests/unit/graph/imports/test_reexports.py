"""Definitions of imported names, through files that re-export them."""

from __future__ import annotations

from import_trees import source

from cuedeck.graph.imports import Imported, Resolver, definers
from cuedeck.model.file import File, Import, Root
from cuedeck.parse.languages import import_strategy


def definitions(
    files: list[File], start: str, *names: str, roots: tuple[tuple[str, Root], ...] = ()
) -> list[str]:
    """Return the definitions of names imported from `start`, as `path: name`."""
    known = {file.path: file for file in files}
    resolver = Resolver(list(known), roots, import_strategy)
    found = definers(Imported(start, names, 1, False), known.get, resolver)
    return [f"{path}: {name}" if name else path for path, name in found]


def reexport(spec: str, *names: str) -> Import:
    return Import(spec, names, 1, True)


def test_name_defined_by_the_target_resolves_there() -> None:
    files = [
        source("a/__init__.py", reexport("._b", "Thing"), defines=["Thing.run"]),
        source("a/_b.py"),
    ]
    assert definitions(files, "a/__init__.py", "Thing") == ["a/__init__.py: Thing"]


def test_names_are_followed_through_a_package_that_reexports_them() -> None:
    files = [
        source("a/__init__.py", reexport("._api", "get"), reexport("._client", "*")),
        source("a/_api.py", defines=["get"]),
        source("a/_client.py", defines=["Client", "Client.send"]),
    ]
    taken = ["a/_api.py: get", "a/_client.py: Client", "a/__init__.py: other"]
    assert definitions(files, "a/__init__.py", "get", "Client", "other") == taken


def test_barrels_of_barrels_are_followed() -> None:
    files = [
        source("src/index.ts", reexport("./ui", "*"), reexport("./form", "default")),
        source(
            "src/ui/index.ts", reexport("./button", "*"), reexport("./link", "Link")
        ),
        source("src/ui/button.tsx", defines=["Button"]),
        source("src/ui/link.tsx", defines=["Link"]),
        source("src/form.ts", defines=["Form"]),
    ]
    taken = ["src/ui/button.tsx: Button", "src/ui/link.tsx: Link"]
    assert definitions(files, "src/index.ts", "Button", "Link") == taken
    assert definitions(files, "src/index.ts", "default") == ["src/index.ts: default"]


def test_named_reexport_comes_before_a_star() -> None:
    files = [
        source("src/index.ts", reexport("./all", "*"), reexport("./one", "x")),
        source("src/all.ts", defines=["x"]),
        source("src/one.ts", defines=["x"]),
    ]
    assert definitions(files, "src/index.ts", "x") == ["src/one.ts: x"]


def test_private_imports_of_a_module_can_be_imported_from_it() -> None:
    files = [
        source("a.py", Import("b", ("x",), 1, False), Import("c", ("*",), 2, False)),
        source("b.py", defines=["x"]),
    ]
    assert definitions([*files, source("c.py", defines=["y"])], "a.py", "x", "y") == [
        "b.py: x",
        "a.py: y",
    ]


def test_reexported_module_is_the_whole_file() -> None:
    files = [
        source("core/src/lib.rs", reexport("mod:book")),
        source("core/src/book.rs", defines=["Book"]),
    ]
    files.append(source("top/src/lib.rs", reexport("core", "book")))
    roots = (("core/Cargo.toml", Root("core", "core/src/lib.rs")),)
    assert definitions(files, "top/src/lib.rs", "book", roots=roots) == [
        "core/src/book.rs"
    ]


def test_cycles_and_long_chains_end_at_the_named_file() -> None:
    ring = [
        source("a.ts", reexport("./b", "*")),
        source("b.ts", reexport("./a", "*"), reexport("./b", "*")),
    ]
    assert definitions(ring, "a.ts", "x") == ["a.ts: x"]
    chain = [source(f"m{at}.ts", reexport(f"./m{at + 1}", "*")) for at in range(9)]
    assert definitions([*chain, source("m9.ts", defines=["x"])], "m0.ts", "x") == [
        "m0.ts: x"
    ]
    assert definitions([*chain, source("m9.ts", defines=["x"])], "m1.ts", "x") == [
        "m9.ts: x"
    ]


def test_whole_files_stars_and_unread_files_are_unchanged() -> None:
    assert definitions([source("a.py")], "a.py") == ["a.py"]
    assert definitions([source("a.py")], "a.py", "*") == ["a.py: *"]
    assert definitions([], "gone.py", "x") == ["gone.py: x"]
