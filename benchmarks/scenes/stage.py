"""The environment for repeated scenes of one clone: a checkout, the product on it, and
the token counter.
"""

from __future__ import annotations

import os

from benchmarks.process import Launch
from benchmarks.scenes.plan import Plan
from benchmarks.scenes.product import Product
from benchmarks.scenes.vocabulary import Vocabulary
from benchmarks.scenes.worktree import Worktree


class Stage:
    """The tools of one process, all in the new folder of its plan."""

    def __init__(self, plan: Plan) -> None:
        os.makedirs(plan.folder)
        self.launch = Launch(plan.folder)
        self.vocabulary = Vocabulary(self.launch.vocabulary)
        self.worktree = Worktree(plan.clone, os.path.join(plan.folder, "tree"))
        self.product = Product(self.launch, plan.command)

    def kept_share(self, before: str, after: str) -> float:
        """Return the share of the tokens of `after` that precede the first
        difference.
        """
        pairs = enumerate(zip(before, after, strict=False))
        same = next(
            (at for at, (old, new) in pairs if old != new), min(len(before), len(after))
        )
        return self.vocabulary.count(after[:same]) / max(
            self.vocabulary.count(after), 1
        )
