"""Cache of the parsed settings, because their parser takes longer to load than a search
takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from cuedeck.model.light_typing import TYPE_CHECKING, Any
from cuedeck.model.profile import Profile
from cuedeck.model.settings_schema import Settings

if TYPE_CHECKING:
    from cuedeck.store.index import Index

_MOST_KEPT = 8
_PROFILES = "profile"


def cached_settings(
    index: Index, source: bytes, parse: Callable[[], Settings]
) -> Settings:
    """Return the settings of a source: bytes of the file and of the variables.

    `parse` reads them if they are not in the cache; invalid settings are not cached.
    Raises: ConfigurationError.
    """
    # `hashlib` loads OpenSSL, which takes as long as parsing the settings.
    from _blake2 import blake2b

    key = blake2b(source, digest_size=16).hexdigest()
    row = index.recall("SELECT data FROM settings WHERE source = ?", (key,))
    known = _decode(row[0]) if row else None
    if known is not None:
        return known
    settings = parse()
    index.keep("settings", [(key, _encode(settings))], _MOST_KEPT)
    return settings


def _encode(settings: Settings) -> str:
    """Return the values that differ from their defaults, by section and name."""
    sections: dict[str, Any] = {}
    for section in settings.keys:
        part = getattr(settings, section)
        if section == _PROFILES:
            sections[section] = part
            continue
        values = {name: getattr(part, name) for name in part.keys}
        sections[section] = {
            name: value
            for name, value in values.items()
            if value != part.keys[name].default
        }
    return json.dumps(sections)


def _decode(data: object) -> Settings | None:
    """Return the settings of a row of the cache; None if the row is damaged."""
    try:
        sections = json.loads(str(data))
        profiles = [Profile(*each) for each in sections.pop(_PROFILES)]
        parts: dict[str, Any] = {_PROFILES: tuple(profiles)}
        for section, values in sections.items():
            default = Settings.keys[section].default
            values = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in values.items()
            }
            parts[section] = default.replace(**values)
        return Settings(**parts)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
