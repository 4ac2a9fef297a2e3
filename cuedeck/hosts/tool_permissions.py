"""Own rules in the list of tools that a host runs without asking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cuedeck.hosts.json_edit import check_json, may_go_with, put_in, take_and_check
from cuedeck.hosts.json_tree import Document, Node, reach, read_json
from cuedeck.hosts.managed_part import Put
from cuedeck.model.host import Allow
from cuedeck.model.prior_entry import Keys, Prior
from cuedeck.parse.text_edit import Cut, insert


@dataclass(frozen=True, slots=True)
class AllowPart:
    """The rules of one host, as strings in an array of its JSON."""

    allow: Allow

    def rules_of(self, text: str) -> list[str]:
        """Return the own rules that are there, in the order of the host's table. Raises: Invalid."""
        document = read_json(text)
        way = reach(document.root, self.allow.keys, document.text)
        if len(way) <= len(self.allow.keys) or way[-1].kind != "array":
            return []
        said = [slot.node.scalar for slot in way[-1].slots]
        return [rule for rule in self.allow.rules if rule in said]

    def holds(self, text: str) -> bool:
        """Return whether any own rule is there."""
        return bool(self.rules_of(text))

    def is_right(self, text: str) -> bool:
        """Return whether every own rule is there."""
        return self.rules_of(text) == list(self.allow.rules)

    def put(self, text: str) -> Put:
        """Put the rules that are missing behind those of others."""
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
        """Put the rules that are missing."""
        return self.put(text).text

    def prior(self, text: str) -> tuple[Prior, ...]:
        """Return the own rules that are there: a person may have written each of them."""
        return tuple(Prior(self.allow.keys, rule) for rule in self.rules_of(text))

    def programs(self, text: str) -> tuple[str, ...]:
        """Return nothing: a rule starts no program."""
        return ()

    def strip(self, text: str, made: frozenset[Keys] | None, prior: Sequence[Prior] = ()) -> str:
        """Take the own rules out, but for those of `prior`, and with the last of them the containers in `made`."""
        kept = [each.value for each in prior if each.keys == self.allow.keys]
        document = read_json(text)
        while found := self._way(document, lambda rule: rule not in kept):
            into, index = _outermost(document, found, self.allow.keys, made)
            document = take_and_check(document, into, index)
        return document.text

    def _way(self, document: Document, goes: Callable[[str], bool]) -> list[tuple[Node, int]]:
        """Return the containers that lead to the first own rule that goes; empty without one."""
        nodes = reach(document.root, self.allow.keys, document.text)
        if len(nodes) <= len(self.allow.keys):
            return []
        said = [slot.node.scalar for slot in nodes[-1].slots]
        at = next((at for at, rule in enumerate(said) if rule in self.allow.rules and goes(rule)), -1)
        if at < 0:
            return []
        above = [(into, _index(into, child)) for into, child in pairwise(nodes)]
        return [*above, (nodes[-1], at)]

    def _wanted(self, before: Any) -> Any:
        value = {} if before is None else dict(before)
        outer, inner = self.allow.keys
        table = dict(value.get(outer, {}))
        said = list(table.get(inner, []))
        return {**value, outer: {**table, inner: [*said, *(rule for rule in self.allow.rules if rule not in said)]}}


def _outermost(
    document: Document, way: list[tuple[Node, int]], keys: Keys, made: frozenset[Keys] | None
) -> tuple[Node, int]:
    """Return the slot to take: the rule, or the container that holds nothing else."""
    while len(way) > 1:
        above, index = way[-2]
        may_go = made is None or keys[: len(way) - 1] in made
        if not may_go or not may_go_with(document, above.slots[index]):
            break
        way = way[:-1]
    return way[-1]


def _index(into: Node, child: Node) -> int:
    return next(at for at, slot in enumerate(into.slots) if slot.node is child)
