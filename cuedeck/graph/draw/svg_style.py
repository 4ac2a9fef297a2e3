"""Style sheet and CSS classes of the SVG picture, for light and dark pages."""

from __future__ import annotations

from collections.abc import Collection

from cuedeck.graph.draw.palette import ALL_INKS, INKS

_DASHES = {
    "refs": "",
    "depends_on": "9 4",
    "imports": "5 4",
    "tests": "2 3",
    "cochange": "1 4",
    "affects": "8 3 2 3",
}
_RARE_DASHES = {"documents": "6 2 2 2"}
"""Dashes of rare edge types; only pictures with such edges include these rules."""
_OTHER_DASH = "3 5"
_FONT = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
# Every selector begins with the class of the picture, so that inlining it does not
# affect the classes of a page.
_LIGHT = {
    ".page": "fill:#fff;stroke:#d5dbe1",
    ".plate": "fill:#fff;stroke:#cbd3db",
    ".title,.name": "fill:#1c2127",
    ".small,.head": "fill:#57606a",
    ".line": "stroke:#98a2ad",
    ".tip": "fill:#7b8591",
    ".cyclic .line": "stroke:#cc4a1a",
    ".cyclic .tip": "fill:#cc4a1a",
    ".left-out .plate,.dead .plate": "stroke:#8b95a0",
    ".band": "fill:#f3f5f8",
    ".label": "fill:#57606a;stroke:#fff",
    ".track": "fill:#e3e8ed",
    ".rest": "fill:#a3acb6",
}
_DARK = {
    ".page": "fill:#0f141a;stroke:#2d353e",
    ".plate": "fill:#1c242d;stroke:#38424d",
    ".title,.name": "fill:#eef2f6",
    ".small,.head": "fill:#a3adb8",
    ".line": "stroke:#66717d",
    ".tip": "fill:#8b96a2",
    ".cyclic .line": "stroke:#f58158",
    ".cyclic .tip": "fill:#f58158",
    ".left-out .plate,.dead .plate": "stroke:#6d7883",
    ".band": "fill:#151b22",
    ".label": "fill:#a3adb8;stroke:#0f141a",
    ".track": "fill:#262e37",
    ".rest": "fill:#6b7682",
}
_SHAPE = {
    "text": f"font-family:{_FONT};font-size:11px",
    ".title": "font-size:19px;font-weight:650",
    ".name": "font-size:13.5px;font-weight:600",
    ".head": "font-size:11px;font-weight:600;letter-spacing:.06em",
    ".label": "font-size:10px;text-anchor:end;paint-order:stroke;stroke-width:3;stroke-linejoin:round",
    ".line": "fill:none;stroke-width:1.4",
    ".cyclic .line": "stroke-width:1.8",
    ".cross": "fill:none;stroke-width:3;stroke-linecap:round",
    ".bar .mark": "stroke-width:0",
    ".left-out": "opacity:.72",
    ".left-out .plate,.dead .plate": "stroke-dasharray:5 4",
    ".left-out .mark": "fill-opacity:.25;stroke-width:1.2",
}


def kind_class(kind: str) -> str:
    """Return the CSS class of a box of `kind`."""
    if kind not in INKS:
        return "kind-other"
    return f"kind-{kind}"


def edge_class(edge: str) -> str:
    """Return the CSS class of an arrow of type `edge`."""
    if edge in _DASHES or edge in _RARE_DASHES:
        return f"edge-{edge}"
    return "edge-other"


def style_sheet(edges: Collection[str]) -> str:
    """Return the style sheet of a picture with edges of these types."""
    rare = {}
    for edge, dash in _RARE_DASHES.items():
        if edge in edges:
            rare[edge] = dash
    return STYLE + _rules(_dash_rules(rare))


def _rules(table: dict[str, str]) -> str:
    text = ""
    for selectors, body in table.items():
        scoped = ",".join(f".cuedeck {selector}" for selector in selectors.split(","))
        text += f"{scoped}{{{body}}}"
    return text


def _kinds(bright: bool) -> dict[str, str]:
    rules = {}
    for kind, colours in ALL_INKS.items():
        colour = colours.bright if bright else colours.strong
        rules[f".kind-{kind} .mark"] = f"fill:{colour};stroke:{colour}"
        rules[f".kind-{kind} .cross"] = f"stroke:{colour}"
    return rules


def _dashes() -> dict[str, str]:
    return {
        **_dash_rules(_DASHES),
        ".edge-other .line": f"stroke-dasharray:{_OTHER_DASH}",
    }


def _dash_rules(dashes: dict[str, str]) -> dict[str, str]:
    return {
        f".edge-{edge} .line": f"stroke-dasharray:{dash}"
        for edge, dash in dashes.items()
        if dash
    }


STYLE = (
    _rules({**_SHAPE, **_dashes()})
    + _rules({**_LIGHT, **_kinds(bright=False)})
    + "@media (prefers-color-scheme:dark){"
    + _rules({**_DARK, **_kinds(bright=True)})
    + "}"
)
