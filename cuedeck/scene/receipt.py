"""The receipt: a hash of all inputs that determine the text of a scene."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from cuedeck.model.scene_values import Unresolved, Visit

FORMAT = 2
"""Version of the layout of SCENE.md; a new version changes every receipt."""


def receipt(
    choices: Mapping[str, object], hashes: Mapping[str, str], visits: Iterable[Visit], unresolved: Iterable[Unresolved]
) -> str:
    """Return the sha256 (hex) of the rendered inputs and of the resolution results.

    `choices` are the relevant settings; `hashes` maps each visited path to its content hash.
    """
    inputs = {
        "format": FORMAT,
        "choices": choices,
        "files": sorted(hashes.items()),
        "visits": [
            [visit.address, visit.why, visit.spans, visit.parts, visit.wants_full, visit.pinned] for visit in visits
        ],
        "unresolved": [list(each) for each in unresolved],
    }
    return hashlib.sha256(
        json.dumps(inputs, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    ).hexdigest()
