"""Imports of packages of the workspace under the name of a renamed dependency."""

from __future__ import annotations

import pytest
from import_trees import SourceTree

RUST = SourceTree.of_files(
    "app/src/main.rs cli/src/main.rs beta/source/root.rs beta/source/io.rs",
    {
        "Cargo.toml": """
            [workspace]
            members = ["app", "beta", "cli"]
            [workspace.dependencies]
            shared = { package = "beta-core", path = "beta" }
        """,
        "beta/Cargo.toml": """
            [package]
            name = "beta-core"
            [lib]
            name = "beta"
            path = "source/root.rs"
        """,
        "app/Cargo.toml": """
            [package]
            name = "app"
            [dependencies]
            alpha-x = { package = "beta-core", path = "../beta" }
            serde2 = { package = "serde", version = "1" }
            [target.'cfg(unix)'.dev-dependencies]
            b = { package = "beta-core", version = "1" }
        """,
        "cli/Cargo.toml": """
            [package]
            name = "cli"
            [dependencies]
            shared = { workspace = true }
        """,
    },
)
SCRIPT = SourceTree.of_files(
    "app/a.ts ui/src/index.ts ui/src/button.ts lib/index.js",
    {
        "ui/package.json": """{
            "name": "@acme/ui",
            "exports": {".": "./src/index.ts", "./button": "./src/button.ts"}
        }""",
        "lib/package.json": """{"name": "@acme/lib"}""",
        "app/package.json": """{
            "name": "app",
            "dependencies": {
                "ui": "workspace:@acme/ui@*",
                "ui2": "file:../ui",
                "ui3": "workspace:../ui",
                "ui4": "npm:@acme/ui@^1.0.0",
                "@acme/ui": "workspace:^",
                "odd": "workspace:*",
                "web": "https://example.org/ui.tgz"
            },
            "devDependencies": {"kit": "link:../lib", "tool": "../lib"}
        }""",
    },
)
GO = SourceTree.of_files(
    "main.go old/x/x.go fork/y/y.go fork/y.go",
    {
        "go.mod": """
module example.com/app

require example.com/old v1.0.0

replace example.com/old => ./old

replace (
\texample.com/up v1.2.3 => ../elsewhere
\texample.com/gone/v2 v2.0.0 => example.com/fork v1.0.0 // kept
)
""",
        "go.work": """
use .
replace example.com/work => ./fork
""",
        "fork/go.mod": "module example.com/fork\n",
    },
)


@pytest.mark.parametrize(
    ("tree", "path", "spec", "taken"),
    [
        (RUST, "app/src/main.rs", "alpha_x::io", ["beta/source/io.rs"]),
        (RUST, "app/src/main.rs", "b::Thing", ["beta/source/root.rs"]),
        (RUST, "cli/src/main.rs", "shared::io", ["beta/source/io.rs"]),
        (RUST, "cli/src/main.rs", "beta::io", ["beta/source/io.rs"]),
        (RUST, "app/src/main.rs", "serde2::Value", []),
        (SCRIPT, "app/a.ts", "ui", ["ui/src/index.ts"]),
        (SCRIPT, "app/a.ts", "ui/button", ["ui/src/button.ts"]),
        (SCRIPT, "app/a.ts", "ui2/button", ["ui/src/button.ts"]),
        (SCRIPT, "app/a.ts", "ui3", ["ui/src/index.ts"]),
        (SCRIPT, "app/a.ts", "ui4", ["ui/src/index.ts"]),
        (SCRIPT, "app/a.ts", "@acme/ui", ["ui/src/index.ts"]),
        (SCRIPT, "app/a.ts", "kit", ["lib/index.js"]),
        (SCRIPT, "app/a.ts", "tool", ["lib/index.js"]),
        (SCRIPT, "app/a.ts", "odd", []),
        (SCRIPT, "app/a.ts", "web", []),
        (GO, "main.go", "example.com/old/x", ["old/x/x.go"]),
        (GO, "main.go", "example.com/gone/v2/y", ["fork/y/y.go"]),
        (GO, "main.go", "example.com/work", ["fork/y.go"]),
        (GO, "main.go", "example.com/up", []),
    ],
)
def test_renamed_dependency_leads_to_the_package(
    tree: SourceTree, path: str, spec: str, taken: list[str]
) -> None:
    assert tree.resolve_import(path, spec) == taken
