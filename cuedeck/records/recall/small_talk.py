"""Messages that need no recall: greetings, short answers and commands of hosts.

Hooks load this module before they know whether there is work, so it imports little.
"""

from __future__ import annotations

import re

_MOST_WORDS = 12
"""Words of a longer message are always searched."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_COMMAND = r"/([a-z][\w:-]*)(?=\s|$)"
_GREETINGS = """
    hello hi hey hiya howdy yo greetings good morning afternoon evening night day
    hola buenas buenos días dias tardes noches qué tal saludos
    thanks thank thx ty cheers appreciated gracias muchas mil
    bye goodbye later see you soon adiós adios chao hasta luego mañana pronto
    """
_ANSWERS = """
    yes yeah yep yup no nope nah ok okay k kk sure right correct exactly agreed fine
    great perfect nice cool awesome excellent good job well done lgtm love amazing wow
    sí si vale claro listo genial perfecto bien muy correcto exacto bueno dale
    sorry oops never mind perdón nada
    """
_GO_ON = """
    continue proceed go ahead on next again retry resume carry keep going try do did it
    that this please now then just stop wait start begin finish approve approved
    sigue continúa continua adelante procede otra vez prueba hazlo hágalo para espera
    por favor ahora de nuevo
    """
_BETWEEN = """
    a an and the is are was be i i'm im we it's its that's thats all so to too very
    much lot for of me my your with looks look sounds seems works worked how what's
    whats up going can could would will let's lets like u as
    y e el la los las es está esta eso esto lo un una todo me te que con así asi
    """
_SMALL_TALK = frozenset(f"{_GREETINGS} {_ANSWERS} {_GO_ON} {_BETWEEN}".split())
"""A message of these words alone asks nothing and names no subject."""
_COMMANDS = """
    add-dir agent agents approvals auth bashes branch btw bug chat clear commands
    compact compress config context copy corgi cost diff directory docs doctor editor
    effort exit export extensions fast feedback fork help hooks ide init
    install-github-app keybindings login logout loop mcp memory mention model new
    output-style permissions plan plugin plugins pr-comments pr_comments privacy
    privacy-settings prompts quit release-notes remote-env rename restore resume review
    rewind sandbox security-review settings setup skills stats status statusline
    terminal-setup theme todos tools undo upgrade usage vim who whoami
    """
_HOST_COMMANDS = frozenset(_COMMANDS.split())
"""Commands of agent hosts; the word after the slash may be followed by arguments."""


def needs_recall(message: str) -> bool:
    """Return whether a message may have an answer in the memory."""
    text = message.strip()
    return bool(text) and not is_command(text) and not is_small_talk(text)


def is_command(text: str) -> bool:
    """Return whether a text is a command of a host: a known one with or without
    arguments, or any other name after a slash without further words.
    """
    match = re.match(_COMMAND, text) if text.startswith("/") else None
    if match is None:
        return False
    name = match[1].partition(":")[0]
    return name in _HOST_COMMANDS or match.end() == len(text)


def is_small_talk(text: str) -> bool:
    """Return whether a text is a greeting or a short answer; so is one without letters
    or digits, such as a thumb up.
    """
    words = _WORD.findall(text.casefold().replace("’", "'"))
    return len(words) <= _MOST_WORDS and _SMALL_TALK.issuperset(words)
