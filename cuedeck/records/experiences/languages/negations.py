"""Words that turn a meaning in languages of which no more is known, and in those another language was taken for."""

from __future__ import annotations

import re

from cuedeck.records.experiences.languages.detection import LATIN
from cuedeck.records.experiences.languages.russian import RUSSIAN
from cuedeck.records.experiences.normalization import even, fold_all

_WORDS = """
    não nao nunca jamais sem nem nenhum nenhuma ninguém
    non senza nessun nessuno nessuna niente nulla neppure nemmeno
    niet geen nooit zonder niets niemand nergens
    ikke ikkje aldri aldrig ingen inga inget inte ej uden uten utan intet
    ne není neni nejsou nejsem nebyl nebude nemá nemají nelze nesmí nemůže nikdy žádný žádná žádné nikdo
    nije nisu nema nikad nikada nav nėra
    nu nici niciodată fără nimeni nimic
    nem nincs nincsenek sem soha nélkül tilos
    değil yok asla hayır hiç olmadan
    không chưa đừng chẳng
    tidak bukan jangan tanpa belum tak hindi huwag
    ei eivät eikä älä koskaan
    δεν δε μη μην όχι οχι ποτέ ποτε χωρίς χωρις ούτε
    не ні немає нема ніколи жоден ніхто нічого няма нито нікога никога нема није нису жодного емес
    לא ולא שלא אין ואין אל בלי ללא אינו אינה אינם לעולם
    لا ولا ألا بلا ليس ليست لم لن بدون دون غير نہیں مت نه نیست نمی
    नहीं नही न ना मत बिना नाही नको
    না নয় নেই নাই নি
    નથી નહીં ਨਹੀਂ இல்லை வேண்டாம் లేదు కాదు వద్దు ಇಲ್ಲ ಅಲ್ಲ ഇല്ല അല്ല
    չի չէ չեն չեմ չես ոչ առանց երբեք
    არ არა ვერ ნუ
    ไม่ อย่า ห้าม ไม่ใช่ ບໍ່ ຢ່າ មិន គ្មាន កុំ
"""
_OTHER_THINGS = "plus personne noch brak"
"""Negations of a language that are everyday words of others."""
NEGATIONS = frozenset(fold_all(even(_WORDS)).split()) | frozenset(
    word for each in (*LATIN, RUSSIAN) for word in each.negations if word not in _OTHER_THINGS.split()
)
SPACELESS = re.compile("(ไม่|อย่า|ห้าม|ບໍ່|ຢ່າ|មិន|គ្មាន|កុំ)")
"""Those of scripts without blanks between words."""
BENT = re.compile(r"안|못|않\w*|없\w*|못\w+|아니\w*|마세요|마라|마십시오|말(?:고|라|아\w*)")
"""Those of Korean, which bend; a whole word."""
_PREFIX = "ne"
_SHORTEST = 3


def turns(word: str, empty: frozenset[str]) -> bool:
    """Tell whether a folded word turns a meaning in some language.

    `empty` is what says nothing in the language of the text: `nebyl` is `byl`, turned.
    """
    if word in NEGATIONS:
        return word not in empty
    return len(word) >= _SHORTEST + len(_PREFIX) and word.startswith(_PREFIX) and word[len(_PREFIX) :] in empty
