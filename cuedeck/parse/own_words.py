"""Division of the text that a host hands over as the user's: own words of the user,
texts of the host between its markers, and pasted blocks.

Only own words may become an instruction, a preference, a record or an experience. When
in doubt, a text is not the user's: results of tools and subagents arrive in prompts,
and they may imitate the end of a marker.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from cuedeck.parse.pasted_blocks import is_marked, split_pasted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Kind = Literal["words", "marker", "pasted"]

MOST_SHOWN_LINES = 8
"""Lines of the longest pasted block that is stored with own words. It is enclosed in
marks of its own, so that no reader takes it for words of the user.
"""
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*)"
    r"(?P<fields>(?:\s(?:[^<>\"]{0,500}(?:\"[^\"]{0,500}\"[^<>\"]{0,100}){0,8}|[^<>]{0,500}))?)>"
)
_USER_TAGS = frozenset(["user_query", "user-query", "userrequest", "user_request"])
"""Elements in which a host encloses the words of the user; only the tags are removed.
"""
_RESULTS = """
    task-notification subagent_notification subagent-notification agent-notification
    local-command-stdout local-command-stderr bash-stdout bash-stderr bash-input
    tool_result tool-result function_results command-output teammate-message
    """
_RESULT_NAMES = frozenset(_RESULTS.split())
"""Elements with the output of a command, tool or subagent, which may contain closing
tags: everything to the last closing tag of the same name belongs to them.
"""
_HOST_NAMES = frozenset(
    ["system", "reminder", "instructions", "context", "environment", "persisted"]
)
"""Names of host elements of one word; with `-` or `_` in it, every name is taken for
one.
"""
_ADDED_NAMES = ("-reminder", "_reminder", "_context", "-context", "-notification")
"""Ends of the names of elements that hosts append to a line of the user."""
_REQUEST = re.compile(
    r"""
    \s*\#\ (?:context\ from\ my\ ide|files\ mentioned\ by\ the\ user)\b
    (?:(?s:.*)^\#\#\ my\ request\ for\ [^\n]*$ | (?s:.*))
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""The editor's files and selection, which a host writes before the user's request."""
_HOST_TEXTS = re.compile(
    r"""
    ^\ {0,8}(?:
      \[request\ interrupted\b[^\]\n]*\]
    | no\ response\ requested\.?
    | \[(?:image|pasted\ text|attachment|\.{3}truncated)\b[^\]\n]{0,80}\]
    | \(no\ content\)
    | user\ provided\ an\ image\ \([^()\n]*\)\.?
    | @(?:agent|workspace|terminal|vscode)\ (?:try\ again|[^\n"]{0,40}:\ "[^"\n]*"|/\w+[^\n]{0,40})
    | please\ continue\ the\ conversation\ from\ where\ (?:we|you)\ left\b[^\n.]*\.?
    | -\ “[^\n]*”\ \([^()\n]*\)  # a statement or record that CueDeck gave
    | \#\ Project\ context\ of\ CueDeck\n(?s:.*)  # its texts, which reach to the end
    | \#\#\ Relevant\ memory\n\n-\ (?s:.*)
    | Changes\ in\ this\ project\ since\ the\ last\ prompt\ \((?s:.*)
    | \S+[:\#]\S+\ \d{4}-\d\d-\d\d(?:\ \S+)?:\ [^\n]*  # a line of its `recall`
    | ---\ content\ from\ referenced\ files\ ---
      (?:(?s:.*)^---\ end\ of\ content\ --- | (?s:.*))
    | ---\ context\ from:\ [^\n]*
      (?:(?s:.*)^---\ end\ of\ context\ from:\ [^\n]* | (?s:.*))
    )\s{0,8}$
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""Lines that a host writes. Files that it adds reach to the last end, because a file
may imitate one.
"""
_HOST_MESSAGES = re.compile(
    r"""
    [\s\ufeff]*(?:
      this\ session\ is\ being\ continued\ from\ a\ previous\ conversation\b
    | caveat:\ the\ messages\ below\ were\ generated\ by
    | another\ language\ model\ started\ to\ solve\ this\ problem\b
    | implement\ the\ following\ plan:\s*\n\s*\#
    | \#\ (?:AGENTS|CLAUDE|GEMINI|QWEN)\.md\ instructions(?:\ for\b|[ \t\r]*$)
    | base\ directory\ for\ this\ skill:
    | (?:stop|\w+tooluse|userpromptsubmit|sessionstart|subagentstop)(?::\w+)?
      \ hook\ (?:success|feedback|additional|error|(?:non-?)?blocking|stopped|cancelled)\b
    | (?:called|result\ of\ calling)\ the\ \w+\ tool\b
    | \[system(?:\ (?:note|message|notification|reminder)\b[^\]\n]{0,80})?[\]:]
    | api\ error:
    | implement\ the\ plan\ as\ specified\b(?=[^\n]*\bto-do)
    )
    """,
    re.IGNORECASE | re.VERBOSE | re.MULTILINE,
)
"""Beginnings of messages that a host writes as a whole."""
_MOST_NESTED = 1_000
"""Tags of one name that are paired; after that, the last closing tag counts."""


class Passage(NamedTuple):
    """A part of a text that one speaker is responsible for."""

    kind: Kind
    """`words` of the user, a `marker` of the host with its content, or a `pasted`
    block.
    """
    text: str


def own_words(text: str) -> str:
    """Return the words of the user in a text; empty if there are none."""
    return _joined(each for each in divide(text) if each.kind == "words")


def without_host_texts(text: str) -> str:
    """Return a text without what the host added; pasted blocks stay."""
    return _joined(each for each in _by_host(text) if each.kind == "words")


def own_words_in_place(text: str) -> str:
    """Return a text with the same lines, of which those without own words of the user
    are blank.
    """
    parts: list[str] = []
    at = 0
    for each in divide(text):
        start = text.index(each.text, at)
        parts.append("\n" * text.count("\n", at, start))
        at = start + len(each.text)
        is_own = each.kind == "words"
        parts.append(each.text if is_own else "\n" * each.text.count("\n"))
    parts.append("\n" * text.count("\n", at))
    return "".join(parts)


def is_host_text(text: str) -> bool:
    """Return whether a message of the agent is one that the host wrote in its name."""
    return bool(_HOST_MESSAGES.match(text) or _HOST_TEXTS.fullmatch(text.strip()))


def stored_words(text: str) -> str:
    """Return a text as it is stored for the user: without texts of the host, and with
    long or unmarked pasted blocks replaced by their number of lines. Empty if the user
    said nothing.
    """
    passages = [each for each in divide(text) if each.kind != "marker"]
    if not any(each.kind == "words" for each in passages):
        return ""
    shown = []
    for each in passages:
        lines = each.text.strip("\n").count("\n") + 1
        if each.kind == "words" or (lines <= MOST_SHOWN_LINES and is_marked(each.text)):
            shown.append(each)
        else:
            count = "1 line" if lines == 1 else f"{lines:,} lines"
            shown.append(Passage("pasted", f"[pasted: {count}]"))
    return _joined(shown)


def divide(text: str) -> tuple[Passage, ...]:
    """Return the passages of a text in order; blank ones are omitted."""
    passages: list[Passage] = []
    for each in _by_host(text):
        if each.kind == "marker":
            passages.append(each)
            continue
        for is_pasted, part in split_pasted(each.text):
            passages.append(Passage("pasted" if is_pasted else "words", part))
    return tuple(each for each in passages if each.text.strip())


def _joined(passages: Iterable[Passage]) -> str:
    text = "\n".join(each.text.strip("\n") for each in passages if each.text.strip())
    return text.strip("\n").rstrip()


def _by_host(text: str) -> Iterator[Passage]:
    """Yield the passages outside of host markers as `words`, the others as `marker`."""
    if _HOST_MESSAGES.match(text):
        yield Passage("marker", text)
        return
    request = _REQUEST.match(text)
    if request is not None:
        yield Passage("marker", request[0])
        text = text[request.end() :]
    tags = _Tags(text)
    start = 0
    has_words = False
    for tag in tags.found:
        if tag.start() < start:
            continue
        if tag["name"].lower() in _USER_TAGS:
            yield from _by_host_lines(text[start : tag.start()])
            start = tag.end()
            continue
        has_words = has_words or bool(text[start : tag.start()].strip())
        end = tags.end_of_element(tag, is_first=not has_words)
        if end:
            yield from _by_host_lines(text[start : tag.start()])
            yield Passage("marker", text[tag.start() : end])
            start = end
    yield from _by_host_lines(text[start:])


def _is_of_host(name: str) -> bool:
    return name in _HOST_NAMES or "-" in name or "_" in name


class _Tags:
    """The tags of a text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.found = list(_TAG.finditer(text))
        self._of_name: dict[str, list[re.Match[str]]] = {}
        self._numbers: dict[int, int] = {}
        """Number of each tag among those of its name, by its start."""
        for tag in self.found:
            others = self._of_name.setdefault(tag["name"], [])
            self._numbers[tag.start()] = len(others)
            others.append(tag)

    def end_of_element(self, tag: re.Match[str], *, is_first: bool) -> int:
        """Return the end of the host element that begins with a tag; 0 if it is none.

        An element of a host without a closing tag reaches to the end of the text, which
        was cut; so does any element before which there are no own words.
        """
        if tag["close"] or tag["fields"].endswith("/"):
            return 0
        name = tag["name"].lower()
        text = self._text
        before = text[text.rfind("\n", 0, tag.start()) + 1 : tag.start()]
        is_result = name in _RESULT_NAMES
        is_host = is_result or _is_of_host(name)
        last = self._last_closing(tag, is_result=is_result)
        is_added = is_result or name.endswith(_ADDED_NAMES)
        if before.strip():
            # Perhaps a name in a sentence, such as `<my-widget>`.
            is_block = is_added or (is_host and "\n" in text[tag.end() : last])
            return last if is_block else 0
        if last:
            return last
        is_cut = is_host or (is_first and not tag["fields"])
        return len(text) if is_cut and not self._is_in_sentence(tag) else 0

    def _is_in_sentence(self, tag: re.Match[str]) -> bool:
        """Return whether words follow a tag and a blank: `<Button> is broken`."""
        name = tag["name"].lower()
        if name in _RESULT_NAMES | _HOST_NAMES or name.endswith(_ADDED_NAMES):
            return False
        return self._text.startswith(" ", tag.end()) and not self._ends_line(tag)

    def _last_closing(self, tag: re.Match[str], *, is_result: bool) -> int:
        """Return the end of the closing tag of an element; 0 if there is none.

        If a closing tag follows another one without an opening tag in between, the
        content imitates the end of the element. Hosts write closing tags at the ends of
        lines.
        """
        number = self._numbers[tag.start()]
        following = self._of_name[tag["name"]][number:]
        if is_result or len(following) > _MOST_NESTED:
            closing = (each.end() for each in reversed(following) if each["close"])
            return next(closing, 0)
        depth = end = 0
        for each in following:
            if end and not (each["close"] and self._ends_line(each)):
                break
            depth += -1 if each["close"] else 1
            if depth <= 0:
                end = each.end()
        return end

    def _ends_line(self, tag: re.Match[str]) -> bool:
        end = self._text.find("\n", tag.end())
        rest = self._text[tag.end() : end if end >= 0 else len(self._text)]
        return not rest.strip()


def _by_host_lines(text: str) -> Iterator[Passage]:
    start = 0
    for found in _HOST_TEXTS.finditer(text):
        yield Passage("words", text[start : found.start()])
        yield Passage("marker", found[0])
        start = found.end()
    yield Passage("words", text[start:])
