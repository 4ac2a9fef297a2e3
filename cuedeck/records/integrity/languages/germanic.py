"""German and Dutch."""

from __future__ import annotations

from cuedeck.records.integrity.languages.base import CONTRAST, NOT, Language, forms, phrase, words

GERMAN = Language(
    verbs=forms(
        """
        is: ist sind bin bleibt bleiben lautet heißt
        prefer: bevorzugt bevorzuge mag möchte will liebt wünscht
        use: verwenden verwendet verwende benutzen benutzt nutzen nutzt
        need: braucht brauchen benötigt benötigen
        have: hat haben habe
        support: unterstützt unterstützen
        run: läuft laufen
        live: wohnt lebt liegt liegen steht stehen
        take: dauert
        start: beginnt startet
        end: endet
        cost: kostet
        """
    ),
    negations=words("nicht nie niemals kein keine keinen keinem keiner keines"),
    fillers=words(
        """der die das den dem des ein eine einen einem einer eines jetzt nun immer bitte auch noch nur derzeit aktuell
        alle jede jeder jedes muss müssen soll sollen sollte werden wird mehr"""
    ),
    joints=words("in im auf an am für mit bei beim von vom zu zum zur aus über unter um bis ab nach vor seit per als"),
    scopes=words("für bei beim zu zum zur nach vor bis"),
    cuts=words("weil da denn wegen obwohl aber damit"),
    doubts=words("vielleicht könnte kann war waren wurde wurden wenn falls ob hatte eventuell vermutlich"),
    user=words("nutzer nutzerin benutzer benutzerin anwender ich mir mich mein meine"),
    us=words("wir uns unser unsere team projekt"),
    vague=words("es er sie dies diese dieser dieses jener man"),
    attributes=words(
        """name port tag datum zeit uhrzeit frist termin zeitzone sprache farbe schrift editor shell branch zweig
        version lizenz datenbank eigentümer leiter ansprechpartner host adresse domain pfad ordner region limit
        timeout größe länge budget preis format stufe strategie standard währung alter rolle titel"""
    ),
    norms=words("bevorzugt immer nie niemals"),
    opposites={"deaktiviert": "aktiviert", "aus": "an", "verboten": "erlaubt", "hasst": "mag", "vermeidet": "nutzt"},
    phrases=(
        phrase("mehr", r"\bnicht mehr\b", NOT),
        phrase("mehr", r"\bkeine?[nmrs]? (.*?)\bmehr\b", rf"{NOT} \1"),
        phrase("statt|anstelle", r"\b(?:anstelle von|anstatt|statt)\b", f" {CONTRAST} "),
        phrase("nicht", r",\s*(?:und )?nicht\b", f" {CONTRAST} "),
        phrase("ab |von nun", r"\bab (?:jetzt|sofort)\b|\bvon nun an\b", ""),
    ),
)  # fmt: skip

DUTCH = Language(
    verbs=forms(
        """
        is: is zijn blijft heet
        prefer: verkiest wil houdt
        use: gebruiken gebruikt gebruik
        need: vereist
        have: heeft hebben
        run: draait draaien
        live: woont staat
        """
    ),
    negations=words("niet nooit geen"),
    fillers=words("de het een nu altijd ook alle elke moet moeten meer"),
    joints=words("in op aan voor met bij van naar uit over onder om tot na als"),
    scopes=words("voor bij naar na tot"),
    cuts=words("omdat want doordat maar"),
    doubts=words("misschien was waren kan als indien werd"),
    user=words("gebruiker ik mij mijn"),
    us=words("wij we ons onze team project"),
    vague=words("dit dat deze die hij zij"),
    attributes=words("naam poort dag datum tijd tijdzone taal standaardtaal kleur branch versie licentie adres"),
    norms=words("verkiest altijd nooit"),
    phrases=(
        phrase("meer", r"\b(?:niet|geen) (.*?)\bmeer\b", rf"{NOT} \1"),
        phrase("plaats", r"\bin plaats van\b", f" {CONTRAST} "),
    ),
)  # fmt: skip
