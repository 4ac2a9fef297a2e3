from auth import Login


def test_a_token_is_good_for_its_key_only() -> None:
    token = Login(b"key").issue("ada")
    assert Login(b"key").verify(token)
    assert not Login(b"other").verify(token)
