"""Claims in Chinese, Japanese and Korean, where a word is not told from the next by blanks."""

from __future__ import annotations

import re

from cuedeck.records.integrity.claim import ANY, NAMES, Claim, Slot

_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_BLANKS = re.compile(r"\s+")
_LONGEST_VALUE = 16
"""Characters; a longer predicate says more than one value."""

# Negated ending -> nothing: what is left is the stem that the plain ending leaves, too.
_NOT_JAPANESE = re.compile(
    r"(?:では|じゃ|は|が)?(?:ありません|ないです|ない)$|ません$|(?:[しわかがさたばまら])ない(?:です)?$|(?:し)?ない(?:こと|で(?:ください)?)$"
)
_YES_JAPANESE = re.compile(r"(?:です|である|だ)$|ます$|(?:する|[うくぐすつぶむる])$")
_NOT_KOREAN = re.compile(
    r"(?:하)?지\s?(?:않|못|마|말)\S*$|(?:이|가)?\s?아니\S*$|(?:이|가)?\s?아닙\S*$|(?:이|가)?\s?없\S*$"
)
_YES_KOREAN = re.compile(r"(?:합니다|한다|하다|해요|함)$|(?:입니다|이다|이에요|예요|임)$|(?:이|가)?\s?있\S*$")
_NOT_CHINESE = re.compile(r"不再|不要|不会|不能|不可以|不用|没有|禁止|从不|不是|不|没|别|勿")
_FILLERS_CHINESE = re.compile(r"现在|目前|如今|已经|总是|一直|都|请|了$|的$|必须|应该|会(?!议)|能(?!力)|要(?!求)")
_FILLERS_KOREAN = re.compile(r"지금|현재|항상|반드시")
_FILLERS_JAPANESE = re.compile(r"現在|今は|今|いつも|必ず|常に|、")
_CHINESE = re.compile(
    r"(?P<subject>.{2,20}?)(?:(?<![不但可于就还])是|(?<![因认以])为(?!了)|位于|设为|改为|等于|在|：|:)(?P<value>.+)"
)
_JAPANESE = re.compile(r"(?P<subject>.{1,20}?)(?:は|:)(?P<value>.+)")
_KOREAN = re.compile(r"(?P<subject>.{1,20}?)(?:은|는|:)\s(?P<value>.+)")
_ATTRIBUTES = re.compile(
    r"日|名|端口|分支|语言|颜色|时间|时区|地址|数据库|负责人|期限|版本|密码|域名|编辑器|主题|路径|地点|格式|许可"
    r"|ポート|ブランチ|言語|色|時間|時刻|場所|住所|担当|期限|締|バージョン|データベース|パス|テーマ|エディタ|ライセンス"
    r"|요일|포트|브랜치|이름|언어|색|시간|주소|담당|기한|버전|데이터베이스|경로|테마|편집기|날짜"
)
"""Parts of nouns that have one value at a time."""
_DOUBTS = re.compile(r"可能|也许|如果|曾经|以前|かもしれ|でした|ました|だった|もし|아마|만약|했습니다|였")


def has_unspaced(text: str) -> bool:
    """Tell whether a text is written in one of these languages."""
    return not text.isascii() and _CJK.search(text) is not None


def read_unspaced(text: str) -> list[Claim]:
    """Return the claims of one sentence."""
    if _DOUBTS.search(text):
        return []
    if _KANA.search(text):
        return _read(text, _FILLERS_JAPANESE, _NOT_JAPANESE, _YES_JAPANESE, _JAPANESE)
    if _HANGUL.search(text):
        return _read(text, _FILLERS_KOREAN, _NOT_KOREAN, _YES_KOREAN, _KOREAN)
    return _read(text, _FILLERS_CHINESE, _NOT_CHINESE, None, _CHINESE)


def _read(
    text: str,
    fillers: re.Pattern[str],
    negation: re.Pattern[str],
    plain: re.Pattern[str] | None,
    shape: re.Pattern[str],
) -> list[Claim]:
    said = fillers.sub("", text).strip().casefold()
    stem, count = negation.subn("", said, 1)
    if not count and plain is not None:
        stem = plain.sub("", said, 1)
    frame = _BLANKS.sub("", stem)
    if len(frame) < 3:
        return []
    found = shape.fullmatch(stem)
    slots = _slots(found["subject"].strip(), found["value"].strip()) if found and not count else []
    as_written = shape.match(text)
    return [Claim(as_written["subject"].strip() if as_written else "", frame, count > 0, tuple(slots))]


def _slots(subject: str, value: str) -> list[Slot]:
    if not value or len(value) > _LONGEST_VALUE:
        return []
    is_name = value.isascii() or any(char.isdecimal() for char in value) or "曜" in value or "星期" in value
    demand = ANY if _ATTRIBUTES.search(subject) else NAMES
    return [Slot(f"{_BLANKS.sub('', subject)}|is", (_BLANKS.sub("", value),), demand, is_name)]
