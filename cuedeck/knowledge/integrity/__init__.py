"""Integrity check of records: contradictions, supersession and staleness.
`scan_records.find_findings` runs it.

**Contradiction.** A record is read sentence by sentence. Questions, history (`was`,
`fixed`, `added`), doubt (`may`, `perhaps`, `if`) and reasons (`because …`) state
nothing. Of the remaining sentences, two records contradict each other

1. if one states the same as the other with a negation: `not`, `no longer`, `never`,
   `disabled` for `enabled`, `dislikes` for `likes`. Articles, `now`, `please`, `must`
   and word order do not count. A negation without circumstances also denies what holds
   under some: `do not use X` and `use X for tests`. `A instead of B`, `A over B` and
   `A, not B` state A and deny B; `we switched from B to A` does the same;
2. if both state the same about the same subject, with another value in one place of up
   to three words:
   - `X is A`, `X: A`, `X = A`, if X has one value at a time (port, day, name, owner,
     limit, …), or if A and B are both names, or both numbers, days, months or paths, or
     share a word (`is written in Go`, `… in Rust`);
   - one place, time or means: `runs on`, `lives in`, `stored in`, `starts at`, `go to`,
     and similar verbs;
   - a preference or a choice, if the rest is the same: `use A for X`, `prefers A for
     X`, or the noun is (`dark theme`, `light theme`). `Likes tea` and `likes coffee`
     are compatible, `use A` and `use B` too;
   - any other sentence, if only a number, a day or a month differs: `keeps 5 copies`,
     `keeps 7 copies`. With a known verb a path counts as well. A sentence that begins
     with a change (`Update …`, `Bump …`, `Release …`) is history, and a measured
     quantity (coverage, latency, load) has no lasting value.

More words, other circumstances (`in staging`, `for uploads`) or a value that contains
the other (`Postgres`, `Postgres 16`) are no contradiction. A value that changed more
than eleven times is a series. A record that states both values states neither, and
equal texts never contradict each other.

**Languages.** English and Spanish, by tables of words. In every other language only
`key: value`, numbers, days, months and paths are compared; a record with a sentence
that has none of these is counted as not analysed. Meaning is not understood: the same
statement in other words (`office in Graz`, `moved to Linz`) is not found.

**Categories.** Records of categories that are not kept for good (all but preferences,
learned, decisions and profile) state nothing in a sentence about the moment: `next`,
`today`, `still`, `failing`, `done`, `I am …`. A sentence of a turn summary counts only
if it is about the future: `from now on`, `always` or `never` at its start, `the user
prefers`, `we use`, `the default … is`, or after `Remember:`, `Noted:`, `the user said`;
not if it contains `now` or `this`, or names a file or a function. Numbers count only in
statements of the user. Compactions and heartbeats state nothing.

**Severity.** The command of a finding supersedes the older record. It is an error if
both categories are kept for good, a warning otherwise. Each record is compared with the
next later one that contradicts it.

**Supersession.** `"supersedes": [ids]` in the JSON of a record excludes these ids from
the check. An unknown id is information; a circle is an error, and no record in it
supersedes another. An id of several different records is a warning, and the newest of
them counts.

**Staleness.** A record older than the limit (120 days) is stale: a warning for each
record of a category that is kept for good; of the others the twenty oldest are named
and the rest is counted, as information. Turn summaries, compactions and heartbeats do
not become stale. An invalid timestamp is information.

**Cost.** Records are compared only within groups that share all but the value, each
with at most twelve later values: the time grows linearly with the number of records.
"""
