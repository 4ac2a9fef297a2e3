"""Imports and tables that servers load once, so that the commands in their children
need not.
"""

from __future__ import annotations

import contextlib
import importlib
import pkgutil
import tempfile

_LAZY_IMPORTS = (
    "cronsim", "difflib", "encodings.ascii", "encodings.utf_8_sig", "filelock", "frontmatter", "importlib.metadata",
    "logging", "lz4.frame", "networkx", "pwd", "pyromark", "sqlite3", "Stemmer",
    "tomllib", "tree_sitter", "tree_sitter_python", "watchfiles", "yaml",
)  # fmt: skip
"""Modules that commands import lazily, without the tokenizer: some tests need it not to
be imported.
"""


def import_modules(servers: bool = False) -> None:
    """Import the package, with its servers or without, and the modules that its
    commands import lazily; open the ranks of tokens.
    """
    import cuedeck

    for module in pkgutil.walk_packages(cuedeck.__path__, "cuedeck."):
        if module.name.endswith("__main__"):
            continue
        if servers or not {"mcp", "web"} & set(module.name.split(".")):
            importlib.import_module(module.name)
    for name in _LAZY_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from cuedeck.store.tokens.bpe_ranks import share_ranks

    share_ranks("o200k_base", tempfile.gettempdir())
