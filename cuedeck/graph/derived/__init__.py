"""Derived edges for drawings: imports, tests, documentation and co-change."""

from __future__ import annotations

from cuedeck.graph.derived.cochange import cochange_arrows
from cuedeck.graph.derived.doc_mentions import Mention, document_arrows
from cuedeck.graph.derived.imports_and_tests import code_arrows
from cuedeck.graph.derived.neighbours import Neighbours, choose_near

__all__ = ["Mention", "Neighbours", "choose_near", "cochange_arrows", "code_arrows", "document_arrows"]
