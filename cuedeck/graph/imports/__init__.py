"""Which files of the workspace a source file imports: one module a family of languages, one resolver of them all.

Everything is decided by paths and by what project files say; no text is read and nothing is guessed: where two
files fit equally well, an import leads nowhere.
"""

from __future__ import annotations

from cuedeck.graph.imports.base import Imported
from cuedeck.graph.imports.import_resolver import Resolver
from cuedeck.graph.imports.reexports import definers

__all__ = ["Imported", "Resolver", "definers"]
