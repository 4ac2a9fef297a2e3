"""Imports of Java, C#, PHP, C, Ruby and shell scripts."""

from __future__ import annotations

import pytest
from importing import Tree

JAVA = Tree(
    """
    app/src/main/java/org/acme/Shop.java app/src/main/java/org/acme/model/User.java
    app/src/main/java/org/acme/model/Order.java app/src/test/java/org/acme/ShopTest.java
    one/java/org/acme/Twice.java two/java/org/acme/Twice.java
    """
)
CSHARP = Tree(
    """
    src/Shop.Web/Program.cs src/Shop.Web/Models/User.cs src/Shop.Web/Models/Order.cs src/Shop.Core/Clock.cs
    a/Twice/X.cs b/Twice/X.cs
    """
)
PHP = Tree(
    """
    composer.json app/Models/User.php app/Http/Kernel.php lib/functions.php public/index.php
    packages/mail/src/Transport/Smtp.php
    """,
    ("composer.json", "App\\", "app"),
)
C = Tree(
    """
    src/parser.c src/parser.h src/util/string.h include/json/json.h include/deep.h lib/a/twice.h lib/b/twice.h
    src/other.cpp
    """
)
RUBY = Tree(
    """
    Rakefile lib/rack.rb lib/rack/utils.rb lib/rack/json.rb spec/spec_helper.rb spec/rack/utils_spec.rb
    gems/one/lib/shared.rb gems/two/lib/shared.rb gems/two/lib/two.rb
    """
)
SHELL = Tree("bin/run.sh bin/lib/log.sh scripts/env.sh env.sh")


@pytest.mark.parametrize(
    ("spec", "names", "taken"),
    [
        ("org.acme.model.User", (), ["app/src/main/java/org/acme/model/User.java"]),
        (
            "org.acme.model.User.Builder",
            (),
            ["app/src/main/java/org/acme/model/User.java: Builder"],
        ),
        ("org.acme.Shop", ("open",), ["app/src/main/java/org/acme/Shop.java: open"]),
        ("org.acme.model", ("User",), ["app/src/main/java/org/acme/model/User.java"]),
        ("org.acme.Twice", (), []),
        ("java.util.List", (), []),
    ],
)
def test_java_classes_are_files(
    spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert JAVA.takes("app/src/test/java/org/acme/ShopTest.java", spec, *names) == taken


@pytest.mark.parametrize(
    "written", [("org.acme.model.*", ()), ("org.acme.model", ("*",))]
)
def test_all_of_a_java_package_is_its_folder(
    written: tuple[str, tuple[str, ...]],
) -> None:
    folder = "app/src/main/java/org/acme/model"
    taken = [f"{folder}/Order.java", f"{folder}/User.java"]
    assert (
        JAVA.takes("app/src/test/java/org/acme/ShopTest.java", written[0], *written[1])
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
def test_csharp_namespaces_are_folders(spec: str, taken: list[str]) -> None:
    assert CSHARP.takes("src/Shop.Web/Program.cs", spec) == taken


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
def test_php_classes_follow_their_namespace(
    spec: str, names: tuple[str, ...], taken: list[str]
) -> None:
    assert PHP.takes("public/index.php", spec, *names) == taken


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
def test_headers_lie_beside_the_file_or_are_the_only_ones(
    spec: str, taken: list[str]
) -> None:
    assert C.takes("src/parser.c", spec) == taken
    assert C.takes("src/other.cpp", spec) == taken


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
def test_ruby_requires_from_its_load_path(
    path: str, spec: str, taken: list[str]
) -> None:
    assert RUBY.takes(path, spec) == taken


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
def test_scripts_are_sourced_from_the_file_or_the_top(
    spec: str, taken: list[str]
) -> None:
    assert SHELL.takes("bin/run.sh", spec) == taken
