"""Japanese: what politeness and fillers are, and what stands in a run of hiragana."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

SAID_IN_VAIN = re.compile(
    r"""お願い(?:(?:を)?(?:致|いた)?します(?:ね)?|申し上げます|できますか|です)?
    |(?:どうぞ|どうか)?(?:宜|よろ)しく(?:ければ)?|(?:宜|よろ)しければ
    |(?:誠に|どうも|大変)?(?:有難|有り難|ありがと)う(?:ございま(?:す|した))?
    |すみませんが?|すいませんが?|申し訳(?:あり|ござい)ませんが?|恐れ入りますが?|恐縮ですが?|失礼ですが?
    |お手数(?:を(?:おかけ|お掛け)しますが|ですが)?
    |(?:して|て)?(?:いただけ|頂け|もらえ)(?:ますか|ませんか|ると(?:幸い|助か|嬉し|うれし)[^、。]*|れば(?:幸い|と思)[^、。]*)
    |幸いです|助かります|感謝(?:(?:いた|致)?します|申し上げます)?|下さい|ください|どうぞ|どうか|是非|ぜひ
    |念のため|参考までに|ご参考まで(?:に)?|ちなみに|なお(?=[、,])|因みに
    |本当に|実際(?:に|は|のところ)?|実は|勿論|もちろん|やはり|やっぱり|ちょっと|基本的に(?:は)?|とても|非常に|大変
    |正直(?:なところ|に言うと|言って)?|明らかに|確かに|まさに|正に|なるほど|まあ|えっと|ええと|とりあえず|一応|つまり
    |要するに|まず|ただし?(?=[、,])|また(?![はも])|さて|では(?=[、,])|それでは|特に|まったく|全く|単に|当然
    |メモ(?=[:、,])|注意(?=[:、,])|備考(?=[:、,])|覚えておいて|忘れずに""",
    re.VERBOSE,
)
"""Politeness and fillers; the longer form of one stands before the shorter."""

_NEGATIONS = "ませんでした ません なかった なくて なければ なく ない ずに ず ぬ まい"
_DUTIES = """
    なければならない なければなりません なければいけない なければいけません なくてはならない なくてはなりません
    なくてはいけない ねばならない ねばなりません なきゃ
"""
_DOUBTS = "かもしれない かもしれません"
_LIMITS = "より から まで だけ しか のみ ばかり"
_SIDES = "を が は に へ で"
_WORDS = """
    かならず いずれ わずか ずっと すべて もっと ほとんど たくさん いつも ときどき たまに みんな すぐ まえ あと
    つける けす ある なる おいしい できる
"""
_EMPTY = """
    の と も や か ね よ な ば て た だ る し う ん い
    では には とは への との でも ても って という といった について に対して によって として ながら ので のに けど
    けれど けれども など から見て ため ための ように ような こと もの とき そして また
    です でした だった である でしょう だろう ます ました まし ましょう
    いる いた いて います いました ている ていた ています ていました てい でいる でいた でいます でい てる ており でおり
    する した して します しました している していた しています しました される された されます されて させる させた
    たい たく れる られる れた られた せる せた れて られて よう という
"""


class Piece(NamedTuple):
    """A part of a run of hiragana."""

    text: str
    kind: str
    """`empty`, `not`, `must`, `maybe`, `limit`, `side`, or `word`."""
    at: int


def _table() -> dict[str, str]:
    lists = {"empty": _EMPTY, "side": _SIDES, "limit": _LIMITS, "word": _WORDS, "not": _NEGATIONS}
    lists |= {"maybe": _DOUBTS, "must": _DUTIES}
    return {each: kind for kind, text in lists.items() for each in text.split()}


_KIND = _table()
_LONGEST = max(map(len, _KIND))
_TAILS = 2
"""Letters of a word that begins in characters: its ending, as in 新しい."""


def read_kana(run: str, *, follows: bool) -> Iterator[Piece]:
    """Take a run of hiragana apart, at each place by the longest known piece; what is unknown is a word.

    `follows` tells that it stands behind a character, whose word ends in it.
    """
    at = tails = 0
    word = ""
    tails = _TAILS if follows else 0
    while at < len(run):
        known = next((run[at : at + size] for size in range(_LONGEST, 0, -1) if run[at : at + size] in _KIND), "")
        if known or tails:
            if word:
                yield Piece(word, "word", at - len(word))
                word = ""
            if known:
                yield Piece(known, _KIND[known], at)
            tails = 0 if known and _KIND[known] != "empty" else max(tails - 1, 0)
            at += len(known) or 1
        else:
            word += run[at]
            at += 1
    if word:
        yield Piece(word, "word", at - len(word))
