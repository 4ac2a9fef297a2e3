"""opencode. It has no hook commands, so a plugin runs the hooks.

Source: the types of `@opencode-ai/plugin`, and the program.
"""

from __future__ import annotations

from collections.abc import Mapping

from cuedeck.agents.hosts.base import Event, Hooks, Host
from cuedeck.agents.hosts.setup_types import (
    SERVER_OFF,
    FormFiles,
    Server,
    Setup,
    Switch,
)

_PATH = ".opencode/plugin/cuedeck.js"
_USER = "~/.config/opencode/plugin/cuedeck.js"
_SETTINGS = "opencode.json"
_USER_SETTINGS = "~/.config/opencode/opencode.json"

PLUGIN = r"""import { execFile } from "node:child_process"

const FILE_TOOLS = ["read", "edit", "write", "multiedit", "patch", "apply_patch"]

export const CueDeck = async ({ directory }) => {
  const parents = {} // sessions that gave a subagent its order
  const conversations = {} // rows of JSON: the host has no files that could be read
  const replies = {} // the last one of a turn
  const summarising = {}
  let ending

  // Resolves to the text for the agent: nothing without CueDeck, after an error, and after five seconds.
  const run = (command, sessionID, request) =>
    new Promise((done) => {
      const parent = parents[sessionID]
      const keys = parent ? { session_id: parent, agent_id: sessionID } : { session_id: sessionID }
      const [program, ...words] = command.split(" ")
      const settings = { cwd: directory, timeout: 5000 }
      const child = execFile(program, words, settings, (error, output) => done(error ? "" : output.trim()))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify({ ...keys, cwd: directory, ...request }))
    })

  const note = (sessionID, role, content) => {
    if (parents[sessionID]) return
    const rows = (conversations[sessionID] ??= [])
    rows.push(JSON.stringify({ role, content }))
    rows.splice(0, rows.length - 500)
  }

  const conversation = (sessionID) => conversations[sessionID]?.join("\n").slice(-400000)

  const hooks = {
    "chat.message": async ({ sessionID }, { message, parts }) => {
      const own = parts.filter((part) => part.type === "text" && !part.synthetic)
      if (!own.length) return
      replies[sessionID] = ""
      summarising[sessionID] = false
      const said = own.map((part) => part.text).join("\n")
      // `opencode run` puts its argument into quotation marks.
      const prompt = said.replace(/^"((?:[^"]|\\")*)"$/, (_, text) => text.replaceAll('\\"', '"'))
      note(sessionID, "user", prompt)
      const text = parents[sessionID]
        ? await run("cuedeck hook subagent-start --host opencode", sessionID)
        : await run("cuedeck hook prompt --host opencode", sessionID, { prompt, turn_id: message.id })
      if (text) parts.push({ ...own[0], id: `${parts.at(-1).id}0`, text, synthetic: true })
    },

    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      const content = String(output.output ?? "").slice(-4000)
      note(sessionID, "assistant", [{ type: "tool_use", id: callID, name: tool, input: args }])
      const is_error = Boolean(output.metadata?.exit)
      note(sessionID, "user", [{ type: "tool_result", tool_use_id: callID, content, is_error }])
      if (!FILE_TOOLS.includes(tool)) return
      const request = { tool_name: tool, tool_input: args }
      const text = await run("cuedeck hook post-tool --host opencode", sessionID, request)
      if (text) output.output += `\n\n${text}`
    },

    "experimental.session.compacting": async ({ sessionID }, { context }) => {
      summarising[sessionID] = true
      const request = { conversation: conversation(sessionID) }
      const text = await run("cuedeck hook pre-compact --host opencode", sessionID, request)
      if (text) context.push(text)
    },

    "experimental.text.complete": async ({ sessionID }, { text }) => {
      if (!summarising[sessionID]) note(sessionID, "assistant", (replies[sessionID] = text))
      summarising[sessionID] = false
    },

    event: async ({ event: { type, properties } }) => {
      if (type === "session.created") parents[properties.info.id] = properties.info.parentID
      const { sessionID } = properties
      if (type !== "session.idle" || !replies[sessionID] || parents[sessionID]) return
      const request = { last_assistant_message: replies[sessionID], conversation: conversation(sessionID) }
      ending = run("cuedeck hook stop --host opencode", sessionID, request)
    },

    dispose: async () => ending,
  }

  // An error here must not end the turn.
  const guard = (hook) => (input, output) => hook(input, output).catch(() => {})
  return Object.fromEntries(Object.entries(hooks).map(([name, hook]) => [name, guard(hook)]))
}
"""


def _respond(event: str, context: Mapping[str, str] | None) -> object:
    return context["additionalContext"] if context else ""


_SERVER = Server(_SETTINGS, "mcp", (("type", "local"), ("command", ("cuedeck", "mcp"))))
SETUP = Setup(
    instructions="AGENTS.md",
    next_step="restart opencode in {folder}",
    server_step="`opencode mcp list` shows the server",
    server=_SERVER,
    user=FormFiles(_USER, _SERVER._replace(path=_USER_SETTINGS)),
    plugin=PLUGIN,
    switches=(
        Switch((_SETTINGS,), ("mcp", "cuedeck", "enabled"), SERVER_OFF),
        Switch((_SETTINGS,), ("tools", "cuedeck*"), "the tools are switched off"),
    ),
    asks="opencode runs the tools of a server without asking, unless its `permission` says otherwise",
)


HOST = Host(
    "opencode",
    "opencode",
    SETUP,
    Hooks(
        _PATH,
        "flat",
        (
            Event("chat.message", "prompt", 5, context=True),
            Event("chat.message", "subagent-start", 5, context=True),
            Event("tool.execute.after", "post-tool", 5, context=True),
            Event("experimental.session.compacting", "pre-compact", 5, context=True),
            Event("session.idle", "stop", 5),
        ),
        _respond,
        folder_variables=(),
        reads=("read",),
        writes=("edit", "write", "multiedit", "patch", "apply_patch"),
        shells=("bash",),
        restores_context=True,
        user_path=_USER,
    ),
)
