"""The scenarios of the suite that apply to this server, and why the others do not."""

from __future__ import annotations

SUITE = "@modelcontextprotocol/conformance@0.1.13"
"""The last release that runs on Node.js 20."""

INSPECTOR = "@modelcontextprotocol/inspector@0.17.2"
"""The client on the command line, the last line of releases for Node.js 20."""

AS_IT_IS = (
    "server-initialize",
    "ping",
    "logging-set-level",
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
"""Asked of the command itself."""

RENAMED = (
    "resources-read-text",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-get-simple",
    "prompts-get-embedded-resource",
    "tools-call-simple-text",
    "tools-call-error",
)
"""Asked through `renamed.py`: the suite asks for resources, prompts and tools by the names of its own server."""

NAMES = {
    "test://static-text": "cuedeck://scene",
    "test://watched-resource": "cuedeck://scene",
    "test://template/123/data": "cuedeck://card/card123",
    "test_simple_prompt": "resume",
    "test_prompt_with_embedded_resource": "plan-card",
    "test_simple_text": "scene",
    "test_error_handling": "read",
}
"""What the suite says, and what is meant here."""

DO_NOT_APPLY = {
    "completion-complete": "no completion is offered",
    "elicitation-*": "no tool asks the person",
    "json-schema-2020-12": "no tool has a schema with $defs",
    "prompts-get-with-args": "checks that a prompt repeats two arguments of the suite's own",
    "prompts-get-with-image": "no prompt has images",
    "resources-read-binary": "files that are no text are not given",
    "server-sse-polling": "needs a tool that closes its stream",
    "tools-call-*": "image, audio, embedded and mixed content, logging, progress, sampling and elicitation of a tool "
    "that the suite describes",
}
