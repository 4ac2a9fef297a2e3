"""English."""

from __future__ import annotations

from cuedeck.records.integrity.languages.base import CONTRAST, NOT, Language, forms, phrase, words

ENGLISH = Language(
    verbs=forms(
        """
        is: is are am be remains remain stays stay equals becomes
        prefer: prefer prefers like likes love loves enjoy enjoys favour favours favor favors want wants
        use: use uses using employ employs choose chose picked adopt adopted adopts
        own: owns leads maintains manages
        need: need needs require requires
        have: has have contain contains
        support: support supports allow allows accept accepts
        run: run runs
        live: live lives reside resides
        work: work works
        take: take takes last lasts
        start: start starts begin begins
        end: end ends
        cost: cost costs
        call: call
        happen: happen happens occur occurs
        listen: listen listens
        expire: expire expires
        point: point points
        go: go goes
        born: born
        answer: answer reply respond
        build: build
        deploy: deploy
        format: format
        indent: indent
        install: install
        lint: lint
        log: log
        name: name
        publish: publish
        store: store
        write: write
        """
    ),
    negations=words("not never no neither nor"),
    fillers=words(
        """a an the 's now currently presently today always really just also too please actually simply generally
        usually definitely all every each any both some do does must shall should will can ought here still already
        that yes wo"""
    ),
    joints=words(
        """in on at for with by to from of as over under via into onto through per during before after until when
        while unless about between within against towards except than without inside outside"""
    ),
    scopes=words("for during before after until when while unless about except without of"),
    cuts=words("because since due thanks given although though but whereas"),
    doubts=words(
        """may might could would maybe perhaps probably possibly was were had been seems seem seemed appears
        thinks think thought wondering considering planning plans if whether did"""
    ),
    user=words("user i me my mine operator client"),
    us=words("we us our ours team project repo repository codebase"),
    vague=words("it this these those they them he she him her someone something one which what who its such same"),
    attributes=words(
        """name port day date time deadline timezone zone language locale colour color theme font editor shell system
        branch version license licence database owner maintainer lead manager contact reviewer author host hostname
        url address domain path folder directory bucket region limit timeout size length interval budget price cost
        default format encoding level strategy policy convention standard style framework engine provider registry
        hours frequency schedule currency unit birthday age role title pronouns key quota threshold maximum minimum
        max min password username capacity duration retention location office city country platform
        runner browser driver compiler shortcut"""
    ),
    norms=words("prefers prefer always never"),
    opposites={
        "dislike": "like", "dislikes": "likes", "hate": "like", "hates": "likes", "avoid": "use", "avoids": "uses",
        "disabled": "enabled", "off": "on", "forbidden": "allowed", "disallowed": "allowed", "prohibited": "allowed",
        "unsupported": "supported", "optional": "required", "invalid": "valid", "unsafe": "safe", "false": "true",
        "refuses": "accepts", "rejects": "accepts", "impossible": "possible", "inactive": "active",
        "forbid": "allow", "forbids": "allows", "unencrypted": "encrypted", "unlimited": "limited",
        "excluded": "included", "excludes": "includes", "cannot": "can",
    },
    phrases=(
        phrase("'t", r"\b(can|wo|do|does|is|are|should|must|need|would|could|did|was|were|has|have)n?'t\b", r"\1 not"),
        phrase("need not|no longer|stopped", r"\b(?:need not|no longer|stopped using)\b", NOT),
        phrase("any", r"\bany ?(?:more|longer)\b", ""),
        phrase("'s", r"\b(it|that|there|he|she)'s\b", r"\1 is"),
        phrase("ave to|has to|as of|default", r"\b(?:have|has) to\b|\bas of now\b|\bby default\b", ""),
        phrase(" to", r"\b(?:decided|agreed|chose|wants? (?:us|me|you)) (not )?to\b", r"\1"),
        phrase("from now|days|now", r"\b(?:from now on|these days|nowadays|for now)\b", ""),
        phrase("moment", r"\bat the moment\b", ""),
        phrase("instead|rather|opposed", r"\b(?:instead of|rather than|as opposed to)\b", f" {CONTRAST} "),
        phrase(" not", r",\s*(?:and )?not\b|\band not\b", f" {CONTRAST} "),
        phrase(" over ", r"\b(prefers?\b.*?)\bover\b", rf"\1 {CONTRAST} "),
        phrase("after", r"\bafter (?:the|our) (?:change|update|upgrade|move|migration|switch)\b.*", ""),
        phrase("stop", r"\bstop(?= \w+ing\b)", NOT),
        phrase("ory", r"\b(?:mandatory|compulsory|obligatory)\b", "required"),
        phrase("responsible|charge", r"\b(?:is|are) (?:responsible for|in charge of)\b", "owns"),
        phrase("ed to|set to", r"\b(?:was|were|is|are|has been|have been) (?=(?:changed|set|raised|lowered) to\b)", ""),
        phrase("ed to|set to", r"\b(?:changed|set|raised|lowered) to\b", "is"),
        phrase("work", r"\b(works?) (on|with)\b", r"\1-\2"),
        phrase("never|not|as if", r"\bnever mind\b|\bnot (?:only|just|yet)\b|\bas if\b", "maybe"),
        phrase(" to ", r"\b(\d+) to (\d+)\b", r"\1-\2"),
    ),
)  # fmt: skip
