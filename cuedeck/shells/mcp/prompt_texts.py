"""MCP prompts: tasks that a person can give the agent, with the required state
included.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import mcp_types as types

from cuedeck.context.scene.build_scene import Request, make_or_idle, make_scene
from cuedeck.engine.open_session import NoOpenSession
from cuedeck.model.errors import Invalid, NotFound
from cuedeck.model.formatting import abbreviate, replace_surrogates
from cuedeck.shells.mcp.resources import MARKDOWN, SCENE
from cuedeck.shells.mcp.tool_result import dump

if TYPE_CHECKING:
    from cuedeck.engine.live.live_workspace import LiveWorkspace

_RESUME = """\
Continue the work in this workspace. Call `session` with action `resume`. State in two sentences the last action, the
changes since then and the next step, then do the next step. Record your work with `session` (actions note and progress)
and decisions with `decide`."""
_PLAN = """\
Plan the work on this card before you change a file. Read the files that it refers to (`read`, `find`). List the files
to change, in order, and the test that shows that the work is done. Record each assumption with `assume`. Add missing
refs with `cards` (action `refs`). Record each step with `session` (action `progress`, state `todo`)."""
_DECIDE = """\
Record a decision with `decide`: the choice in one sentence (`text`), the reason (`because`), the rejected alternatives
with reasons (`alternatives`), the files or symbols that it applies to (`affects`), its consequences (`impact`). First
search for earlier decisions on the subject with `find` and `recall`; if the new one replaces an earlier one, give its
id as `supersedes`. Ask if the reason is not clear."""


class Template(NamedTuple):
    """A prompt."""

    name: str
    title: str
    about: str
    argument: types.PromptArgument
    write: Callable[[LiveWorkspace, Mapping[str, str]], tuple[str, str]]
    """Returns the text, and the scene to attach or an empty string."""


def _argument(name: str, about: str, *, required: bool = False) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=about, required=required)


def _resume(workspace: LiveWorkspace, given: Mapping[str, str]) -> tuple[str, str]:
    from cuedeck.work.sessions.list_sessions import read_status

    name = given.get("session", "")
    which = f"\n\nThe session is `{name}`." if name else ""
    try:
        state = f"\n\nThe open session:\n{dump(read_status(workspace))}"
    except NoOpenSession:
        state = "\n\nNo session is open; `resume` resumes the last one, `start` starts a new one."
    return _RESUME + which + ("" if name else state), make_or_idle(workspace).text


def _plan(workspace: LiveWorkspace, given: Mapping[str, str]) -> tuple[str, str]:
    return _PLAN, make_scene(workspace, Request(given.get("card") or None)).text


def _decide(workspace: LiveWorkspace, given: Mapping[str, str]) -> tuple[str, str]:
    return f"{_DECIDE}\n\nThe decision: {given['decision']}", ""


PROMPTS = {
    each.name: each
    for each in (
        Template(
            "resume",
            "Resume work",
            "Continue where the last session ended.",
            _argument("session", "id of a session; default: the last one"),
            _resume,
        ),
        Template(
            "plan-card",
            "Plan a card",
            "Plan the work on a card from its context.",
            _argument("card", "id or title of a card; default: the active one"),
            _plan,
        ),
        Template(
            "record-decision",
            "Record a decision",
            "Record a decision with its reasons.",
            _argument("decision", "the decision, in a sentence", required=True),
            _decide,
        ),
    )
}
_LONGEST = 10_000


def listed() -> list[types.Prompt]:
    """Return the prompts in the form of the protocol."""
    return [
        types.Prompt(
            name=each.name,
            title=each.title,
            description=each.about,
            arguments=[each.argument],
        )
        for each in PROMPTS.values()
    ]


def check(name: str, given: Mapping[str, str]) -> Template:
    """Return the prompt with this name. Raises: NotFound; Invalid, which names the
    argument.
    """
    template = PROMPTS.get(name)
    if template is None:
        raise NotFound(
            f"there is no prompt `{abbreviate(name)}`",
            hint=f"one of {', '.join(PROMPTS)}",
        )
    argument = template.argument
    text = given.get(argument.name, "")
    if argument.required and not text.strip():
        hint = argument.description or ""
        raise Invalid(f"`{argument.name}` is missing", hint=hint)
    if len(text) > _LONGEST:
        raise Invalid(
            f"`{argument.name}` has {len(text):,} characters",
            hint=f"at most {_LONGEST:,}",
        )
    return template


def to_result(template: Template, text: str, scene: str) -> types.GetPromptResult:
    """Return the text and the scene of a prompt as an SDK result."""
    content: list[types.ContentBlock] = [
        types.TextContent(text=replace_surrogates(text))
    ]
    if scene:
        shown = replace_surrogates(scene)
        resource = types.TextResourceContents(uri=SCENE, text=shown, mime_type=MARKDOWN)
        content.append(types.EmbeddedResource(resource=resource))
    messages = [types.PromptMessage(role="user", content=each) for each in content]
    return types.GetPromptResult(description=template.about, messages=messages)
