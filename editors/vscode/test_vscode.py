"""The extension in a real editor: code-server in Chromium. `make test-vscode` runs it.

It needs Node.js, Debian's chromium and chromium-driver, and CODE_SERVER, the path of
the program code-server. With CUEDECK_ACCEPT=1 it renews the screenshot of the README.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).parent
CUEDECK = Path(sys.executable).with_name("cuedeck")
SECONDS = 60
CARD = ".cuedeck/cards/login.md"


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project") / "shop with spaces"
    root.mkdir()
    subprocess.run([CUEDECK, "init"], cwd=root, check=True, capture_output=True)
    (root / "src").mkdir()
    (root / "src/auth.py").write_text("class LoginFlow:\n    def verify(self): ...\n")
    (root / ".cuedeck/docs/auth.md").write_text("# Auth\n\n## Tokens\n\nA day.\n")
    (root / CARD).write_text(
        "---\ntitle: Fix login\nstatus: active\nrefs:\n- .cuedeck/docs/auth.md\n"
        "- src/auth.py#LoginFlow\n---\nThe token of a session expires. See [[nowhere]].\n"
    )
    words = [CUEDECK, "card", "activate", "login"]
    subprocess.run(words, cwd=root, check=True, capture_output=True)
    return root


@pytest.fixture(scope="module")
def address(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the editor with the packed extension installed; yield its address."""
    server = os.environ["CODE_SERVER"]
    (package,) = HERE.glob("*.vsix")
    data = tmp_path_factory.mktemp("data")
    settings = data / "User/settings.json"
    settings.parent.mkdir()
    settings.write_text(
        f'{{"cuedeck.path": "{CUEDECK}", "security.workspace.trust.enabled": false,'
        ' "workbench.startupEditor": "none", "chat.disableAIFeatures": true,'
        ' "workbench.secondarySideBar.defaultVisibility": "hidden"}\n'
    )
    places = [
        "--user-data-dir",
        str(data),
        "--extensions-dir",
        str(data / "extensions"),
    ]
    subprocess.run(
        [server, *places, "--install-extension", str(package)],
        check=True,
        capture_output=True,
    )
    port = free_port()
    place = f"127.0.0.1:{port}"
    quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    with open(data / "log", "wb") as log:
        process = subprocess.Popen(
            [server, *places, *quiet, "--bind-addr", place, str(project)],
            stdout=log,
            stderr=log,
        )
    try:
        browse = f"http://{place}/?folder={project}".replace(" ", "%20")
        wait_for_answer(f"http://{place}/healthz", process)
        yield browse
    finally:
        process.terminate()
        process.wait(20)


def wait_for_answer(address: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address):
            return
    pytest.fail("code-server ended")


@pytest.fixture(scope="module")
def browser(address: str) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for each in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,860",
    ):
        options.add_argument(each)
    options.binary_location = shutil.which("chromium") or ""
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver") or ""))
    driver.get(address)
    yield driver
    driver.quit()


def wait_for(browser: webdriver.Chrome, selector: str, text: str = "") -> None:
    """Wait until an element that a selector finds has a text."""

    def is_shown(driver: webdriver.Chrome) -> bool:
        found = driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".map(each => each.textContent + ' ' + (each.ariaLabel || ''))",
            selector,
        )
        return any(text in each.replace("\xa0", " ") for each in found)

    WebDriverWait(browser, SECONDS).until(is_shown, f"{selector} with {text!r}")


def press(browser: webdriver.Chrome, *keys: str) -> None:
    actions = ActionChains(browser)
    for key in keys[:-1]:
        actions.key_down(key)
    actions.send_keys(keys[-1])
    for key in keys[:-1]:
        actions.key_up(key)
    actions.perform()


def run_command(browser: webdriver.Chrome, title: str) -> None:
    press(browser, Keys.F1)
    wait_for(browser, ".quick-input-widget input")
    press(browser, title)
    wait_for(browser, ".quick-input-list .monaco-list-row.focused", title)
    press(browser, Keys.ENTER)


def open_file(browser: webdriver.Chrome, name: str) -> None:
    press(browser, Keys.CONTROL, "p")
    wait_for(browser, ".quick-input-widget input")
    press(browser, name)
    wait_for(browser, ".quick-input-list .monaco-list-row.focused", name)
    press(browser, Keys.ENTER)
    wait_for(browser, ".tab.active", name)


def test_the_editor_shows_what_the_agent_gets(
    browser: webdriver.Chrome, project: Path
) -> None:
    scene = project / ".cuedeck/SCENE.md"
    wait_for(browser, ".statusbar-item", "Fix login: ")
    wait_for(browser, ".statusbar-item", "of 8,000 tokens")
    open_file(browser, "login.md")
    wait_for(browser, ".codelens-decoration", "tokens")
    wait_for(browser, ".squiggly-error, .squiggly-warning")

    # A completed ref: the list names the headings of the doc.
    press(browser, Keys.CONTROL, Keys.END)
    press(browser, "[[auth")
    press(browser, Keys.CONTROL, Keys.SPACE)
    wait_for(browser, ".suggest-widget .monaco-list-row", "auth")
    press(browser, Keys.ESCAPE)
    press(browser, "]] is the doc.\n")

    # A save rebuilds the scene and the preview follows it.
    press(browser, Keys.CONTROL, "s")
    WebDriverWait(browser, SECONDS).until(
        lambda _: scene.exists() and "is the doc." in scene.read_text("utf-8")
    )
    run_command(browser, "CueDeck: Show Scene")
    wait_for(browser, ".tab", "SCENE.md")
    WebDriverWait(browser, SECONDS).until(lambda _: "is the doc." in preview(browser))

    run_command(browser, "View: Show CueDeck")
    wait_for(browser, ".pane-body .monaco-list-row", "Fix login")
    if os.environ.get("CUEDECK_ACCEPT"):
        browser.save_screenshot(str(HERE / "media/screenshot.png"))


def preview(browser: webdriver.Chrome) -> str:
    """Return the text of the Markdown preview, which is a frame in a frame."""
    try:
        for frame in browser.find_elements(By.CSS_SELECTOR, "iframe.webview"):
            browser.switch_to.frame(frame)
            browser.switch_to.frame(browser.find_element(By.ID, "active-frame"))
            return str(browser.find_element(By.TAG_NAME, "body").text)
    except Exception:  # noqa: BLE001 - a frame that is being replaced
        return ""
    finally:
        browser.switch_to.default_content()
    return ""
