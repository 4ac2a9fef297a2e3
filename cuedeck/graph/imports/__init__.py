"""Resolution of imports between source files: one module per family of languages, and
one resolver for all.

Resolution uses only paths and project files; it reads no source text. If two files
match equally well, the import stays unresolved.
"""

from __future__ import annotations

from cuedeck.graph.imports.import_resolver import Resolver
from cuedeck.graph.imports.path_tree import Imported

__all__ = ["Imported", "Resolver"]
