"""Integrity: which records contradict each other, what is superseded, what is stale. `findings.find_findings` does it.

**A contradiction.** A record is read sentence by sentence. Questions, history (`was`, `fixed`, `added`), doubt (`may`,
`perhaps`, `if`) and reasons (`because …`) state nothing. Of the rest, two records contradict each other when

1. they say the same and one of them with a negation: `not`, `no longer`, `never`, `disabled` for `enabled`, `dislikes`
   for `likes`. Articles, `now`, `please`, `must` do not count, neither does word order. A negation without
   circumstances also denies what holds under some: `do not use X` and `use X for tests`. `A instead of B`, `A over B`
   and `A, not B` say A and deny B; so does `we switched from B to A`. Or
2. they say the same about the same subject, with another value in one place of up to three words:
   - `X is A`, `X: A`, `X = A`, when X is something that has one value at a time (port, day, name, owner, limit, …), or
     A and B are both names, or both numbers, days, months or paths, or share a word (`is written in Go`, `… in Rust`);
   - one place, time or means: `runs on`, `lives in`, `stored in`, `starts at`, `go to`, and others alike;
   - a preference or a choice, when the rest is the same: `use A for X`, `prefers A for X`, or the noun is
     (`dark theme`, `light theme`). `Likes tea` and `likes coffee` go well together, `use A` and `use B` too;
   - any other sentence, when only a number, a day or a month is another: `keeps 5 copies`, `keeps 7 copies`. With a
     verb that is known, a path counts, too. One that begins with a change (`Update …`, `Bump …`, `Release …`) is
     history, and what is measured (coverage, latency, load) has no value that stays.

More words, another circumstance (`in staging`, `for uploads`) or one value that is part of the other (`Postgres`,
`Postgres 16`) are no contradiction. What changed its value more than eleven times is a series, not a fact. A record
that says both says neither, and equal texts never contradict each other.

**Records that are not kept for good** (all but preferences, learned, decisions and profile) state nothing in a sentence
about the moment: `next`, `today`, `still`, `failing`, `done`, `I am …`.

**Turn summaries** tell what happened. A sentence of one counts only if it speaks of the time after: `from now on`,
`always` or `never` at its beginning, `the user prefers`, `we use`, `the default … is`, or after `Remember:`, `Noted:`,
`the user said`. Even then it does not count if it says `now` or `this`, or names a file or a function, and numbers only
count in what the user said. Compactions and heartbeats state nothing.

**Languages.** English most, German, Dutch, French, Spanish, Portuguese, Italian, Polish, Russian and Ukrainian by
tables of words; Chinese, Japanese and Korean by the endings and particles around a value. Meaning is not understood:
what is said again in other words (`office in Graz`, `moved to Linz`) is not found.

**Which one.** The older record is the one to supersede, by the command of the finding: an error when both are of a
category that is kept for good, a warning otherwise. Each record is held against the next later one that contradicts it.

**Supersession.** `"supersedes": [ids]` in a record's JSON takes these out of everything here. An id that is not there
(any more) is information; a circle is an error, and in it nobody supersedes anybody. An id that different records
share is a warning, and the newest of them counts.

**Staleness.** A record older than the limit (120 days) is stale: a warning for categories that are kept for good, one
by one; for others the twenty oldest are named and the rest is counted, as information. Turn summaries, compactions and
heartbeats do not age. A time that cannot be read is information.

**Cost.** Records are only compared within groups that share all but the value, each with at most twelve later values:
the time grows with the number of records.
"""
