"""Contents of the pages: each function asks operations and returns the values of a
template.

To add a page, write a function and a template, and add a row to `PAGES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from cuedeck.model.errors import CueDeckError, NoActiveCard
from cuedeck.model.formatting import VIEW_WORDS
from cuedeck.model.ports import Json, JsonView
from cuedeck.model.settings_schema import LARGEST_BUDGET, SMALLEST_BUDGET
from cuedeck.shells.operations.search import SIGNALS
from cuedeck.shells.web.asking import Asking

Query = Mapping[str, str]
View = Callable[[Asking, Query], JsonView]

_MOST_NODES = 2_000
"""Nodes of a picture that stay smooth; above it, only a neighbourhood is drawn."""
_MOST_RECORDS = 200
_MOST_STATEMENTS = 500
_MOST_FINDINGS = 500
_STATES = {
    "holds": "in force",
    "check": "to check: its files changed",
    "replaced": "replaced or rejected",
}
"""States of a decision."""


_BLOCKS = {
    "notice": "notices",
    "decisions": "decisions and failed attempts",
    "assumptions": "assumptions",
    "precedents": "past commits like the task",
    "occurrences": "other places with the same identifiers",
    "companions": "files that usually change together",
    "progress": "steps of the work",
    "memory": "records of the memory",
    "experiences": "experiences of earlier work",
}
"""Titles of the blocks of a scene."""


def scene(ask: Asking, query: Query) -> JsonView:
    """The scene: its text, the share of each part, and what another budget changes."""
    from cuedeck.context.scene.build_scene import Request, build_idle
    from cuedeck.context.scene.deliver_scene import deliver

    def make(budget: int) -> tuple[JsonView, str]:
        request = Request(query.get("card") or None, budget or None)
        delivered = deliver(ask.workspace, request, write=False)
        return delivered.masked_report, delivered.text

    try:
        report, text = make(0)
    except NoActiveCard as error:
        idle = build_idle(ask.workspace)
        return {
            "raw": idle.text,
            "error": ask.report(error),
        }
    asked = query.get("budget", "")
    is_number = asked.isdecimal() and len(asked) < 9
    budget = int(asked) if is_number else report["budget"]
    budget = min(max(budget, SMALLEST_BUDGET), LARGEST_BUDGET)
    preview = []
    if budget != report["budget"]:
        preview = _differences(report["visits"], make(budget)[0]["visits"])
    return {
        "scene": report,
        "checked": ask("card validate", name=report["card"]),
        "parts": _parts(report),
        "blocks": _BLOCKS,
        "raw": text,
        "asked": budget,
        "most": max(report["budget"] * 4, 32_000),
        "least": SMALLEST_BUDGET,
        "views": VIEW_WORDS,
        "preview": preview,
    }


def _parts(report: JsonView) -> list[Json]:
    """Return the parts of the budget: visits, blocks and frame."""
    parts = []
    for visit in report["visits"]:
        kind = "card" if visit["depth"] == 0 else visit["tier"]
        parts.append({**visit, "kind": kind, "name": visit["address"]})
    parts += [{**block, "kind": "block"} for block in report["blocks"]]
    used = sum(part["tokens"] for part in parts)
    frame = max(0, report["tokens"] - used)
    return [*parts, {"kind": "frame", "name": "titles and headings", "tokens": frame}]


def _differences(before: Sequence[JsonView], after: Sequence[JsonView]) -> list[Json]:
    known = {visit["address"]: visit for visit in before}
    new = {visit["address"]: visit for visit in after}
    rows = []
    for address, visit in new.items():
        old = known.get(address)
        if old is None:
            rows.append({**visit, "change": "comes"})
        elif old["tokens"] != visit["tokens"]:
            change = "grows" if visit["tokens"] > old["tokens"] else "shrinks"
            rows.append({**visit, "change": change, "before": old["tokens"]})
    gone = [visit for address, visit in known.items() if address not in new]
    return rows + [{**visit, "change": "goes"} for visit in gone]


def why(ask: Asking, query: Query) -> JsonView:
    """Why an address is in the scene or not."""
    found = ask("why", address=query.get("address", ""))
    return {"found": found, "signals": SIGNALS, "views": VIEW_WORDS}


def graph(ask: Asking, query: Query) -> JsonView:
    """The graph of the scene or the workspace, as a picture and as a list."""
    return {"graph": picture(ask, query), "is_scene": query.get("of") != "workspace"}


def picture(ask: Asking, query: Query) -> Json:
    """Return the nodes and edges of a picture; around a node if there are too many."""
    found = dict(ask("graph", scene=query.get("of") != "workspace"))
    if "error" in found:
        return found
    around = query.get("around", "")
    total = len(found["nodes"])
    if not around and total > _MOST_NODES:
        around = found["nodes"][0]["address"]
    if around:
        near = _near(found["edges"], around)
        found["nodes"] = [each for each in found["nodes"] if each["address"] in near]
        found["edges"] = [
            each for each in found["edges"] if {each["source"], each["target"]} <= near
        ]
    return {**found, "total": total, "around": around}


def _near(edges: Sequence[Mapping[str, str]], start: str) -> set[str]:
    """Return the nodes at most two edges from `start`."""
    found = {start}
    for _ in range(2):
        reached = set(found)
        for edge in edges:
            if edge["source"] in found or edge["target"] in found:
                reached.update((edge["source"], edge["target"]))
        found = reached
        if len(found) > _MOST_NODES:
            break
    return found


def read(ask: Asking, query: Query) -> JsonView:
    """The text at an address, why it is in the scene, and its neighbours."""
    address = query.get("address", "")
    layer = query.get("layer", "L2")
    found = ask("read", address=address, numbers=True, layer=layer)
    shown = found.get("address", address)
    edges = ask("graph").get("edges", ())
    near = [each for each in edges if shown in (each["source"], each["target"])]
    return {
        "found": found,
        "why": ask("why", address=address),
        "neighbours": near[:50],
        "address": address,
        "layer": layer,
    }


def cards(ask: Asking, query: Query) -> JsonView:
    """The board of cards by status."""
    return {
        "found": ask("card list", status="all"),
        "statuses": ("todo", "active", "done", "archived"),
    }


def card(ask: Asking, query: Query) -> JsonView:
    """One card: its text, check boxes, dependencies and fields."""
    name = query.get("name", "")
    found = ask("card show", name=name)
    return {
        "found": found,
        "card": found.get("card", {}),
        "progress": ask("progress list"),
        "deps": ask("card deps", name=name),
    }


def sessions(ask: Asking, query: Query) -> JsonView:
    """The sessions, and what the next one receives."""
    from cuedeck.agents.hooks.session_brief import make_brief
    from cuedeck.knowledge.statements.list_statements import list_conversations

    try:
        brief = make_brief(ask.workspace).text
    except CueDeckError as error:
        brief = ask.report(error)["message"]
    prompt = query.get("prompt", "")
    digest = ask("recall", text=prompt, digest=True) if prompt.strip() else {}
    listed = ask("session list")
    known = {row["session"] for row in listed.get("sessions", ())}
    others = []
    for name in list_conversations(ask.workspace.paths):
        said = () if name in known else statements(ask, name)
        others += [{**each, "name": name} for each in said[:1]]
    return {
        "sessions": listed,
        "others": others,
        "progress": ask("progress list"),
        "brief": brief,
        "prompt": prompt,
        "digest": digest,
    }


def session(ask: Asking, query: Query) -> JsonView:
    """One session as a timeline of what was said, tried, decided and changed."""
    name = query.get("name", "")
    found = ask("session show", name=name)
    rows: list[Json] = []
    for point in found.get("checkpoints", ()):
        words = filter(None, [*point["written"], *point["commits"], point["text"]])
        if text := ", ".join(words):
            rows.append(_row(point["timestamp"], "changed", text))
    for each in found.get("progress", ()):
        rows.append(_row(each["timestamp"], each["state"], each["text"]))
    for note in found.get("notes", ()):
        rows.append(_row(note["timestamp"], "note", note["text"]))
    for each in ask("decision list", everything=True).get("decisions", ()):
        if each["session"] == name:
            address = f"decision:{each['id']}"
            rows.append(_row(each["timestamp"], "decided", each["decision"], address))
    for each in ask("attempt list").get("attempts", ()):
        if each["session"] == name:
            text = f"{each['tried']}: {each['failed']}"
            rows.append(_row(each["timestamp"], "tried", text))
    rows += statements(ask, name)
    rows.sort(key=lambda row: row["time"])
    return {"found": found, "name": name, "rows": rows[-_MOST_STATEMENTS:]}


def _row(time: str, kind: str, text: str, address: str = "") -> Json:
    return {"time": time, "kind": kind, "text": text, "address": address}


def statements(ask: Asking, session: str = "") -> list[Json]:
    """Return the statements of a session, or of all, as rows of a timeline."""
    from cuedeck.knowledge.statements.list_statements import list_statements

    rows = []
    for each in list_statements(ask.workspace.paths, session):
        row = _row(each.get("timestamp", ""), each["kind"], each["text"])
        rows.append({**row, "speaker": each.get("speaker"), "id": each["id"]})
    return rows


def decisions(ask: Asking, query: Query) -> JsonView:
    """The decisions with their freshness and what they superseded."""
    q = query.get("q", "")
    words = q.casefold().split()
    found = ask("decision list", everything=True)
    names = {}
    rows = []
    for row in found.get("decisions", ()):
        names[row["id"]] = row["decision"]
        text = f"{row['decision']} {row['rationale']}".casefold()
        if all(word in text for word in words):
            rows.append({**row, "state": _state(row)})
    state = query.get("state", "")
    rows = [row for row in rows[::-1] if state in ("", row["state"])]
    return {
        "found": found,
        "rows": rows,
        "names": names,
        "q": q,
        "state": state,
        "states": _STATES,
        "attempts": ask("attempt list"),
        "assumptions": ask("assumption list"),
    }


def _state(row: JsonView) -> str:
    if row["status"] in ("superseded", "rejected"):
        return "replaced"
    return "holds" if row["mark"] in ("", "fresh") else "check"


def memory(ask: Asking, query: Query) -> JsonView:
    """Records, rules, experiences, files, the cortex tree and the search in them."""
    part = query.get("part", "records")
    q = query.get("q", "")
    values: Json = {"part": part, "q": q}
    if part == "records":
        where = {"where": "all", "contains": q} if q else {}
        found = ask("memory list", limit=_MOST_RECORDS, **where)
        values["found"] = {**found, "records": found.get("records", [])[::-1]}
    elif part == "rules":
        rows = statements(ask)
        kinds = ("rule", "correction")
        rules = [row for row in rows if row["kind"] in kinds]
        values["rows"] = rules[-_MOST_STATEMENTS:]
    elif part == "experiences":
        values["found"] = ask("experience list")
    elif part == "files":
        values |= _memory_files(ask, query)
    elif part == "cortex":
        values["found"] = ask("cortex tree", address=query.get("address", ""))
    elif q:
        values["found"] = ask("recall", text=q, explain=True, limit=20)
    return values


def _memory_files(ask: Asking, query: Query) -> Json:
    from cuedeck.knowledge.memory.read_memory_file import daily_logs, fixed_names

    memory = ask.memory()
    names = list(fixed_names(memory))
    names += [log["path"] for log in daily_logs(memory)]
    name = query.get("name", names[0])
    return {"names": names, "name": name, "file": ask("memory read", file=name)}


def health(ask: Asking, query: Query) -> JsonView:
    """The findings of doctor, each with its command."""
    found = ask("doctor")
    listed = found.get("findings", ())
    return {"found": {**found, "findings": listed[:_MOST_FINDINGS]}, "all": len(listed)}


class Page(NamedTuple):
    """A page: its title, its purpose and its contents."""

    title: str
    about: str
    view: View
    template: str
    in_menu: bool = True


PAGES: Mapping[str, Page] = {
    "/": Page("Scene", "What the agent receives", scene, "scene.html"),
    "/graph": Page("Graph", "How the files are linked", graph, "graph.html"),
    "/cards": Page("Cards", "Tasks by status", cards, "cards.html"),
    "/sessions": Page(
        "Sessions", "What happened, and what comes next", sessions, "sessions.html"
    ),
    "/decisions": Page(
        "Decisions", "What was decided and tried", decisions, "decisions.html"
    ),
    "/memory": Page("Memory", "What is remembered", memory, "memory.html"),
    "/health": Page("Health", "Problems, and their repair", health, "health.html"),
    "/card": Page("Card", "", card, "card.html", in_menu=False),
    "/session": Page("Session", "", session, "session.html", in_menu=False),
    "/read": Page("Text", "", read, "read.html", in_menu=False),
    "/why": Page("Why", "", why, "why.html", in_menu=False),
}
"""Pages by path, in the order of the menu."""
