"""What to try after a search that found nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cuedeck.text.fold_text import unmark
from cuedeck.text.words import word_terms

if TYPE_CHECKING:
    from cuedeck.context.search.file_scores import Query
    from cuedeck.store.index.corpus import WorkspaceCorpus
    from cuedeck.store.index.texts import WorkspaceTexts

_WORD = re.compile(r"\w+")
_SHORTEST = 4
"""Minimum number of characters of a word whose spelling is corrected."""

_LIKENESS = 0.75


def suggest_words(corpus: WorkspaceCorpus, texts: WorkspaceTexts, query: Query) -> str:
    """Return what to try in place of a query: another spelling, fewer words, memory."""
    others = "fewer or other words"
    if len(query.text.split()) == 1:
        others = "another word or a part of it"
    advice = f"try {others}, or `recall` for conversations and decisions"
    spelled = _correct(corpus, texts, query.text)
    if spelled:
        return f"did you mean `{spelled}`? Else {advice}"
    return advice


def _correct(corpus: WorkspaceCorpus, texts: WorkspaceTexts, text: str) -> str:

    def correct(match: re.Match[str]) -> str:
        word = match[0]
        if len(word) < _SHORTEST:
            return word
        return _nearest(corpus, texts, word) or word

    corrected = _WORD.sub(correct, text)
    return "" if corrected == text else corrected


def _nearest(corpus: WorkspaceCorpus, texts: WorkspaceTexts, word: str) -> str:
    """Return the known word that is most like an unknown one; empty if none is."""
    import difflib

    searched = word_terms(unmark(word))
    if not searched or corpus.spread(searched[-1]):
        return ""
    known = corpus.terms_like(searched[-1])
    nearest = difflib.get_close_matches(searched[-1], known, 1, _LIKENESS)
    if not nearest:
        return ""
    path = min(corpus.postings(nearest[0]))
    words: list[str] = _WORD.findall(unmark(texts.text(path)))
    for each in words:
        if word_terms(each)[-1:] == (nearest[0],):
            return each
    return ""
