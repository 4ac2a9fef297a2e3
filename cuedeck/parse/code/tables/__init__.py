"""The tables of every language, each family in its module."""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.parse.code.rules import Rules
from cuedeck.parse.code.tables.c import CPP, C
from cuedeck.parse.code.tables.csharp import CSHARP
from cuedeck.parse.code.tables.go import GO
from cuedeck.parse.code.tables.java import JAVA
from cuedeck.parse.code.tables.javascript import JAVASCRIPT
from cuedeck.parse.code.tables.php import PHP
from cuedeck.parse.code.tables.python import PYTHON
from cuedeck.parse.code.tables.ruby import RUBY
from cuedeck.parse.code.tables.rust import RUST
from cuedeck.parse.code.tables.shell import BASH

RULES: Mapping[str, Rules] = {
    "python": PYTHON,
    "javascript": JAVASCRIPT,
    "typescript": JAVASCRIPT,
    "tsx": JAVASCRIPT,
    "go": GO,
    "rust": RUST,
    "java": JAVA,
    "c": C,
    "cpp": CPP,
    "csharp": CSHARP,
    "ruby": RUBY,
    "php": PHP,
    "bash": BASH,
}
