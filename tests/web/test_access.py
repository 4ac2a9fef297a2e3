"""Access to the page, by bytes on the wire."""

from __future__ import annotations

import http.client
import json
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest
from page_server import PageServer, serving
from sandbox import Sandbox


def test_the_address_works_once(page: PageServer) -> None:
    assert page.ask("/").status == 403
    first = page.enter()
    assert first.status == 200
    cookie, page.cookie = page.cookie, ""
    assert page.ask(page.address.removeprefix(page.base)).status == 403
    assert page.ask("/").status == 403
    page.cookie = cookie
    assert page.ask("/").status == 200
    assert cookie.startswith(f"cuedeck-{page.port}=")
    given = first.headers["set-cookie"]
    assert "HttpOnly" in given and "SameSite=strict" in given


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_requests_of_other_pages_are_refused(
    unchanged_page: PageServer, headers: dict[str, str]
) -> None:
    assert unchanged_page.ask("/", headers).status in (403, 421)
    assert unchanged_page.post("memory add", '{"text": "no"}', **headers).status in (
        403,
        421,
    )


def test_a_write_needs_the_header(filled: Sandbox, page: PageServer) -> None:
    page.enter()
    body = json.dumps({"text": "forged"})
    for key in ({}, {"X-CueDeck": "guess"}):
        assert page.ask("/do/memory/add", key, "POST", body).status == 403
    assert page.post("memory add", body).status == 200
    texts = [row["text"] for row in filled.run("memory list --json").json["records"]]
    assert texts.count("forged") == 1


@pytest.mark.parametrize(
    ("operation", "body", "status"),
    [
        ("memory add", "{", 400),
        ("memory add", "[]", 400),
        ("memory add", "{}", 400),
        ("memory add", '{"text": "a", "unknown": 1}', 400),
        ("card activate", '{"identity": "nothing"}', 404),
        ("hook", "{}", 404),
        ("setup", '{"host": "claude"}', 404),
        ("start", '{"yes": true}', 404),
        ("exchange", '{"yes": true}', 404),
        ("scene", '{"out": "/tmp/x"}', 400),
        ("memory list", '{"allow_secret": true}', 400),
        ("memory write", '{"file": "../x.md", "known": "none", "text": "a"}', 400),
    ],
)
def test_wrong_requests_say_what_is_wrong(
    unchanged_page: PageServer, operation: str, body: str, status: int
) -> None:
    reply = unchanged_page.post(operation, body)
    assert reply.status == status
    error = json.loads(reply.text)["error"]
    assert error["message"] and error["hint"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/read?address=../../etc/passwd",
        "/memory?part=files&name=../../etc/passwd",
    ],
)
def test_nothing_outside_is_read(unchanged_page: PageServer, path: str) -> None:
    reply = unchanged_page.ask(path)
    assert "root:" not in reply.text and "class Site" not in reply.text


def test_a_masked_value_is_not_overwritten(filled: Sandbox, page: PageServer) -> None:
    secret = "AKIA" + "QW8RTYUP3KTLMNZ7"
    place = filled.write(".cuedeck/USER.md", f"key {secret}\nname Ann\n")
    page.enter()
    shown = json.loads(page.post("memory read", '{"file": "USER.md"}').text)
    assert secret not in shown["text"]
    edited = shown["text"].replace("Ann", "Bea")
    body = {"file": "USER.md", "known": shown["hash"], "text": edited}
    assert page.post("memory write", json.dumps(body)).status == 200
    assert place.read_text() == f"key {secret}\nname Bea\n"


def test_a_field_that_was_changed_meanwhile_is_not_overwritten(
    filled: Sandbox, page: PageServer
) -> None:
    page.enter()
    body = {"name": "two", "title": "Limit", "seen.title": "Rate limit"}
    assert page.post("card edit", json.dumps(body)).status == 200
    reply = page.post("card edit", json.dumps({**body, "title": "Other"}))
    assert reply.status == 409
    assert "title was changed meanwhile" in reply.text
    form = {"HX-Request": "true"}
    assert page.post("card edit", '{"name": "two"}', **form).status == 400
    assert filled.run("card show two --json").json["card"]["title"] == "Limit"


def test_a_damaged_file_hides_no_other(filled: Sandbox, page: PageServer) -> None:
    page.enter()
    for name in ("decisions.jsonl", "MEMORY.md", "cards/bad.md"):
        place = filled.place(f".cuedeck/{name}")
        known = place.read_text() if place.exists() else ""
        place.write_text(f"{known}\n---\ntitle: [\n{{\x00 \n")
        assert page.ask("/").status == 200
        for path, text in {
            "/cards": "Fix login",
            "/decisions": "Tokens expire",
            "/memory": "Reviews happen",
        }.items():
            reply = page.ask(path)
            assert reply.status == 200 and text in reply.text
    filled.write(".cuedeck/cards/one.md", "---\ntitle: [\n")
    assert "front matter is not closed" in page.ask("/").text


def test_a_moved_workspace_is_reported(filled: Sandbox, page: PageServer) -> None:
    page.enter()
    filled.place(".cuedeck").rename(filled.root / "moved")
    reply = page.ask("/")
    assert reply.status == 404
    assert "<code>cuedeck init</code>" in reply.text
    (filled.root / "moved").rename(filled.place(".cuedeck"))
    assert "Fix login" in page.ask("/cards").text


def test_vendored_libraries_are_those_of_the_table() -> None:
    folder = Path(str(files("cuedeck.shells.web"))) / "static" / "vendor"
    listed = {}
    for line in (folder / "README.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[1].endswith(".js"):
            listed[cells[1]] = cells[5]
    found = {
        each.name: sha256(each.read_bytes()).hexdigest() for each in folder.glob("*.js")
    }
    assert found == listed


def test_a_server_that_only_reads_writes_nothing(filled: Sandbox) -> None:
    def stored() -> dict[Path, bytes]:
        files = [each for each in filled.root.rglob("*") if each.is_file()]
        return {each: each.read_bytes() for each in files if "cache" not in each.parts}

    before = stored()
    with serving(filled.root, filled.environ, "--read-only") as server:
        server.enter()
        for name in ("memory add", "decide", "init", "doctor", "scene"):
            reply = server.post(name, '{"text": "no"}')
            assert reply.status == 400, name
            assert "only reads" in reply.text
        assert server.ask("/cards").status == 200
    assert stored() == before


def test_every_answer_has_the_policy(unchanged_page: PageServer) -> None:
    for path in ("/", "/static/page.js", "/nothing"):
        headers = unchanged_page.ask(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_ctrl_c_ends_open_streams(page: PageServer) -> None:
    page.enter()
    streams = []
    for _ in range(20):
        stream = http.client.HTTPConnection("127.0.0.1", page.port, timeout=30)
        stream.request(
            "GET",
            "/events",
            headers={"Cookie": page.cookie, "Host": f"127.0.0.1:{page.port}"},
        )
        answer = stream.getresponse()
        assert answer.readline() == b"retry: 1000\n"
        streams.append(stream)
    assert page.end() == 130
    for stream in streams:
        stream.close()


def test_a_taken_port_is_reported(filled: Sandbox, page: PageServer) -> None:
    found = filled.run("web", "--no-open", "--port", str(page.port), "--json")
    assert found.code == 1
    assert "--port" in found.json["error"]["hint"]
