"""Renderers of the reference graph as text: one module per format, and the table of
formats.

Every format is a pure function of the Drawing, returns the same bytes for the same
input and ends with one newline.
"""

from __future__ import annotations

from collections.abc import Callable

from cuedeck.graph.draw.ascii_format import draw_ascii
from cuedeck.graph.draw.svg_format import draw_svg
from cuedeck.graph.draw.text_formats import draw_dot, draw_json, draw_mermaid
from cuedeck.model.diagram import Drawing

FORMATS: dict[str, Callable[[Drawing], str]] = {
    "ascii": draw_ascii,
    "mermaid": draw_mermaid,
    "dot": draw_dot,
    "json": draw_json,
    "svg": draw_svg,
}

__all__ = ["FORMATS"]
