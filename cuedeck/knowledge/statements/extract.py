"""Extraction of the statements of one exchange, by rules and without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cuedeck.knowledge.statements import cue_words
from cuedeck.knowledge.statements.statement_passages import (
    LEAST_WORDS,
    Block,
    divide_block,
    split_blocks,
    split_passages,
)
from cuedeck.model.statement import LONGEST, Speaker, Spoken, Statement
from cuedeck.parse.pasted_blocks import join_quotations, restore_quotations
from cuedeck.text.fold_text import fold_text
from cuedeck.text.sentences import split_sentences

MOST_OF_REPLY = 6
"""Statements of the agent in one exchange."""
_PLAIN = 2
"""Rank of a passage without a kind."""
_MOST_ITEMS = 4
"""Items of a list that are joined with its head."""
_SHORT_ITEM = 12
"""Words of an item that says less than a sentence."""
_SENTENCE = re.compile(r"[.!][*_]*(?:\s[^\w`()]+)?\Z")
_MOST_PLAIN = 4
"""Statements of the agent without a kind in one exchange."""
_NO_ANSWER = re.compile(r"\?|:\Z")
_LONGEST_LEAD = 4
"""Words of an introduction of the user that says nothing."""
_LONGEST_HEADING = 6
"""Words of a heading that says nothing without its section."""


def extract_statements(spoken: Spoken) -> list[Statement]:
    """Return the statements of an exchange: those of the user, then the best of the
    agent, each text once.
    """
    found: dict[str, Statement] = {}

    def add(speaker: Speaker, said: Iterable[tuple[str, str]]) -> None:
        for kind, text in said:
            new = Statement(kind, speaker, text, spoken.turn, spoken.timestamp)
            found.setdefault(text, new)

    add("user", _of_user(spoken))
    add("agent", _of_agent(spoken.replies))
    return list(found.values())


def _of_user(spoken: Spoken) -> Iterator[tuple[str, str]]:
    prompt = join_quotations(spoken.prompt)
    chosen = chosen_option(spoken.prompt, spoken.options)
    if chosen:
        yield "choice", f"Chosen: {chosen}"[:LONGEST]
    is_correction = spoken.turn > 1 and cue_words.is_correction(spoken.prompt)
    passages = list(split_passages(prompt))
    passages = [each for each in passages if not _is_lead(each)] or passages
    is_alone = _is_mostly_orders(passages)
    is_answer = answers_questions(spoken.prompt, spoken.options)
    for passage in passages:
        for kind, text in _parts_of_user(passage, is_alone):
            if is_correction and kind != "rule":
                kind = "correction"
            elif is_answer and kind == "message" and not _NO_ANSWER.search(text):
                kind = "choice"
            is_correction = False
            yield kind, restore_quotations(text)


def _is_lead(passage: str) -> bool:
    is_short = len(passage.split()) <= _LONGEST_LEAD and "`" not in passage
    return is_short and passage.endswith(":")


def _is_mostly_orders(passages: Sequence[str]) -> bool:
    """Return whether orders and rules are at least half of the words of a message; in
    another message, an order limits the task that it gives.
    """
    total = orders = 0
    for passage in passages:
        for sentence in split_sentences(passage, is_casual=True):
            size = len(sentence.split())
            total += size
            orders += size if cue_words.is_rule(sentence, is_alone=True) else 0
    return orders * 2 >= total


def _parts_of_user(passage: str, is_alone: bool) -> Iterator[tuple[str, str]]:
    others: list[str] = []
    for sentence in split_sentences(passage, is_casual=True):
        if not cue_words.is_rule(sentence, is_alone=is_alone):
            others.append(sentence)
            continue
        if others and cue_words.needs_context(sentence):
            sentence = f"{others.pop()} {sentence}"
        yield from _plain(others)
        others = []
        yield "rule", sentence
    yield from _plain(others)


def _plain(sentences: Sequence[str]) -> Iterator[tuple[str, str]]:
    if sentences:
        kind = "choice" if cue_words.is_choice(sentences[0]) else "message"
        yield kind, " ".join(sentences)


class _Passage(NamedTuple):
    kind: str
    text: str
    rank: int
    """Rank among the passages of a reply; smaller is better."""
    is_item: bool


def _of_agent(replies: Sequence[str]) -> list[tuple[str, str]]:
    """Return the passages of an agent that have a cue word, and the first others, in
    order.
    """
    passages = []
    for reply in replies:
        joined = _join_items(_passages_of_agent(reply))
        passages += [each for each in joined if not _is_fragment(each)]
    order = sorted(range(len(passages)), key=lambda at: (passages[at].rank, at))
    plain = [at for at in order if passages[at].rank >= _PLAIN]
    left_out = {*plain[_MOST_PLAIN:], *order[MOST_OF_REPLY:]}
    best = [each for at, each in enumerate(passages) if at not in left_out]
    return [(each.kind, each.text) for each in best]


def _join_items(passages: Iterable[_Passage]) -> Iterator[_Passage]:
    """Yield passages; a head is joined with the items of its list, without which it
    says too little.
    """
    rest = list(passages)
    while rest:
        passage = rest.pop(0)
        if not passage.text.rstrip("* ").endswith(":"):
            yield passage
            continue
        items: list[str] = []
        while rest and rest[0].is_item and rest[0].rank and len(items) < _MOST_ITEMS:
            items.append(rest.pop(0).text.rstrip(".;"))
        is_long = len(passage.text.split()) > _SHORT_ITEM
        if items or is_long or "`" in passage.text:
            head = passage.text
            mark = " "
            for item in items:
                longer = f"{head}{mark}{item}"
                if len(longer) > LONGEST:
                    break
                head, mark = longer, "; "
            yield passage._replace(text=head)


def _is_fragment(passage: _Passage) -> bool:
    """Return whether a passage says less than a sentence, as most items and titles do,
    and nothing shows its kind. A title that names code is a step.
    """
    if passage.rank < _PLAIN or len(passage.text.split()) >= _SHORT_ITEM:
        return False
    if _SENTENCE.search(passage.text) is not None:
        return False
    return passage.is_item or "`" not in passage.text.strip("`")


def _passages_of_agent(reply: str) -> Iterator[_Passage]:
    """Yield the passages of a reply without headings, without check boxes except open
    steps, and without the answers that a question offers.
    """
    is_list_of_answers = False
    for given, block in _headed_blocks(reply):
        is_list_of_answers &= block.is_item
        is_list_of_answers |= block.text.rstrip("* ").endswith("?")
        is_dump = block.has_box and given != "open"
        is_short = len(block.text.split()) <= _LONGEST_HEADING
        if is_list_of_answers or is_dump or (block.is_heading and is_short):
            continue
        for passage in divide_block(block):
            sentences = split_sentences(passage)
            if sentences[0][0].islower() and not block.is_item:
                del sentences[0]  # the end of a sentence around code
            text = " ".join(filter(None, map(cue_words.said, sentences)))
            if len(text.split()) > LEAST_WORDS:
                yield _with_kind(text, block, given)


def _with_kind(text: str, block: Block, given: str) -> _Passage:
    own = cue_words.kind_of_reply(text)
    if own == "open" and "✅" in block.text:
        own = "done"
    kind = given if own == "message" or given == "open" else own
    rank = int(block.is_item)
    if own != "message" or kind == "open":
        rank = 0
    elif kind == "message":
        rank = _PLAIN
    return _Passage(kind, text, rank, block.is_item)


def _headed_blocks(reply: str) -> Iterator[tuple[str, Block]]:
    """Yield the blocks of a reply, each with the kind that the head above it gives,
    such as `Still to do:`, `Root cause` or `Changes made`. An introduction is the head
    of a list alone.
    """
    given = "message"
    is_list = False
    for block in filter(lambda each: each.text, split_blocks(reply)):
        head = split_sentences(block.text)[-1]
        is_introduction = head.rstrip("* ").endswith(":")
        is_title = head == block.text and not block.is_item
        kind = _kind_of_head(block, head, is_introduction=is_introduction)
        if kind != "message":
            given, is_list = kind, is_introduction
        elif (is_title and not head.endswith(".")) or (is_list and not block.is_item):
            given = "message"
        if kind == "open":
            block = block._replace(text=block.text.removesuffix(head).rstrip())
        yield given, block


def _kind_of_head(block: Block, head: str, *, is_introduction: bool) -> str:
    """Return the kind that the last sentence of a block gives to the blocks below it;
    a statement, and an item, gives none but `open`.
    """
    if head != block.text and not is_introduction:
        return "message"
    label = head.partition(": ")[0] if block.is_heading else head
    kind = cue_words.kind_of_head(label)
    is_statement = bool(cue_words.said(head)) if is_introduction else block.is_item
    return "message" if is_statement and kind != "open" else kind


_WORDS = r"(?:option|opción|opcion|variante|вариант|варіант)"
_SIGN = re.compile(rf"(?:{_WORDS} )?\(?([A-H]|\d)\)?(?:[.,!:)]|\s*$)", re.I)
_NAMED = re.compile(rf"[^.?!\n]{{0,60}}\b{_WORDS} ([A-H]|\d)\b", re.I)
_ANSWERS = re.compile(r"(?:^|\s)\d{1,2}[.)]\s")
_LEAD = re.compile(
    r"[^\n]*\b(?:answer|respuesta|respond|répon|antwort|ответ|відпов)\w*[^\n]*:", re.I
)
"""A first line that announces answers."""
_LETTERED = re.compile(
    rf"\s*(?:(?:[-*+]|#{{1,6}})\s*)?\**\(?({_WORDS}\s+)?([A-H]|\d{{1,2}})\b[.):]*\**",
    re.I,
)
_ITEM = re.compile(
    rf"(\s*)(?:[-*+]|\(?(?:[A-H]|\d{{1,2}})[.):]|#+ {_WORDS} \w+:?)\s", re.I
)
_ORDINALS = (
    "first|primer[ao]?|premiere?|erste[nrs]?|перв(?:ый|ую|ое|ая)|перш(?:ий|у|е|а)",
    "second|segund[ao]|deuxieme|seconde?|zweite[nrs]?|втор(?:ой|ую|ое|ая)|друг(?:ий|у|е|а)",
    "third|tercer[ao]?|troisieme|dritte[nrs]?|трет(?:ий|ью|ье|ья|ій|ю|є|я)",
    "fourth|cuart[ao]|quatrieme|vierte[nrs]?|четверт(?:ый|ую|ое|ая|ий|у|е|а)",
    "last|ultim[ao]|dernier[e]?|letzte[nrs]?|последн(?:ий|юю|ее|яя)|останн(?:ій|ю|є|я)",
)
_LAST = len(_ORDINALS) - 1
_NOUNS = r"(?:one|option|opcion|approach|idea|solution|variant[e]?|вариант|варіант)"
_ORDINAL = re.compile(
    rf"[^.?!\n]{{0,40}}?\b(?:{'|'.join(f'({fold_text(each)})' for each in _ORDINALS)})"
    rf"(?: {_NOUNS}\b|\s*[.,!]|\s*$)"
)
_LEAST_ANSWERS = 2
_END = 1_500
"""Characters of the end of an offer in which questions are."""
_MOST_WORDS = 20
"""Words of the longest message in which an ordinal names an option."""


def chosen_option(prompt: str, offer: str) -> str:
    """Return the text of the option of an offer that a prompt names; empty if it names
    none. Of several lists the last one counts, because offers are at the end.
    """
    prompt = prompt.lstrip()
    named = _NAMED.match(prompt) or _SIGN.match(prompt)
    if not offer:
        return ""
    if named is None:
        return _of_ordinal(prompt, offer)
    if len(_ANSWERS.findall(prompt)) > 1:
        return ""  # a list of answers to questions
    found = ""
    is_called_option = False
    for row in offer.split("\n"):
        option = _LETTERED.match(row)
        if option is None or option[2].lower() != named[1].lower():
            continue
        text = _text(row[option.end() :])
        is_better = bool(option[1]) or not is_called_option
        if text and text[-1] not in "?:" and is_better:
            found, is_called_option = text, bool(option[1])
    return found


def answers_questions(prompt: str, offer: str) -> bool:
    """Return whether a prompt is a numbered list of answers to questions at the end of
    an offer.
    """
    lead = _LEAD.match(prompt)
    if (
        _ANSWERS.match(prompt, lead.end() if lead else 0) is None
        or len(_ANSWERS.findall(prompt)) < _LEAST_ANSWERS
    ):
        return False
    return "?" in offer[-_END:]


def _of_ordinal(prompt: str, offer: str) -> str:
    if len(prompt.split()) > _MOST_WORDS or "?" in prompt:
        return ""
    ordinal = _ORDINAL.match(fold_text(prompt))
    if ordinal is None:
        return ""
    at = (ordinal.lastindex or 1) - 1
    items = _last_list(offer)
    if at == _LAST:
        at = len(items) - 1
    return items[at] if 0 <= at < len(items) > 1 else ""


def _last_list(offer: str) -> list[str]:
    items: list[str] = []
    depth = 0
    is_open = False
    for row in offer.split("\n"):
        item = _ITEM.match(row)
        if item is None:
            is_open = is_open and (not row.strip() or row[:1].isspace())
            continue
        indent = len(item[1])
        if not is_open:
            items, depth, is_open = [], indent, True
        if indent <= depth:
            items.append(_text(row[item.end() :]))
    return items


def _text(row: str) -> str:
    return " ".join(row.replace("*", "").split()).lstrip(": ")
