"""Imports of Java, C#, PHP, C, Ruby and shell scripts."""

from __future__ import annotations

import pytest
from import_trees import SourceTree

JAVA = SourceTree(
    """
    app/src/main/java/org/acme/Shop.java app/src/main/java/org/acme/model/User.java
    app/src/main/java/org/acme/model/Order.java app/src/test/java/org/acme/ShopTest.java
    one/java/org/acme/Twice.java two/java/org/acme/Twice.java
    """
)
CSHARP = SourceTree(
    """
    src/Shop.Web/Program.cs src/Shop.Web/Models/User.cs src/Shop.Web/Models/Order.cs src/Shop.Core/Clock.cs
    a/Twice/X.cs b/Twice/X.cs
    """
)
PHP = SourceTree(
    """
    composer.json app/Models/User.php app/Http/Kernel.php lib/functions.php public/index.php
    packages/mail/src/Transport/Smtp.php
    """,
    ("composer.json", "App\\", "app"),
)
C = SourceTree(
    """
    src/parser.c src/parser.h src/util/string.h include/json/json.h include/deep.h lib/a/twice.h lib/b/twice.h
    src/other.cpp
    """
)
RUBY = SourceTree(
    """
    Rakefile lib/rack.rb lib/rack/utils.rb lib/rack/json.rb spec/spec_helper.rb spec/rack/utils_spec.rb
    gems/one/lib/shared.rb gems/two/lib/shared.rb gems/two/lib/two.rb
    """
)
SHELL = SourceTree("bin/run.sh bin/lib/log.sh scripts/env.sh env.sh")


@pytest.mark.parametrize(
    ("spec", "names", "taken"),
    [
        ("org.acme.model.User", (), ["app/src/main/java/org/acme/model/User.java"]),
        (
            "org.acme.model.User.Builder",
            (),
            ["app/src/main/java/org/acme/model/User.java"],
        ),
        ("org.acme.Shop", ("open",), ["app/src/main/java/org/acme/Shop.java"]),
        ("org.acme.model", ("User",), ["app/src/main/java/org/acme/model/User.java"]),
        ("org.acme.Twice", (), []),
        ("java.util.List", (), []),
    ],
)
def test_java_classes_resolve_to_files(
    spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert (
        JAVA.resolve_import("app/src/test/java/org/acme/ShopTest.java", spec, *names)
        == taken
    )


@pytest.mark.parametrize(
    "written", [("org.acme.model.*", ()), ("org.acme.model", ("*",))]
)
def test_java_wildcard_import_resolves_to_the_folder(
    written: tuple[str, tuple[str, ...]],
) -> None:
    folder = "app/src/main/java/org/acme/model"
    taken = [f"{folder}/Order.java", f"{folder}/User.java"]
    assert (
        JAVA.resolve_import(
            "app/src/test/java/org/acme/ShopTest.java", written[0], *written[1]
        )
        == taken
    )


@pytest.mark.parametrize(
    ("spec", "taken"),
    [
        (
            "Shop.Web.Models",
            ["src/Shop.Web/Models/Order.cs", "src/Shop.Web/Models/User.cs"],
        ),
        ("Shop.Core", ["src/Shop.Core/Clock.cs"]),
        ("Shop.Web.Models.User", ["src/Shop.Web/Models/User.cs"]),
        ("Acme.Shop.Core", ["src/Shop.Core/Clock.cs"]),
        ("Twice", []),
        ("System.Text", []),
    ],
)
def test_csharp_namespaces_resolve_to_folders(spec: str, taken: list[str]) -> None:
    assert CSHARP.resolve_import("src/Shop.Web/Program.cs", spec) == taken


@pytest.mark.parametrize(
    ("spec", "names", "taken"),
    [
        ("App\\Models\\User", (), ["app/Models/User.php"]),
        ("\\App\\Http\\Kernel", (), ["app/Http/Kernel.php"]),
        ("App", ("Kernel",), []),
        ("App\\Models", ("User",), ["app/Models/User.php"]),
        ("Acme\\Mail\\Transport\\Smtp", (), ["packages/mail/src/Transport/Smtp.php"]),
        ("../lib/functions.php", (), ["lib/functions.php"]),
        ("/../lib/functions.php", (), ["lib/functions.php"]),
        ("lib/functions.php", (), ["lib/functions.php"]),
        ("functions.php", (), ["lib/functions.php"]),
        ("Smtp", (), []),
    ],
)
def test_php_classes_resolve_by_their_namespace(
    spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert PHP.resolve_import("public/index.php", spec, *names) == taken


@pytest.mark.parametrize(
    ("spec", "taken"),
    [
        ('"parser.h"', ["src/parser.h"]),
        ('"../include/deep.h"', ["include/deep.h"]),
        ('"deep.h"', ["include/deep.h"]),
        ("<deep.h>", ["include/deep.h"]),
        ("<json/json.h>", ["include/json/json.h"]),
        ('"string.h"', ["src/util/string.h"]),
        ("<string.h>", []),
        ("<twice.h>", []),
        ('"twice.h"', []),
        ("<vector>", []),
    ],
)
def test_headers_resolve_to_the_same_folder_or_a_unique_file(
    spec: str, taken: list[str]
) -> None:
    assert C.resolve_import("src/parser.c", spec) == taken
    assert C.resolve_import("src/other.cpp", spec) == taken


@pytest.mark.parametrize(
    ("path", "spec", "taken"),
    [
        ("spec/rack/utils_spec.rb", "rack/utils", ["lib/rack/utils.rb"]),
        ("spec/rack/utils_spec.rb", "spec_helper", ["spec/spec_helper.rb"]),
        ("spec/rack/utils_spec.rb", "../spec_helper", ["spec/spec_helper.rb"]),
        ("lib/rack.rb", "./rack/utils", ["lib/rack/utils.rb"]),
        ("lib/rack.rb", "json", []),
        ("gems/two/lib/two.rb", "shared", ["gems/two/lib/shared.rb"]),
        ("lib/rack.rb", "shared", []),
        ("Rakefile", "./lib/rack.rb", ["lib/rack.rb"]),
    ],
)
def test_ruby_requires_resolve_from_the_load_path(
    path: str, spec: str, taken: list[str]
) -> None:
    assert RUBY.resolve_import(path, spec) == taken


@pytest.mark.parametrize(
    ("spec", "taken"),
    [
        ("lib/log.sh", ["bin/lib/log.sh"]),
        ("./lib/log.sh", ["bin/lib/log.sh"]),
        ("scripts/env.sh", ["scripts/env.sh"]),
        ("../env.sh", ["env.sh"]),
        ("$HERE/lib/log.sh", ["bin/lib/log.sh"]),
        ("${BASH_SOURCE%/*}/lib/log.sh", ["bin/lib/log.sh"]),
        ('$(dirname "$0")/lib/log.sh', ["bin/lib/log.sh"]),
        ('$(cd "$(dirname "$0")" && pwd)/lib/log.sh', ["bin/lib/log.sh"]),
        ("/etc/profile", []),
    ],
)
def test_scripts_are_sourced_relative_to_the_file_or_the_root(
    spec: str, taken: list[str]
) -> None:
    assert SHELL.resolve_import("bin/run.sh", spec) == taken
