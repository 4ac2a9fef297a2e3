"""The page with the login form."""

from auth import Login

WHY = {"expired": "You were away for an hour. Please log in again."}


class Form:
    """Ask for name and password, and say why."""

    def __init__(self, login: Login) -> None:
        self._login = login

    def show(self, why: str = "") -> str:
        return f"<form>{WHY.get(why, '')}<input name=name><input name=password type=password></form>"

    def post(self, name: str) -> str:
        return self._login.issue(name)
