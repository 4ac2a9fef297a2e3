"""The table of tools: each runs operations, whose parameters are its arguments."""

from __future__ import annotations

from cuedeck.model.cortex_address import LAYERS
from cuedeck.model.memory_record import CATEGORIES
from cuedeck.model.ports import JsonView
from cuedeck.model.settings_schema import SMALLEST_BUDGET
from cuedeck.shells.mcp import context_tools, tool_runs
from cuedeck.shells.mcp.tool_base import (
    ALWAYS_LOADED,
    LIMIT_KEY,
    SEARCHED,
    Action,
    Tool,
)
from cuedeck.shells.mcp.tool_result import LARGEST_CHARACTERS, MOST_TOKENS
from cuedeck.shells.tool_fields import CURSOR, LONGEST_ADDRESS, Field, limit

_NEXT_PAGE = CURSOR._replace(about="")
_STRING = {"type": "string"}
_HIT = {
    **dict.fromkeys(("address", "path", "kind", "title", "why", "snippet"), _STRING),
    "lines": {"type": "array", "items": {"type": "integer"}},
    "score": {"type": "number"},
}
_HITS: JsonView = {
    "type": "object",
    "properties": {
        "hits": {"type": "array", "items": {"type": "object", "properties": _HIT}},
        "total": {"type": "integer"},
        "next": _STRING,
    },
    "required": ["hits"],
}
"""Output schema of `find`."""

SCENE = Tool(
    "scene",
    "Build context",
    "Context of the task, within a token budget: the active card, the docs and code it refers to, related files, "
    "decisions, failed attempts, progress, memory. Call it first. With `explain` (an address): why it is included "
    "or omitted.",
    (
        "card|id|card_id",
        Field("task", about="text of a task without a card", also=("text",)),
        Field("budget", "number", f"tokens; at most {MOST_TOKENS:,} unless given", least=SMALLEST_BUDGET,
              most=1_000_000),
        Field("explain", also=("why", "address"), longest=LONGEST_ADDRESS),
        Field("related", "flag", "false: linked files only", default=True),
    ),
    {"": Action("scene", run=context_tools.scene)},
    {"card": "instead of the active one"},
    meta={LIMIT_KEY: LARGEST_CHARACTERS, ALWAYS_LOADED: True},
    is_general=True,
)  # fmt: skip
READ = Tool(
    "read",
    "Read an address",
    "Read an address that the context of the task names: a card, doc, section, source file, symbol, line range, "
    "folder, memory file or ledger entry: `docs/auth.md`, `docs/auth.md#LoginFlow`, `src/auth.py#Login.verify`, "
    "`src/auth.py#L10-L40`, `decision:ID`, a card's id. An unknown address returns the nearest matches.",
    (
        "address!|path|uri|ref|id numbers",
        Field("layer", choices=LAYERS[:2], about="abstract or overview"),
        CURSOR,
    ),
    {"": Action("read", run=context_tools.read)},
    {"numbers": "with line numbers"},
    meta={LIMIT_KEY: LARGEST_CHARACTERS, SEARCHED: "context of the task"},
    is_general=True,
)
FIND = Tool(
    "find",
    "Find code and docs",
    "Search the workspace by words for the context of a task: addresses, titles, headings, symbols, text of "
    "cards, docs and code. Best matches first, each with an address for `read`; for an identifier, punctuation "
    "or quotes also every line.",
    (
        "query!|q|words|text kinds|kind",
        Field("tags", "names", also=("tag",)),
        limit(20, 100),
        CURSOR,
    ),
    {"": Action("find", {"query": "text"}, run=context_tools.find_places)},
    output=_HITS,
    meta={SEARCHED: "context of the task"},
    is_general=True,
)


_SETTING = "status title priority assignee tags refs depends_on"
CARDS = Tool(
    "cards",
    "Task cards",
    "Tasks (todos, issues) as cards: list (open unless `status`; `ready`: waits for no other), create, update, "
    "activate (for the scene), done, refs (add and drop docs and code). `read` with an id shows one.",
    (
        "id|card|card_id|task_id title body|description|text status priority assignee",
        "tags|tag|labels refs|ref",
        Field("drop_refs", "names"),
        "depends_on ready blocked",
        limit(30, 500),
        CURSOR,
    ),
    {
        "list": Action("list", pages="cards"),
        "create": Action("card new", run=tool_runs.create_card, takes=f"{_SETTING} body"),
        "update": Action("card edit", {"id": "name"}, run=tool_runs.update_card,
                         takes=f"id {_SETTING} drop_refs"),
        "activate": Action("card activate", {"id": "identity"}),
        "done": Action("card done", {"id": "identity"}),
        "refs": Action("card ref add", {"id": "name"}, run=tool_runs.update_card,
                       takes="id refs drop_refs"),
    },
    {"body": "Markdown of a new card", "refs": "addresses", "depends_on": "ids"},
    writes=True,
    reading=("list",),
    is_strict=True,
)  # fmt: skip


SESSION = Tool(
    "session",
    "Work session",
    "Keep the state of work across restarts and compaction. resume: changes since, last "
    "action, next step. note: `text` (last action) and `next`. progress: `text` with `state`. attempt: `text` was "
    "tried `on` addresses, and how it `failed`. checkpoint: before compaction or a break.",
    (
        "text|note|summary|tried next",
        Field("state", choices=("done", "doing", "todo"), default="done"),
        "on|address failed card workflow session|id",
    ),
    {
        "status": tool_runs.read_status,
        "start": Action("session start", {"session": "name"}),
        "resume": Action("resume", {"session": "name"}),
        "note": Action("session note", {"next": "following"}),
        "progress": tool_runs.record_progress,
        "attempt": Action("attempt add", {"text": "tried"}),
        "checkpoint": Action("session checkpoint"),
        "close": Action("session close"),
    },
    {"card": "for start", "session": "id, for start and resume"},
    writes=True,
    reading=("status",),
)
DECIDE = Tool(
    "decide",
    "Record a decision",
    "Log a decision (ADR) with its rationale. Later scenes with an affected file show it.",
    (
        "text!|decision because|rationale|reason|why",
        Field("alternatives", "texts", about="rejected choices, with reasons"),
        "affects|files|file",
        Field("impact", "texts"),
        "subject supersedes",
    ),
    {"": Action("decide")},
    {"affects": "addresses", "supersedes": "id of the decision it replaces"},
    writes=True,
)


ASSUME = Tool(
    "assume",
    "Record or check assumptions",
    "Record an assumption, with a check that detects when it no longer holds. Without `text`: check all "
    "assumptions. Checks: file_exists=PATH, file_absent=PATH, contains=PATH:TEXT, not_contains=PATH:TEXT, "
    "dependency=NAME>=VERSION, config=PATH:KEY=VALUE, doc_says=ADDRESS:TEXT.",
    (
        "text",
        Field("check"),
        "impact affects",
        Field("resolve", about="id of a failed assumption that was dealt with"),
    ),
    {"": Action("assumption add", run=tool_runs.assume)},
    {"impact": "parts that depend on it", "affects": "addresses"},
    writes=True,
)


_TEXT_CATEGORIES = [name for name, each in CATEGORIES.items() if each.ages]
REMEMBER = Tool(
    "remember",
    "Remember",
    "Save to memory: keep a fact, preference or lesson for later sessions.",
    (
        "text!|content|memory",
        Field("category", about=", ".join(_TEXT_CATEGORIES), default="learned"),
        "sensitivity",
        Field("supersedes", "names", about="ids of records it replaces"),
        "session",
    ),
    {"": Action("memory add", run=tool_runs.remember)},
    writes=True,
)
RECALL = Tool(
    "recall",
    "Recall memory",
    "Search memory by words: facts, preferences, lessons, past work, docs.",
    (
        "query!|q|text kind since until",
        Field("category"),
        Field("session"),
        "tokens explain",
        limit(0, context_tools.MOST_HITS)._replace(least=0),
        CURSOR,
    ),
    {
        "": Action(
            "recall", {"query": "text", "kind": "kinds"}, run=context_tools.recall
        )
    },
    {"since": "day or age: 2026-05-03, 2w", "tokens": "limit of the answer"},
)


FORGET = Tool(
    "forget",
    "Forget a record",
    "Delete a remembered record for good, backups included. Lists the places only, unless `dry_run` is false.",
    ("id!|record", Field("dry_run", "flag", default=True)),
    {"": Action("memory forget", {"id": "identity"}, run=tool_runs.forget)},
    writes=True,
    destroys=True,
    repeats=True,
)


EXPERIENCES = Tool(
    "experiences",
    "Query experiences",
    "Search lessons of past sessions; without `query` the newest.",
    (Field("query", also=("q", "text")), "category", limit(8, 50), _NEXT_PAGE),
    {"": Action("experience list", run=tool_runs.experiences)},
)
DOCTOR = Tool(
    "doctor",
    "Check the workspace",
    "Find dead refs, cycles, broken cards, failed assumptions, bad settings.",
    (limit(50, 500), _NEXT_PAGE),
    {"": Action("doctor", pages="findings")},
)


_CORTEX_READING = ("ls", "search", "explore", "read", "sessions")
CORTEX = Tool(
    "cortex",
    "Cortex",
    "Conversations and memories (cortex://): search or ls, then read.",
    (
        "address|uri|start_uri|scope",
        Field("text", about="query, message", also=("query", "content"), longest=0),
        Field("layer", choices=LAYERS),
        "session|session_id|thread_id role user|user_id agent|agent_id",
        Field("dry_run", "flag", default=True),
        _NEXT_PAGE,
    ),
    {
        "ls": Action("cortex ls", run=tool_runs.list_cortex),
        "search": Action(
            "cortex search", {"text": "query"}, run=tool_runs.search_cortex
        ),
        "explore": Action(
            "cortex explore", {"text": "query"}, run=tool_runs.search_cortex
        ),
        "read": Action("cortex read", run=tool_runs.read_cortex_page),
        "sessions": tool_runs.list_sessions,
        "add": Action("cortex add"),
        "commit": Action("cortex commit"),
        "forget": Action("cortex forget"),
    },
    writes=True,
    reading=_CORTEX_READING,
    destroys=True,
)
TOOLS = (
    SCENE,
    READ,
    FIND,
    CARDS,
    SESSION,
    DECIDE,
    ASSUME,
    REMEMBER,
    RECALL,
    FORGET,
    EXPERIENCES,
    DOCTOR,
    CORTEX,
)
"""All tools, in listing order."""
