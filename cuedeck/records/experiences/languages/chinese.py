"""Chinese: what politeness and fillers are, and the characters that turn a meaning."""

from __future__ import annotations

import re

SAID_IN_VAIN = re.compile(
    r"""^\W*(?:请|麻烦|劳驾|能否|可否|您|你|帮忙|帮我)*(?:注意|记住|记录|记下|记得|备注|提醒|留意)(?:一下|一点)?(?=[:,\s])
    |请(?:注意|记住|记得|留意|问)|麻烦(?:您|你)?(?:记一下|了)?|劳驾(?:您|你)?(?:记一下)?|(?:能否|可否|是否可以)请?(?:您|你)?
    |如果?(?:可以|方便|可能)的?话|方便的话|可能的话|供(?:您|你)?参考|仅供参考|顺便(?:说|提)(?:一下|一句)?|记一下
    |(?:非常|十分|多|万分|太)?感?谢谢?(?:您|你|了|啦)*|拜托(?:您|你|了)*|辛苦(?:您|你|了)*|(?:不好意思|打扰了|您好|你好)
    |真的|其实|当然|确实|的确|实际上|事实上|基本上|一般来说|总的来说|总之|说实话|老实说|坦白说|显然|明显地?|非常|十分
    |相当|特别是|正在|的时候|嗯|啊|哦|那么|请""",
    re.VERBOSE,
)
EMPTY = frozenset("的了着过吗呢吧呀嘛们地得也就都很还又您你我是会之其这那个啦和与或及并")
NEGATIONS = frozenset("不没無无未非别勿莫否")
THEN = "然后"
THEN_SHORT = "再"
"""The same by a character that sets sides."""
SIDES = frozenset("在把给比到从向往对再于而先后前多代替")
TELLING = frozenset("二三四五六七八九十百千万两零半只仅")
