"""Where imported names are defined, behind files that only hand them on."""

from __future__ import annotations

from importing import source

from cuedeck.graph.imports import Imported, Resolver, definers
from cuedeck.model.file import File, Import, Root
from cuedeck.parse.languages import import_strategy


def defined(
    files: list[File], start: str, *names: str, roots: tuple[tuple[str, Root], ...] = ()
) -> list[str]:
    """Return where names imported from `start` are defined, as `path: name`."""
    known = {file.path: file for file in files}
    resolver = Resolver(list(known), roots, import_strategy)
    found = definers(Imported(start, names, 1, False), known.get, resolver)
    return [f"{path}: {name}" if name else path for path, name in found]


def hands_on(spec: str, *names: str) -> Import:
    return Import(spec, names, 1, True)


def test_a_name_the_target_defines_is_defined_there() -> None:
    files = [
        source("a/__init__.py", hands_on("._b", "Thing"), defines=["Thing.run"]),
        source("a/_b.py"),
    ]
    assert defined(files, "a/__init__.py", "Thing") == ["a/__init__.py: Thing"]


def test_names_are_followed_through_the_package_that_hands_them_on() -> None:
    files = [
        source("a/__init__.py", hands_on("._api", "get"), hands_on("._client", "*")),
        source("a/_api.py", defines=["get"]),
        source("a/_client.py", defines=["Client", "Client.send"]),
    ]
    taken = ["a/_api.py: get", "a/_client.py: Client", "a/__init__.py: other"]
    assert defined(files, "a/__init__.py", "get", "Client", "other") == taken


def test_barrels_of_barrels_are_followed() -> None:
    files = [
        source("src/index.ts", hands_on("./ui", "*"), hands_on("./form", "default")),
        source(
            "src/ui/index.ts", hands_on("./button", "*"), hands_on("./link", "Link")
        ),
        source("src/ui/button.tsx", defines=["Button"]),
        source("src/ui/link.tsx", defines=["Link"]),
        source("src/form.ts", defines=["Form"]),
    ]
    taken = ["src/ui/button.tsx: Button", "src/ui/link.tsx: Link"]
    assert defined(files, "src/index.ts", "Button", "Link") == taken
    assert defined(files, "src/index.ts", "default") == ["src/index.ts: default"]


def test_a_name_goes_before_a_star() -> None:
    files = [
        source("src/index.ts", hands_on("./all", "*"), hands_on("./one", "x")),
        source("src/all.ts", defines=["x"]),
        source("src/one.ts", defines=["x"]),
    ]
    assert defined(files, "src/index.ts", "x") == ["src/one.ts: x"]


def test_what_a_module_imports_for_itself_can_be_imported_from_it() -> None:
    files = [
        source("a.py", Import("b", ("x",), 1, False), Import("c", ("*",), 2, False)),
        source("b.py", defines=["x"]),
    ]
    assert defined([*files, source("c.py", defines=["y"])], "a.py", "x", "y") == [
        "b.py: x",
        "a.py: y",
    ]


def test_a_module_that_is_handed_on_is_the_whole_file() -> None:
    files = [
        source("core/src/lib.rs", hands_on("mod:book")),
        source("core/src/book.rs", defines=["Book"]),
    ]
    files.append(source("top/src/lib.rs", hands_on("core", "book")))
    roots = (("core/Cargo.toml", Root("core", "core/src/lib.rs")),)
    assert defined(files, "top/src/lib.rs", "book", roots=roots) == ["core/src/book.rs"]


def test_cycles_and_long_chains_end_at_the_file_that_was_named() -> None:
    ring = [
        source("a.ts", hands_on("./b", "*")),
        source("b.ts", hands_on("./a", "*"), hands_on("./b", "*")),
    ]
    assert defined(ring, "a.ts", "x") == ["a.ts: x"]
    chain = [source(f"m{at}.ts", hands_on(f"./m{at + 1}", "*")) for at in range(9)]
    assert defined([*chain, source("m9.ts", defines=["x"])], "m0.ts", "x") == [
        "m0.ts: x"
    ]
    assert defined([*chain, source("m9.ts", defines=["x"])], "m1.ts", "x") == [
        "m9.ts: x"
    ]


def test_whole_files_stars_and_unread_files_stay_what_they_are() -> None:
    assert defined([source("a.py")], "a.py") == ["a.py"]
    assert defined([source("a.py")], "a.py", "*") == ["a.py: *"]
    assert defined([], "gone.py", "x") == ["gone.py: x"]
