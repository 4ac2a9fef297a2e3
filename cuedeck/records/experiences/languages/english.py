"""English."""

from cuedeck.parse import terms
from cuedeck.records.experiences.languages.base import language

_SHORT = 4


def stem(word: str) -> str:
    """Return a word without its ending; also the plural of a short one, which names in code seldom have."""
    is_plural = len(word) == _SHORT and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return terms.stem(word[:-1] if is_plural else word)


ENGLISH = language(
    "en",
    empty="""
    a an the this that these those there here it its i me my we us our you your s re ve ll d m
    is are was were be been being am has have had having do does did doing done will would shall
    to of in on at for by with from as into and but so then than which who whom whose when while
    please kindly thanks thank just really actually basically simply very quite indeed also too well even
    obviously certainly honestly clearly definitely literally essentially evidently surely truly frankly
    hello hi hey ok okay oh um uh anyway moreover furthermore however though fyi btw
    absolutely totally completely naturally apparently personally seriously surely undoubtedly importantly
    sorry pardon cheers dear regards appreciated sir madam folks guys
    """,
    phrases="""
    thank you very much
    thank you so much
    thank you in advance
    thanks in advance
    thanks a lot
    many thanks
    thank you
    if you don't mind
    if you please
    if you like
    if possible
    would you mind
    could you
    would you
    can you
    i would appreciate it if
    it would be great if
    it would be nice if
    be so kind as to
    for your information
    for the record
    just so you know
    as you know
    you know
    i mean
    i think
    i believe
    i guess
    of course
    in fact
    as a matter of fact
    to be honest
    to tell the truth
    generally speaking
    needless to say
    by the way
    kind of
    sort of
    more or less
    a little bit
    a bit
    very much
    as well
    at all
    don't forget that
    don't forget to
    don't forget
    do not forget
    never forget that
    let's not forget that
    let us not forget
    it is worth noting that
    worth noting that
    it should be noted that
    i would like to
    i'd like to
    i would like you to know that
    i want you to know that
    i would appreciate it
    i'd appreciate it
    i'd appreciate it if you could
    would appreciate it
    much appreciated
    appreciate it
    if you could
    if you can
    if that's okay
    if it's not too much trouble
    when you get a chance
    when you have time
    please be advised that
    as mentioned
    as discussed
    as i said
    as always
    as usual
    in other words
    to be clear
    to be fair
    in any case
    in the end
    after all
    at the moment
    excuse me
    best regards
    kind regards
    hope this helps
    at your convenience
    without a doubt
    no doubt
    without doubt
    for sure
    as far as i know
    so to speak
    make sure you
    make sure to
    make sure that
    be sure to
    """,
    opening="""
    note remember remind reminder mind keep bear know aware record information attention notice heads up fact
    advised reminded noted memo recall tip nb ps worth
    """,
    negations="not no never none neither nor nobody nothing nowhere cannot without hardly",
    sides="""
    over than before after into from to instead rather by for against under above below until if
    then afterwards next later finally once followed
    """,
    telling="""
    only except unless always sometimes often rarely usually seldom until
    off out up down first last next left right more less most least all some any every each both
    monday tuesday wednesday thursday friday saturday sunday
    january february april june july august september october november december
    red green blue yellow black white grey gray orange purple pink brown cyan magenta violet
    """,
    numbers="zero one two three four five six seven eight nine ten eleven twelve",
    stem=stem,
)
