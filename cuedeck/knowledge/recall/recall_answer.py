"""The hits of recall: address, passage around the match, reason; and the forms in which
they are printed: one line per hit, or JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from cuedeck.knowledge.recall.rank_units import RankedUnit
from cuedeck.knowledge.recall.recall_query import QueryTerm, RecallQuery, local_time
from cuedeck.knowledge.recall.sync_index import open_recall
from cuedeck.ledger.id_prefix import SHORTEST, has_long_id, short_ids
from cuedeck.model.address import format_lines, join_anchor
from cuedeck.model.entry_node import CORTEX_KIND, ENTRY_KINDS
from cuedeck.model.paths import HOME
from cuedeck.model.ports import Json
from cuedeck.model.recall_values import LONGEST_SNIPPET, Unit, cut
from cuedeck.parse.fence import fold
from cuedeck.text.bm25 import UNIT, to_score
from cuedeck.text.plain_text import plain_line
from cuedeck.text.sentences import split_sentences
from cuedeck.text.words import RAW_WORD, read_stems, stem_key

if TYPE_CHECKING:
    from cuedeck.engine.workspace import Workspace
    from cuedeck.model.ports import JsonView


_LOGS = "memory"
"""Folder of the daily logs below that of CueDeck."""


def make_hit(
    path: str,
    unit: Unit,
    ranked: RankedUnit,
    query: RecallQuery,
    *,
    citations: str,
    explain: bool,
) -> Json:
    """Return the JSON of a hit.

    `citations` is the setting: `on` adds the place to
    the passage, `off` leaves it out of the hit.
    """
    path = unit_path(path, unit)
    place = citation(path, unit)
    found = matched_terms(query, ranked.row.stems)
    weights = {term.stem: term.weight for term in found}
    text = plain_line(unit.text)
    hit: Json = {
        "address": address_of(path, unit),
        "path": path,
        "kind": unit.kind,
        "title": title_of(unit),
        "lines": [unit.start, unit.end],
        "score": to_score(ranked.score),
        "why": _why(found, ranked, unit.text),
        "snippet": cut(text, best_position(text, weights, LONGEST_SNIPPET)),
        "citation": place,
        "date": local_time(unit.date)[:10],
    }
    if citations == "off":
        del hit["citation"]
    elif citations == "on":
        hit["snippet"] += f"\nSource: {printable_citation(place)}"
    if explain:
        shown = dict(ranked.parts)
        for name, value in ranked.parts.items():
            if abs(value) >= UNIT / 10:
                shown[name] = to_score(round(value))
        hit["parts"] = shown
    return hit


def no_match(query: str, filters: Sequence[str]) -> tuple[str, str]:
    """Return the message of an answer without units, and what to try; `filters` are the
    names of the given ones.
    """
    advice = "use fewer words or other ones"
    if not filters:
        return f"nothing matches `{query}`", advice
    given = " and ".join(filters)
    return f"nothing matches `{query}` with {given}", f"leave out {given}, or {advice}"


def title_of(unit: Unit) -> str:
    """Return the headings above a unit; the category and day of a record."""
    if unit.kind in ENTRY_KINDS:
        if unit.kind == CORTEX_KIND and not unit.id:
            return unit.title
        day = local_time(unit.date)[:10]
        title = unit.category or unit.kind
        if not day:
            return title
        return f"{title}, {day}"
    return unit.title


def matched_terms(query: RecallQuery, stems: Collection[str]) -> list[QueryTerm]:
    """Return the terms of a query that a unit contains; stop words only if it contains
    no other.
    """
    known = frozenset(stems)
    found = [term for term in query.terms if term.stem in known]
    content = [term for term in found if term.origin != "stop"]
    return content or found


def _why(found: Sequence[QueryTerm], ranked: RankedUnit, text: str) -> str:
    words: dict[str, None] = {}
    for term in found:
        shown = f"`{term.word}`"
        if term.origin == "synonym":
            shown = f"`{_word_of(term.stem, text)}` for {shown}"
        words[shown] = None
    reasons = []
    if words:
        reasons.append(f"has {', '.join(words)}")
    if "qmd" in ranked.parts:
        reasons.append("found by qmd")
    is_of_day = "date" in ranked.parts
    is_of_kind = "kind" in ranked.parts
    is_listed = is_of_day or is_of_kind
    if not reasons and (ranked.parts.get("window") or not is_listed):
        reasons.append("next to a match")
    if is_of_kind:
        reasons.append("of the kind that the query names")
    if is_of_day:
        reasons.append("on a day of the query")
    if "name" in ranked.parts:
        reasons.append("of a speaker or session of the query")
    return "; ".join(reasons)


def _word_of(stem: str, text: str) -> str:
    for match in re.finditer(RAW_WORD, text):
        if stem in read_stems(match[0]):
            return match[0]
    return stem


def answer_text(workspace: Workspace, answer: JsonView, more: str = "") -> str:
    """Return the hits of an answer, one line each; the last line says how many hits are
    left out, and how to get `more`, if anything.

    The places of daily logs lack `.cuedeck/`, which `read` adds, unless the project has
    a folder of the same name.
    """
    above = "" if workspace.paths.has_folder(_LOGS) else f"{HOME}/"
    index = open_recall(workspace).index(workspace)
    lines = []
    for hit in answer["hits"]:
        address = hit["address"]
        start = address.partition(":")[2][:SHORTEST]
        if has_long_id(address):
            address = short_ids(address, index.ids_like(start))
        lines += _hit_lines(hit, address, above)
    if answer["left_out"]:
        lines.append(f"… and {answer['left_out']:,} more{more}")
    return "\n".join(lines)


def json_text(answer: JsonView) -> str:
    """Return an answer as the command prints it with `--json`."""
    return json.dumps({"schema": 1, **answer}, ensure_ascii=False, indent=2)


def _hit_lines(hit: JsonView, shown: str, above: str) -> list[str]:
    """Return the line of a hit: place, date, kind or `shown` address, and passage; with
    `--explain` a second line with the reason.

    The place of a daily log contains its date and its kind.
    """
    place = hit.get("citation", "")
    kind = hit["kind"]
    address = hit["address"]
    if address.startswith(f"{kind}:"):
        kind = "" if address == place else shown
    date = hit["date"]
    if date and date in place:
        date = ""
        kind = kind if kind != "log" else ""
    if place.startswith(f"{above}{_LOGS}/"):
        place = place.removeprefix(above)
    words = (printable_citation(place), date, kind)
    lines = [f"{' '.join(filter(None, words))}: {hit['snippet']}"]
    if "parts" in hit:
        parts = [f"{name} {value:g}" for name, value in hit["parts"].items()]
        listed = ", ".join(parts)
        lines.append(f"  score {hit['score']:.3f}: {hit['why']} ({listed})")
    return lines


def address_of(path: str, unit: Unit) -> str:
    """Return the address of a unit: that of its ledger entry, else its lines."""
    if unit.kind in ENTRY_KINDS and unit.kind != CORTEX_KIND and unit.id:
        return f"{unit.kind}:{unit.id}"
    return citation(path, unit)


def unit_path(path: str, unit: Unit) -> str:
    """Return the path of the file that contains a unit; `path` is that of the file of
    the index, which is the folder of a day for a message.
    """
    if unit.kind == CORTEX_KIND and unit.id:
        return f"{path}/{unit.id}.md"
    return path


def citation(path: str, unit: Unit) -> str:
    """Return the place of a unit as `read` opens it: `path#L3-L5`, or the address of
    an entry of a ledger of JSON or TOML. `path` is that of the file of the unit.
    """
    if unit.kind == CORTEX_KIND:
        # Most workspaces have no cortex tree.
        from cuedeck.model.cortex_address import parse_cortex_address

        address = parse_cortex_address(path).text
        return join_anchor(address, format_lines(unit.start, unit.end))
    if unit.kind in ENTRY_KINDS and unit.kind != "record":
        return f"{unit.kind}:{unit.id}"
    return join_anchor(path, format_lines(unit.start, unit.end))


def printable_citation(place: str) -> str:
    """Return a citation for text: blanks replace the line breaks and other control
    characters that the name of a file may contain, so that `read` cannot open it.
    """
    return place if place.isprintable() else fold(place, len(place))


_DASH = " — "
_LONGEST_COPY = 200
"""Stems of a sentence in which a secret text is found."""
_LEAST_GAIN = 1e-9
"""Difference of two sums from which they count as different."""


def best_sentence(
    text: str,
    weights: Mapping[str, float],
    most: int,
    secret_keys: Collection[bytes] = (),
) -> str:
    """Return the first sentence with the largest weight of different stems, on one
    line, at most `most` characters around its matches; empty if it contains a secret
    text. A dash between the parts of a ledger entry ends a sentence.

    `secret_keys` are the keys of the stems of secret texts.
    """
    best, found = -1.0, ""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n")]
    for sentence in split_sentences("\n".join(paragraphs).replace(_DASH, "\n")):
        stems = frozenset(read_stems(sentence))
        weight = sum(weights.get(stem, 0.0) for stem in stems)
        if weight > best:
            best, found = weight, sentence
    if secret_keys and _has_copy(found, secret_keys):
        return ""
    if len(found) <= most:
        return found
    room = most - len("……")
    return cut(found, best_position(found, weights, room), room)


def _has_copy(sentence: str, secret_keys: Collection[bytes]) -> bool:
    stems = read_stems(sentence)[:_LONGEST_COPY]
    for start in range(len(stems)):
        for end in range(start + 1, len(stems) + 1):
            if stem_key(stems[start:end]) in secret_keys:
                return True
    return False


def best_position(text: str, weights: Mapping[str, float], longest: int) -> int:
    """Return the position in a text around which most of its matches are."""
    if len(text) <= longest or not weights:
        return 0
    places: list[tuple[int, float]] = []
    for match in re.finditer(RAW_WORD, text):
        known = weights.keys() & set(read_stems(match[0]))
        if known:
            weight = max(weights[stem] for stem in known)
            places.append((match.start(), weight))
    width = longest * 3 // 4
    best = 0.0
    position = 0
    total = 0.0
    end = 0
    for start, weight in places:
        while end < len(places) and places[end][0] < start + width:
            total += places[end][1]
            end += 1
        if total > best + _LEAST_GAIN:
            best = total
            position = start
        total -= weight
    return position
