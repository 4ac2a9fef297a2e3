"""The vectors of CursorClaw, with values computed by its own code."""

from __future__ import annotations

import pytest

from cuedeck.text.rank_texts import bucket_of, cosine, hash_vector

BUCKETS = {
    "operator": 57, "prefers": 17, "deployment": 54, "on": 91, "fridays": 88, "deploy": 31, "test": 101,
    "api_key": 56, "abc": 54, "123": 21, "user": 111, "example": 39, "com": 39,
}  # fmt: skip
FRIDAYS = "Operator prefers deployment on Fridays"
KEY = "API_KEY=abc-123 user@example.com"


@pytest.mark.parametrize(("token", "bucket"), BUCKETS.items())
def test_word_has_the_bucket_of_the_original(token: str, bucket: int) -> None:
    assert bucket_of(token) == bucket


def test_vectors_equal_those_of_the_original() -> None:
    assert hash_vector(FRIDAYS) == dict.fromkeys(
        (17, 54, 57, 88, 91), 0.4472135954999579
    )
    assert hash_vector("deploy deploy deploy test") == {
        31: 0.9486832980505138,
        101: 0.31622776601683794,
    }
    typed = hash_vector("The project uses TypeScript and Vitest")
    assert typed == dict.fromkeys((19, 35, 46, 67, 72, 97), 0.4082482904638631)
    assert list(hash_vector("Pizza is the team lunch preference")) == [
        36,
        43,
        46,
        62,
        84,
        92,
    ]
    rounded = {bucket: round(share, 4) for bucket, share in hash_vector(KEY).items()}
    assert rounded == {21: 0.3536, 39: 0.7071, 54: 0.3536, 56: 0.3536, 111: 0.3536}
    assert hash_vector("a b c") == {}


def test_cosines_equal_those_of_the_original() -> None:
    query = hash_vector("deployment preferences")
    assert cosine(query, hash_vector(FRIDAYS)) == pytest.approx(
        0.3162277660168379, abs=1e-15
    )
    assert cosine(query, hash_vector(KEY)) == pytest.approx(0.25, abs=1e-15)
    assert (
        round(
            cosine(
                hash_vector("prefers to run tests"),
                hash_vector("prefers NOT to run tests"),
            ),
            2,
        )
        == 0.89
    )
