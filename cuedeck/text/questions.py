"""Recognition of questions. No pattern is compiled when the module is imported, because
a hook imports it.
"""

from __future__ import annotations

import re

_QUESTION_END = r"[?？؟][^\w(]*(?:\([^()]*\))?\W*\Z"
_QUESTION_START = r"""(?ix)\s*[¿]?(?:
    how|why|where|who|whose|which
    |when\s(?:do|does|did|is|are|will)\b|what(?:['’]?s|\s(?:is|are|was|were|does|do|did|should|would|about))
    |(?:can|could|would|will)\s(?:you|we|i)
    |(?:is|are|was|were|does)\s(?:there|it|we|i|the|you|this|that)
    |cómo|por\squé|dónde|quién|cuál(?:es)?|qué|puedes|podrías
    |comment|pourquoi|où|quelles?|quels?|est-ce|peux-tu|pouvez-vous
    |wie|warum|wo|wer|welche[rs]?|kannst\sdu|können\ssie
    |как|почему|где|кто|какой|какая|какие|можешь|чому|де|хто|який|яка|які|чи
    )\b(?![^\n]*[:.!;]\s*\S)"""
_LONGEST_REMARK = 300


def is_question(text: str) -> bool:
    """Return whether a text ends with a question, apart from a remark in brackets."""
    return re.search(_QUESTION_END, text[-_LONGEST_REMARK:]) is not None


def asks(message: str) -> bool:
    """Return whether a message of a user is a question, also one without a question
    mark: a single sentence that begins as a question does.
    """
    return is_question(message) or re.match(_QUESTION_START, message) is not None
