"""Layers of a memory: a preference, an entity, an event, a case …"""

from __future__ import annotations

from cuedeck.knowledge.layers.document_layers import Document, document_layers
from cuedeck.knowledge.layers.layer_values import ABSTRACT_TOKENS, LayerPair
from cuedeck.knowledge.layers.timeline_layers import Message, extract_text
from cuedeck.model.ports import Count
from cuedeck.text.line_budget import cut_text


def entry_layers(kind: str, key: str, body: str, count: Count) -> LayerPair:
    """Return the layers of a memory: `kind: key — text` as abstract, the whole text as
    overview if it fits.
    """
    label = f"{kind}: {key}" if kind else key
    return text_layers(label, body, count)


def text_layers(title: str, text: str, count: Count) -> LayerPair:
    """Return the layers of a text without structure: a message or a plain text file."""
    document = document_layers(Document(title, text), count)
    flat = " ".join(text.split())
    whole = f"{title} — {flat}" if title else flat
    if count.count(whole) <= ABSTRACT_TOKENS:
        return LayerPair(whole, document.overview, document.is_whole)
    head = f"{title} — " if title else ""
    room = ABSTRACT_TOKENS - count.count(head)
    extract = extract_text([Message("", "", "", text)], count, room)
    abstract = cut_text(f"{head}{extract}", count, ABSTRACT_TOKENS)
    return LayerPair(abstract, document.overview, document.is_whole)
