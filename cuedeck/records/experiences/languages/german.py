"""German, where every noun has a capital."""

from cuedeck.records.experiences.languages.base import language, stem_by

GERMAN = language(
    "de",
    empty="""
    der die das den dem des ein eine einen einem einer eines dieser diese dieses diesen diesem
    und aber so dann da hier es ich du wir ihr sie mich dich uns mir dir ihm ihn sich mein meine dein deine unser
    ist sind war waren wird werden wurde wurden worden hat haben hatte hatten sein bin bist gewesen
    im in am an auf bei zur zum zu vom von mit fur um dass wenn als wie
    bitte danke dank wirklich einfach eigentlich naturlich auch ubrigens halt eben ja doch mal wohl sehr nun also
    tatsachlich offensichtlich sicherlich sicher selbstverstandlich grundsatzlich sozusagen quasi irgendwie
    gewiss durchaus ehrlich hallo
    absolut vollig komplett personlich anscheinend bestimmt zweifellos schlichtweg schlicht echt total gern gerne
    entschuldigung verzeihung grusse gruss sorry klar wichtig
    """,
    phrases="""
    vielen dank
    besten dank
    herzlichen dank
    danke schon
    danke sehr
    danke im voraus
    wenn moglich
    falls moglich
    wenn es geht
    sei so gut
    sei so nett
    konntest du
    konnten sie
    kannst du
    wurdest du
    wurden sie
    ich bitte
    zur information
    zur kenntnis
    nur damit du es weisst
    damit du es weisst
    ehrlich gesagt
    ganz klar
    in der tat
    an sich
    im grunde
    ohne zweifel
    vergiss nicht dass
    vergiss nicht
    vergessen sie nicht
    nicht vergessen
    es ist zu beachten dass
    ich mochte dass
    ich hatte gern dass
    ich wurde mich freuen wenn
    ware es moglich
    wenn du magst
    wenn du kannst
    wenn es dir nichts ausmacht
    wenn sie konnen
    falls es geht
    bei gelegenheit
    liebe grusse
    viele grusse
    freundliche grusse
    mit freundlichen grussen
    danke vielmals
    danke dir
    danke ihnen
    ich danke dir
    ich danke ihnen
    im allgemeinen
    meiner meinung nach
    so gesehen
    mit anderen worten
    wie gesagt
    wie immer
    wie besprochen
    auf jeden fall
    in jedem fall
    alles in allem
    im prinzip
    im endeffekt
    zum gluck
    unter uns gesagt
    ganz einfach
    ganz ehrlich
    ich glaube
    ich denke
    ich meine
    """,
    opening="""
    merken merke beachte beachten beachtet notieren notiere wissen wisse weisst denk daran denke hinweis
    information erinnere aufschreiben vermerken
    erinnerung notiz memo wichtig vermerk
    """,
    negations="nicht kein keine keinen keinem keiner keines nie niemals ohne weder noch nein nichts niemand nirgends",
    sides="""
    als vor nach von zu statt anstatt hinter uber unter gegen fur bis aus auf in mit dann danach anschliessend
    """,
    telling="""
    nur ausser immer manchmal oft selten meistens bis erste letzte nachste links rechts mehr weniger alle jeder
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
    januar februar marz april mai juni juli august september oktober november dezember
    rot grun blau gelb schwarz weiss grau orange lila violett rosa braun
    """,
    numbers="null - zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    stem=stem_by("e en er es em n s st t te ten tet test end et in innen"),
    capitals=False,
)
