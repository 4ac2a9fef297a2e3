"""The cases shipped with the benchmark."""

from __future__ import annotations

from collections import Counter

from benchmarks.scenes.cases import load_cases


def test_there_are_30_cases_of_each_of_six_repositories() -> None:
    cases = load_cases()
    assert len({case.id for case in cases}) == 180
    assert list(Counter(case.repo for case in cases).values()) == [30] * 6


def test_every_case_has_lines_and_definitions_and_targets_without_the_entry() -> None:
    for case in load_cases():
        assert set(case.hunks) == set(case.definitions) == {case.entry, *case.targets}
        assert case.targets
        assert case.entry not in case.targets


def test_limit_applies_to_each_repository() -> None:
    few = load_cases(2)
    assert set(Counter(case.repo for case in few).values()) == {2}
    assert [case for case in load_cases() if case in few] == few
