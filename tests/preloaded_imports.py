"""Imports, tables and regular expressions that servers load once, so that the commands
in their children need not.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pickle
import pkgutil
import re
import socket
import tempfile
from typing import Any

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
        if servers or ".mcp" not in module.name:
            importlib.import_module(module.name)
    for name in _LAZY_IMPORTS:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    from cuedeck.store.tokens.bpe_ranks import share_ranks

    share_ranks("o200k_base", tempfile.gettempdir())


class SharedPatterns:
    """Regular expressions that a child compiled, for the children after it: hooks spend
    a third of their time on them.
    """

    def __init__(self) -> None:
        """Report each expression that a child of this process compiles."""
        re._MAXCACHE = 100_000  # type: ignore[attr-defined]
        self._received, self._sender = socket.socketpair(type=socket.SOCK_DGRAM)
        for end in (self._received, self._sender):
            end.setblocking(False)
        self._compile = re._compiler.compile  # type: ignore[attr-defined]
        self._server = os.getpid()
        re._compiler.compile = self._compile_in_child  # type: ignore[attr-defined]

    def compile_received(self) -> None:
        """Compile what the children reported since the last call."""
        with contextlib.suppress(BlockingIOError):
            while True:
                re.compile(*pickle.loads(self._received.recv(1 << 20)))

    def _compile_in_child(self, pattern: Any, flags: int = 0) -> Any:
        found = self._compile(pattern, flags)
        if os.getpid() != self._server:
            # The socket is full, or a command closed all files.
            with contextlib.suppress(OSError):
                self._sender.send(pickle.dumps((pattern, flags)))
        return found
