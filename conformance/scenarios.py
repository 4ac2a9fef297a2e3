"""The scenarios of the suite that apply to this server, and the reasons why others do
not.
"""

from __future__ import annotations

SUITE = "@modelcontextprotocol/conformance"
SUITE_VERSION = "0.2.0-alpha.12"
"""The newest release; the one tagged latest is older and knows no revision after
2025-11-25.
"""

INSPECTOR = "@modelcontextprotocol/inspector"
INSPECTOR_VERSION = "0.17.2"
"""The inspector with a command line; later releases have another command line."""

NODE_VERSION = 22
"""Minimum version of Node.js for the suite. The registry has it as a package, for
machines without Node.js or with an older version.
"""

_IN_ALL = (
    "tools-list",
    "resources-list",
    "prompts-list",
    "server-sse-multiple-streams",
    "dns-rebinding-protection",
)
_RENAMED_IN_ALL = (
    "tools-call-simple-text",
    "tools-call-error",
    "resources-read-text",
    "resources-templates-read",
    "prompts-get-simple",
    "prompts-get-embedded-resource",
)
AS_IT_IS = {
    "2025-11-25": (
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        *_IN_ALL,
    ),
    "2026-07-28": (
        *_IN_ALL,
        "caching",
        "http-header-validation",
        "sep-2164-resource-not-found",
        "input-required-result-unsupported-methods",
        "input-required-result-validate-input",
        "server-stateless",
    ),
}
"""For each revision, the scenarios that run against the command itself."""

RENAMED = {
    "2025-11-25": (*_RENAMED_IN_ALL, "resources-subscribe", "resources-unsubscribe"),
    "2026-07-28": _RENAMED_IN_ALL,
}
"""Scenarios that run through `renamed.py`, because the suite requests resources,
prompts and tools by the names of its own server.
"""

NOT_TESTABLE = {"server-stateless": 4}
"""Checks of a scenario that call diagnostic tools of the suite's own server, and fail
without them.
"""

NAMES = {
    "test://static-text": "cuedeck://scene",
    "test://watched-resource": "cuedeck://scene",
    "test://template/123/data": "cuedeck://card/card123",
    "test_simple_prompt": "resume",
    "test_prompt_with_embedded_resource": "plan-card",
    "test_simple_text": "scene",
    "test_error_handling": "read",
}
"""The name on this server for each name that the suite uses."""

DO_NOT_APPLY = {
    "completion-complete": "the server offers no completion",
    "elicitation-*, input-required-result-*": "they call tools of the suite that ask the person",
    "http-custom-header-server-validation": "no tool has x-mcp-header",
    "json-schema-2020-12": "no tool has a schema with $defs",
    "logging-set-level": "the server sends no log messages to clients",
    "prompts-get-with-args": "checks that a prompt repeats two arguments of the suite's own",
    "prompts-get-with-image": "no prompt has images",
    "resources-read-binary": "the server gives text files only",
    "sep-2640-*, tasks-*": "extensions that the server does not have",
    "server-sse-polling": "needs a tool that closes its stream",
    "tools-call-*": "image, audio, embedded and mixed content, logging, progress, sampling and elicitation of a tool "
    "that the suite describes",
}
