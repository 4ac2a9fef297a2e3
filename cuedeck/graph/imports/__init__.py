"""Which files of the workspace a source file imports: one module a family of languages, one resolver of them all.

Everything is decided by paths and by what project files say; no text is read and nothing is guessed: where two
files fit equally well, an import leads nowhere.
"""

from __future__ import annotations

from cuedeck.graph.imports.definers import definers
from cuedeck.graph.imports.imported import Imported
from cuedeck.graph.imports.resolver import Resolver

__all__ = ["Imported", "Resolver", "definers"]
