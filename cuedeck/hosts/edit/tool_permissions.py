"""CueDeck's rules in a host's list of tools that run without confirmation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cuedeck.hosts.edit.json_edit import check_json, may_go_with, put_in, take_and_check
from cuedeck.hosts.edit.json_tree import Document, Node, reach, read_json
from cuedeck.hosts.edit.managed_part import Put
from cuedeck.hosts.setup_values import Allow
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert


@dataclass(frozen=True, slots=True)
class AllowPart:
    """The managed part for the permission rules of one host: strings in an array of its JSON settings."""

    allow: Allow

    def rules_of(self, text: str) -> list[str]:
        """Return the own rules in the file, in the order of `allow.rules`. Raises: Invalid for malformed JSON."""
        document = read_json(text)
        way = reach(document.root, self.allow.keys, document.text)
        if len(way) <= len(self.allow.keys) or way[-1].kind != "array":
            return []
        found = [slot.node.scalar for slot in way[-1].slots]
        return [rule for rule in self.allow.rules if rule in found]

    def holds(self, text: str) -> bool:
        """Return whether the file contains any own rule."""
        return bool(self.rules_of(text))

    def is_right(self, text: str) -> bool:
        """Return whether the file contains every own rule."""
        return self.rules_of(text) == list(self.allow.rules)

    def put(self, text: str) -> Put:
        """Append the missing rules to the list."""
        before = document = read_json(text)
        there = self.rules_of(text)
        undo: tuple[Cut, ...] = ()
        for rule in self.allow.rules:
            if rule in there:
                continue
            text, cuts = insert(text, put_in(document, self.allow.keys, rule, item=True))
            document, undo = read_json(text), (*cuts, *undo)
        check_json(before, text, self._wanted(before.value()))
        keys = [self.allow.keys[: at + 1] for at in range(len(self.allow.keys))]
        made = tuple(each for each in keys if len(reach(before.root, each, before.text)) <= len(each))
        return Put(text, undo, made)

    def renew(self, text: str) -> str:
        """Append the missing rules to the list."""
        return self.put(text).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the own rules in the file, because a person may have written each of them."""
        return tuple(Prior(self.allow.keys, rule) for rule in self.rules_of(text))

    def programs(self, text: str) -> tuple[str, ...]:
        """Return nothing, because a rule does not start a program."""
        return ()

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Remove the own rules except those in `prior`, and the containers in `made` that become empty."""
        kept = [each.value for each in prior if each.keys == self.allow.keys]
        document = read_json(text)
        while found := self._way(document, lambda rule: rule not in kept):
            into, index = _outermost(document, found, self.allow.keys, made)
            document = take_and_check(document, into, index)
        return document.text

    def _way(self, document: Document, is_removed: Callable[[str], bool]) -> list[tuple[Node, int]]:
        """Return the path to the first own rule for which `is_removed` is true; empty if there is none."""
        nodes = reach(document.root, self.allow.keys, document.text)
        if len(nodes) <= len(self.allow.keys):
            return []
        found = [slot.node.scalar for slot in nodes[-1].slots]
        at = next((at for at, rule in enumerate(found) if rule in self.allow.rules and is_removed(rule)), -1)
        if at < 0:
            return []
        above = [(into, _index(into, child)) for into, child in pairwise(nodes)]
        return [*above, (nodes[-1], at)]

    def _wanted(self, before: Any) -> Any:
        value = {} if before is None else dict(before)
        outer, inner = self.allow.keys
        table = dict(value.get(outer, {}))
        found = list(table.get(inner, []))
        return {**value, outer: {**table, inner: [*found, *(rule for rule in self.allow.rules if rule not in found)]}}


def _outermost(
    document: Document, way: list[tuple[Node, int]], keys: Keys, made: frozenset[Keys] | None
) -> tuple[Node, int]:
    """Return (container, index) of the slot to remove: the rule, or the outermost container with nothing else in it."""
    while len(way) > 1:
        above, index = way[-2]
        may_go = made is None or keys[: len(way) - 1] in made
        if not may_go or not may_go_with(document, above.slots[index]):
            break
        way = way[:-1]
    return way[-1]


def _index(into: Node, child: Node) -> int:
    return next(at for at, slot in enumerate(into.slots) if slot.node is child)
