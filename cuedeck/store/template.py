"""The files a new workspace starts with."""

from __future__ import annotations

import os

from cuedeck.store.disk import create, read_bytes, write_atomic
from cuedeck.store.ignore import outside_rules
from cuedeck.store.workspace import HOME

FOLDERS = ("cards", "docs")


def template_folder() -> str:
    """Return where the template is: inside an installed package, or beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(__file__))
    installed = os.path.join(package, "template")
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(package), ".cuedeck-template")


def lay_out(root: str, *, force: bool) -> tuple[list[str], list[str]]:
    """Create what is missing of `.cuedeck/`; return (created, kept) by workspace-relative path.

    With `force`, files of the template are written anew after a copy to `NAME.bak`; cards and docs never.
    Raises: StorageError.
    """
    created: list[str] = []
    kept: list[str] = []
    for folder in FOLDERS:
        place = os.path.join(root, HOME, folder)
        if not os.path.isdir(place):
            os.makedirs(place)
            created.append(f"{HOME}/{folder}/")
    for name in sorted(os.listdir(template_folder())):
        data = read_bytes(os.path.join(template_folder(), name)) or b""
        place = os.path.join(root, HOME, name)
        if create(place, data):
            created.append(f"{HOME}/{name}")
            continue
        old = read_bytes(place)
        if force and old != data:
            write_atomic(place + ".bak", old or b"")
            write_atomic(place, data)
            created.append(f"{HOME}/{name} (the old one is {name}.bak)")
        else:
            kept.append(f"{HOME}/{name}")
    return created, kept


def hide_from_git(root: str) -> str:
    """Ignore `.cuedeck/` through `.git/info/exclude`; return that file, or empty outside git."""
    places = [place for place in outside_rules(root) if place.endswith("exclude")]
    if not places:
        return ""
    text = (read_bytes(places[0]) or b"").decode("utf-8", "replace")
    if f"{HOME}/" not in text.split("\n"):
        glue = "" if not text or text.endswith("\n") else "\n"
        os.makedirs(os.path.dirname(places[0]), exist_ok=True)
        write_atomic(places[0], f"{text}{glue}{HOME}/\n".encode())
    return places[0]
