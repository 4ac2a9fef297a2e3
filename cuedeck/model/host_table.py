"""Table of agent hosts.

Source: documentation and code of the hosts as of 2026; the names of events, matchers and files are theirs.
"""

from __future__ import annotations

from cuedeck.model.host import Allow, Borrowed, Event, Hooks, Host, Limit, Server, Switch

_CLAUDE_SETTINGS = (".claude/settings.local.json", ".claude/settings.json", "~/.claude/settings.json")
"""Settings files of each host, highest precedence first."""
_CODEX_SETTINGS = (".codex/config.toml", "~/.codex/config.toml")
_GEMINI_SETTINGS = (".gemini/settings.json", "~/.gemini/settings.json")
_QWEN_SETTINGS = (".qwen/settings.json", "~/.qwen/settings.json")
_CODE_SETTINGS = (
    ".vscode/settings.json",
    "~/.config/Code/User/settings.json",
    "~/Library/Application Support/Code/User/settings.json",
    "~/AppData/Roaming/Code/User/settings.json",
)
_STDIO = (("type", "stdio"), ("command", "cuedeck"))
_HERE = ("mcp",)
_THERE = ("mcp", "-C", "${workspaceFolder}")
"""Arguments for hosts that may start servers in any folder."""

CLAUDE = Host(
    name="claude",
    title="Claude Code",
    hooks=Hooks(
        ".claude/settings.json",
        "grouped",
        (
            Event("SessionStart", "session-start", 10, "startup|resume|clear|compact"),
            Event("UserPromptSubmit", "prompt", 5),
            Event("PreCompact", "pre-compact", 30, "manual|auto"),
            Event("PostToolUse", "post-tool", 5, "Read|Edit|MultiEdit|Write|NotebookEdit"),
            Event("Stop", "stop", 10),
            Event("SessionEnd", "session-end", 10),
        ),
    ),
    server=Server(".mcp.json", "mcpServers", (*_STDIO, ("args", _HERE))),
    instructions="CLAUDE.md",
    next_step="restart Claude Code in {folder} and approve the server `cuedeck`; /hooks and /mcp show both",
    limit=Limit(40_000, "characters", "Claude Code warns and works worse"),
    hooks_too=("~/.claude/settings.json", ".claude/settings.local.json"),
    servers_too=("~/.claude.json",),
    switches=(
        Switch(_CLAUDE_SETTINGS, ("disableAllHooks",), "is", True, "all hooks are switched off"),
        Switch(_CLAUDE_SETTINGS, ("disabledMcpjsonServers",), "lists", "cuedeck", "the server is switched off"),
    ),
    imports=True,
    allow=Allow(".claude/settings.json", ("permissions", "allow"), "mcp__cuedeck__{}"),
)

CODEX = Host(
    name="codex",
    title="Codex",
    hooks=Hooks(
        ".codex/hooks.json",
        "grouped",
        (
            Event("SessionStart", "session-start", 10, "startup|resume|clear|compact"),
            Event("UserPromptSubmit", "prompt", 5),
            Event("PreCompact", "pre-compact", 30),
            Event("PostToolUse", "post-tool", 5, "apply_patch|Edit|Write|Bash"),
            Event("Stop", "stop", 10),
            Event("SessionEnd", "session-end", 3),  # the host's maximum
        ),
    ),
    server=Server(".codex/config.toml", "mcp_servers", (("command", "cuedeck"), ("args", _HERE))),
    instructions="AGENTS.md",
    next_step="start codex in {folder} and trust the project; at `Hooks need review` choose `Trust all`; until then "
    "no hook runs",
    limit=Limit(32_768, "bytes", "Codex cuts the rest off, without a word", _CODEX_SETTINGS, "project_doc_max_bytes"),
    hooks_too=("~/.codex/hooks.json", *_CODEX_SETTINGS),
    servers_too=("~/.codex/config.toml",),
    switches=(
        Switch(_CODEX_SETTINGS, ("features", "hooks"), "is", False, "all hooks are switched off"),
        Switch(_CODEX_SETTINGS, ("features", "codex_hooks"), "is", False, "all hooks are switched off"),
        Switch(_CODEX_SETTINGS, ("mcp_servers", "cuedeck", "enabled"), "is", False, "the server is switched off"),
    ),
    trust="~/.codex/config.toml",
    asks="Codex runs tools that change nothing without asking",
    read_instead="AGENTS.override.md",
)

GEMINI = Host(
    name="gemini",
    title="Gemini CLI",
    hooks=Hooks(
        ".gemini/settings.json",
        "grouped",
        (
            Event("SessionStart", "session-start", 10_000),
            Event("BeforeAgent", "prompt", 5_000),
            Event("PreCompress", "pre-compact", 30_000),
            Event("AfterTool", "post-tool", 5_000, "read_file|read_many_files|write_file|replace"),
            Event("AfterAgent", "stop", 10_000),
            Event("SessionEnd", "session-end", 10_000),
        ),
        named=True,
    ),
    server=Server(".gemini/settings.json", "mcpServers", (("command", "cuedeck"), ("args", _HERE))),
    instructions="GEMINI.md",
    next_step="restart gemini in {folder} and trust it; /hooks panel and /mcp list show both",
    hooks_too=("~/.gemini/settings.json",),
    servers_too=("~/.gemini/settings.json",),
    switches=(
        Switch(_GEMINI_SETTINGS, ("hooksConfig", "enabled"), "is", False, "all hooks are switched off"),
        Switch(_GEMINI_SETTINGS, ("hooks", "enabled"), "is", False, "all hooks are switched off"),
        Switch(_GEMINI_SETTINGS, ("tools", "enableHooks"), "is", False, "all hooks are switched off"),
        Switch(_GEMINI_SETTINGS, ("hooksConfig", "disabled"), "lists", "cuedeck", "a hook is switched off"),
        Switch(_GEMINI_SETTINGS, ("hooks", "disabled"), "lists", "cuedeck", "a hook is switched off"),
        Switch(_GEMINI_SETTINGS, ("mcp", "excluded"), "lists", "cuedeck", "the server is switched off"),
        Switch(_GEMINI_SETTINGS, ("mcp", "allowed"), "lacks", "cuedeck", "only other servers are allowed"),
    ),
    imports=True,
    instructions_named=tuple(
        (path, keys) for path in _GEMINI_SETTINGS for keys in (("context", "fileName"), ("contextFileName",))
    ),
    asks='allow each tool when it first asks; `"trust": true` in the entry of the server allows all, also those that '
    "write",
)

CURSOR = Host(
    name="cursor",
    title="Cursor",
    hooks=Hooks(
        ".cursor/hooks.json",
        "flat",
        (
            Event("sessionStart", "session-start", 10),
            Event("beforeSubmitPrompt", "prompt", 5),
            Event("preCompact", "pre-compact", 30),
            Event("afterFileEdit", "post-tool", 5),
            Event("stop", "stop", 10),
            Event("sessionEnd", "session-end", 10),
        ),
        fixed=(("version", 1),),
        typed=False,
    ),
    server=Server(".cursor/mcp.json", "mcpServers", (*_STDIO, ("args", _THERE))),
    instructions="AGENTS.md",
    next_step="restart Cursor in {folder} and switch the server `cuedeck` on in its settings, under MCP",
    hooks_too=("~/.cursor/hooks.json",),
    borrowed=Borrowed(
        _CLAUDE_SETTINGS, hint="switch third-party configuration off in Cursor's settings, or keep to one of the two"
    ),
    servers_too=("~/.cursor/mcp.json",),
    rule=".cursor/rules/cuedeck.mdc",
    asks="allow each tool when it first asks",
)

VSCODE = Host(
    name="vscode",
    title="VS Code",
    hooks=Hooks(
        ".github/hooks/cuedeck.json",
        "flat",
        (
            Event("SessionStart", "session-start", 10),
            Event("UserPromptSubmit", "prompt", 5),
            Event("PreCompact", "pre-compact", 30),
            Event("PostToolUse", "post-tool", 5),
            Event("Stop", "stop", 10),
        ),
    ),
    server=Server(".vscode/mcp.json", "servers", (*_STDIO, ("args", _THERE))),
    instructions="AGENTS.md",
    next_step="open {folder} in VS Code, trust the workspace, and start `cuedeck` under `MCP: List Servers`",
    hooks_too=(".github/hooks/*.json", "~/.copilot/hooks/*.json"),
    borrowed=Borrowed(
        _CLAUDE_SETTINGS,
        ("chat.useClaudeHooks",),
        _CODE_SETTINGS,
        hint="switch `chat.useClaudeHooks` off, or keep to one of the two",
    ),
    switches=(
        Switch(_CODE_SETTINGS, ("chat.useHooks",), "is", False, "all hooks are switched off"),
        Switch(_CODE_SETTINGS, ("chat.hookFilesLocations", ".github/hooks"), "is", False, "the hooks are switched off"),
        Switch(_CODE_SETTINGS, ("chat.useAgentsMdFile",), "is", False, "AGENTS.md is not read"),
    ),
    asks="allow each tool when it first asks",
)

QWEN = Host(
    name="qwen",
    title="Qwen Code",
    hooks=Hooks(
        ".qwen/settings.json",
        "grouped",
        (  # timeouts in milliseconds, unlike Claude Code, whose format this is
            Event("SessionStart", "session-start", 10_000),
            Event("UserPromptSubmit", "prompt", 5_000),
            Event("PreCompact", "pre-compact", 30_000),
            Event("PostToolUse", "post-tool", 5_000, "read_file|write_file|edit"),
            Event("Stop", "stop", 10_000),
            Event("SessionEnd", "session-end", 10_000),
        ),
    ),
    server=Server(".qwen/settings.json", "mcpServers", (("command", "cuedeck"), ("args", _HERE))),
    instructions="AGENTS.md",
    next_step="restart qwen in {folder}; /hooks and /mcp show both",
    hooks_too=("~/.qwen/settings.json",),
    servers_too=("~/.qwen/settings.json",),
    switches=(
        Switch(_QWEN_SETTINGS, ("disableAllHooks",), "is", True, "all hooks are switched off"),
        Switch(_QWEN_SETTINGS, ("mcp", "excluded"), "lists", "cuedeck", "the server is switched off"),
        Switch(_QWEN_SETTINGS, ("mcp", "allowed"), "lacks", "cuedeck", "only other servers are allowed"),
    ),
    instructions_named=tuple((path, ("context", "fileName")) for path in _QWEN_SETTINGS),
    asks="Qwen Code runs tools that change nothing without asking",
)

OPENCODE = Host(
    name="opencode",
    title="opencode",
    hooks=None,
    server=Server("opencode.json", "mcp", (("type", "local"), ("command", ("cuedeck", "mcp")))),
    instructions="AGENTS.md",
    next_step="restart opencode in {folder}; `opencode mcp list` shows the server",
    servers_too=("~/.config/opencode/opencode.json",),
    switches=(
        Switch(("opencode.json",), ("mcp", "cuedeck", "enabled"), "is", False, "the server is switched off"),
        Switch(("opencode.json",), ("tools", "cuedeck*"), "is", False, "the tools are switched off"),
    ),
    asks="opencode runs the tools of a server without asking, unless its `permission` says otherwise",
)

AGENTS = Host(
    name="agents",
    title="your agent",
    hooks=None,
    server=None,
    instructions="AGENTS.md",
    next_step="restart your agent in {folder}; it reads AGENTS.md",
    asks="`setup agents` registers no server",
)

HOSTS = (CLAUDE, CODEX, GEMINI, CURSOR, VSCODE, QWEN, OPENCODE, AGENTS)
