"""Edges nobody wrote: which code imports, tests and documents which, and what changed together; for pictures."""

from __future__ import annotations

from cuedeck.graph.derived.code import code_arrows
from cuedeck.graph.derived.documents import Mention, document_arrows
from cuedeck.graph.derived.near import Near, choose_near
from cuedeck.graph.derived.together import cochange_arrows

__all__ = ["Mention", "Near", "choose_near", "cochange_arrows", "code_arrows", "document_arrows"]
