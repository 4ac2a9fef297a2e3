"""The page in a real browser."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from page_server import PageServer, Wire, media, serving
from sandbox import Sandbox
from selenium.common.exceptions import WebDriverException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

pytestmark = pytest.mark.slow

Browse = Callable[[PageServer], Chrome]
PAGES = (
    "/",
    "/graph",
    "/graph?of=workspace",
    "/cards",
    "/card?name=one",
    "/sessions",
    "/session?name=work",
    "/session?name=s1",
    "/decisions",
    "/memory",
    "/memory?part=rules",
    "/memory?part=experiences",
    "/memory?part=files",
    "/memory?part=cortex",
    "/memory?part=recall&q=friday",
    "/health",
    "/read?address=src/auth.py",
    "/why?address=src/auth.py",
)
ROOT = Path(__file__).parents[2]
AXE = Path(__file__).parent / "axe.min.js"


TYPE_DURING_AN_UPDATE = """
const text = document.querySelector("form[hx-post='/do/memory/add'] [name=text]");
document.addEventListener("refreshed", () => arguments[0](text), { once: true });
refresh();
text.value = "Deploys need two approvals";
text.dispatchEvent(new Event("input", { bubbles: true }));
"""


def until(browser: Chrome, act: Callable[[Chrome], object]) -> None:
    """Try until `act` returns a true value: an update may replace its element."""
    ignored = [WebDriverException]
    WebDriverWait(browser, 60, 0.05, ignored_exceptions=ignored).until(act)


def wait(browser: Chrome, condition: str) -> None:
    """Wait until an expression of JavaScript is true."""
    until(browser, lambda each: each.execute_script(f"return {condition}"))


def has_text(text: str, where: str = "main") -> str:
    return f"document.querySelector({json.dumps(where)}).textContent.includes({json.dumps(text)})"


def is_live(browser: Chrome) -> None:
    wait(browser, "document.getElementById('live').className === 'live'")


def click(browser: Chrome, selector: str) -> None:
    place = (By.CSS_SELECTOR, selector)
    until(browser, lambda each: each.find_element(*place).click() is None)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible_and_fits_a_phone(
    unchanged_page: PageServer, browse: Browse, scheme: str
) -> None:
    browser = browse(unchanged_page)
    axe = AXE.read_text(encoding="utf-8")
    for path in PAGES:
        for width in (320, 1600):
            media(browser, scheme, width)
            browser.get(unchanged_page.base + path)
            wide = browser.execute_script("return document.documentElement.scrollWidth")
            assert wide <= width, (path, width)
        browser.execute_script(axe)
        found = browser.execute_async_script(
            "const done = arguments[0];"
            "axe.run(document, {resultTypes: ['violations']}).then((found) => done(found.violations))"
        )
        serious = [
            (each["id"], [node["html"] for node in each["nodes"]])
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert not serious, path
        assert not [
            row for row in browser.get_log("browser") if row["level"] == "SEVERE"
        ]


def test_scene_follows_a_save_and_explains_a_file(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    browser = browse(page)
    browser.get(page.base)
    is_live(browser)
    wait(browser, "document.querySelectorAll('article.markdown h2').length > 2")
    click(browser, "details[id='row-docs/auth.md'] summary")
    wait(browser, has_text("the root card", "details[id='row-docs/auth.md']"))
    filled.write("docs/auth.md", "# Auth\n\nRefresh tokens rotate.\n")
    wait(browser, has_text("Refresh tokens rotate."))
    opened = "document.querySelector(\"details[id='row-docs/auth.md']\").open"
    assert browser.execute_script(f"return {opened}"), "what was opened stays open"


def test_page_shows_changes_that_it_missed(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    page.enter()
    browser = browse(page)
    wire = Wire(page)
    browser.get(f"http://127.0.0.1:{wire.port}/")
    is_live(browser)
    wire.cut()
    wait(browser, has_text("no connection", "#live"))
    filled.write("docs/auth.md", "# Auth\n\nWritten without a wire.\n")
    wire = Wire(page, wire.port)
    wait(browser, has_text("Written without a wire."))
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    filled.write("docs/auth.md", "# Auth\n\nWritten while hidden.\n")
    browser.close()
    browser.switch_to.window(first)
    wait(browser, has_text("Written while hidden."))
    wire.cut()
    page.end()
    with serving(filled.root, filled.environ) as other:
        wire = Wire(other, wire.port)
        wait(browser, has_text("the server was restarted", "#live"))
        wire.cut()


def test_slider_shows_what_another_budget_changes(
    unchanged_page: PageServer, browse: Browse
) -> None:
    browser = browse(unchanged_page)
    browser.get(unchanged_page.base)
    browser.find_element(By.CSS_SELECTOR, "[type=range]").send_keys(Keys.HOME)
    wait(browser, has_text("Change at 200 tokens", "#preview"))
    wait(browser, "document.querySelectorAll('#preview tr').length > 1")


def test_the_card_gets_a_file_and_a_budget(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    filled.write(
        "src/form.py", "def login_form():  # shows the login, verifies tokens\n"
    )
    browser = browse(page)
    browser.get(page.base)
    is_live(browser)
    click(browser, "details[id='row-src/form.py'] summary")
    click(browser, "details[id='row-src/form.py'] button")
    wait(browser, has_text("named in the refs", "details[id='row-src/form.py']"))
    budget = browser.find_element(By.NAME, "budget")
    budget.clear()
    budget.send_keys("480")
    click(browser, "#use button")
    wait(browser, has_text("at most 480 tokens"))
    wait(browser, has_text("done", "#notices"))
    assert "budget: 480" in filled.place(".cuedeck/cards/one.md").read_text()


def test_board_is_moved_by_keys(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    browser = browse(page)
    browser.get(page.base + "/cards")
    is_live(browser)
    browser.find_element(By.ID, "card-one").send_keys(Keys.ARROW_RIGHT)
    wait(browser, "document.querySelector('[data-status=done] #card-one') !== null")
    wait(browser, "document.activeElement.id === 'card-one'")
    assert filled.run("card show one --json").json["card"]["status"] == "done"


def test_two_editors_do_not_overwrite_each_other(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    browser = browse(page)
    browser.get(page.base + "/memory?part=files&name=USER.md")
    is_live(browser)
    area = browser.find_element(By.NAME, "text")
    area.send_keys("Written in the browser.")
    written = "Written in an editor.\n"
    filled.write(".cuedeck/USER.md", written)
    click(browser, "#editor button")
    wait(browser, "document.querySelector('.notice.bad') !== null")
    assert filled.place(".cuedeck/USER.md").read_text() == written
    assert "Written in the browser." in area.get_attribute("value"), (
        "nothing typed is lost"
    )


def test_memory_is_added_edited_and_forgotten(
    filled: Sandbox, page: PageServer, browse: Browse
) -> None:
    browser = browse(page)
    browser.get(page.base + "/memory")
    is_live(browser)
    browser.execute_async_script(TYPE_DURING_AN_UPDATE).send_keys(Keys.ENTER)
    wait(browser, has_text("Deploys need two approvals", "#list"))
    click(browser, "#list details summary")
    filled.run('memory add "Standups are short"')
    wait(browser, has_text("Standups are short", "#list"))
    click(browser, "#list details[open] button.danger")
    wait(browser, has_text(".cuedeck/MEMORY.md", "#notices"))
    click(browser, "#notices button.danger")
    wait(browser, f"!({has_text('Deploys need two approvals', '#list')})")
    texts = [row["text"] for row in filled.run("memory list --json").json["records"]]
    assert texts == ["Reviews happen on Friday", "Standups are short"]
    browser.get(page.base + "/memory?part=rules")
    click(browser, ".entry button.danger")
    wait(browser, has_text("statements.jsonl", "#notices"))
    click(browser, "#notices button.danger")
    wait(browser, has_text("No rule yet"))


def test_graph_is_drawn_and_a_node_is_read(
    unchanged_page: PageServer, browse: Browse
) -> None:
    browser = browse(unchanged_page)
    browser.get(unchanged_page.base + "/graph")
    wait(
        browser,
        "typeof picture !== 'undefined' && picture && picture.nodes().length > 2",
    )
    browser.execute_script("picture.getElementById('docs/auth.md').emit('tap')")
    wait(browser, has_text("See [code]", "#chosen"))


def test_screenshots_of_the_docs(
    sandbox: Sandbox, browse: Browse, tmp_path: Path
) -> None:
    shutil.copytree(ROOT / "examples/login", sandbox.root, dirs_exist_ok=True)
    decision = 'decide "Answer 401 for expired tokens" --because "the app retries"'
    failed = '--tried "catch all errors" --failed "forged tokens passed"'
    sandbox.ok("card activate 2a9f1x")
    sandbox.ok(f"{decision} --affects src/auth.py")
    sandbox.ok(f"attempt add --on src/auth.py {failed}")
    place = ROOT / "docs" if os.environ.get("CUEDECK_ACCEPT") else tmp_path
    with serving(sandbox.root, sandbox.environ) as server:
        browser = browse(server)
        media(browser, "light", 1000)
        browser.get(server.base)
        is_live(browser)
        assert browser.save_screenshot(str(place / "page-scene.png"))
        browser.get(server.base + "/graph")
        wait(browser, "picture && picture.nodes().length > 2")
        assert browser.save_screenshot(str(place / "page-graph.png"))


HOSTILE = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"


def test_script_in_any_field_does_not_run(filled: Sandbox, browse: Browse) -> None:
    filled.card(
        "evil",
        f'title: "{HOSTILE}"',
        "status: active",
        f'tags: ["{HOSTILE}"]',
        "refs: [docs/evil.md]",
        body=f"{HOSTILE}\n\n[x](javascript:window.hacked=1)\n",
    )
    filled.run("card activate evil")
    filled.write(
        "docs/evil.md",
        f"# {HOSTILE}\n\n[a](javascript:window.hacked=1) <a href='javascript:window.hacked=1'>b</a>\n",
    )
    filled.write(f"src/{HOSTILE.replace('/', '_')}.py", "x = 1\n")
    for command in (
        ("memory", "add", HOSTILE),
        ("decide", HOSTILE, "--because", HOSTILE),
        ("experience", "add", HOSTILE),
    ):
        filled.run(*command)
    with serving(filled.root, filled.environ) as server:
        browser = browse(server)
        for path in (
            *PAGES,
            "/card?name=evil",
            f"/read?address={HOSTILE}",
            f"/memory?part=recall&q={HOSTILE}",
        ):
            browser.get(server.base + path)
            assert browser.execute_script("return window.hacked") is None, path
            links = browser.execute_script(
                "return [...document.querySelectorAll('a[href]')].map((each) => each.protocol)"
            )
            assert set(links) <= {"http:"}, path


def test_a_folder_without_workspace_is_initialised(
    tmp_path: Path, sandbox: Sandbox, browse: Browse
) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    with serving(bare, sandbox.environ) as server:
        browser = browse(server)
        browser.get(server.base)
        click(browser, "main button")
        wait(browser, has_text("No task is active"))
        browser.find_element(By.NAME, "title").send_keys("Fix login", Keys.ENTER)
        wait(browser, has_text("This is the scene"))
    assert (bare / ".cuedeck/config.toml").exists()
