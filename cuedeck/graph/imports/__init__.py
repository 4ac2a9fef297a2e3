"""Resolution of imports between source files: one module per family of languages, and
one resolver for all.

Resolution uses only paths and project files; it reads no source text. If two files
match equally well, the import stays unresolved.
"""

from __future__ import annotations

from cuedeck.graph.imports.base import Imported
from cuedeck.graph.imports.import_resolver import Resolver

__all__ = ["Imported", "Resolver"]
