"""The extension in a real editor: code-server in Chromium. `make test-vscode` runs it.

It needs Node.js, Debian's chromium and chromium-driver, and CODE_SERVER, the path of
the program code-server. With CUEDECK_ACCEPT=1 it renews the screenshot of the README.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HERE = Path(__file__).parent
LOGIN = HERE.parents[1] / "examples/login"
CUEDECK = Path(sys.executable).with_name("cuedeck")
SECONDS = 60
ICON = re.compile("[\ue000-\uf8ff\xa0]")
ROW_LABEL = ".quick-input-list .label-name"
CARD = ".cuedeck/cards/login.md"
SETTINGS = {
    "cuedeck.path": str(CUEDECK),
    "security.workspace.trust.enabled": False,
    "workbench.startupEditor": "none",
    "workbench.editor.untitled.hint": "hidden",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "editor.accessibilitySupport": "off",
    "editor.autoClosingBrackets": "never",
    "files.autoSave": "off",
    "editor.minimap.enabled": False,
    "terminal.integrated.gpuAcceleration": "off",
}


# --- the editor


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of settings and extensions, which is also the home folder."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def address(data: Path) -> Iterator[str]:
    """Serve the editor with the packed extension installed; yield its address."""
    server = os.environ["CODE_SERVER"]
    (package,) = HERE.glob("*.vsix")
    settings = data / "User/settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps(SETTINGS))
    places = [
        "--user-data-dir",
        str(data),
        "--extensions-dir",
        str(data / "extensions"),
        "--config",
        str(data / "config.yaml"),
    ]
    subprocess.run(
        [server, *places, "--install-extension", str(package)],
        check=True,
        capture_output=True,
    )
    place = f"127.0.0.1:{free_port()}"
    quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    with open(data / "log", "wb") as log:
        process = subprocess.Popen(
            [server, *places, *quiet, "--bind-addr", place],
            stdout=log,
            stderr=log,
            env={**os.environ, "HOME": str(data)},
        )
    try:
        wait_for_answer(f"http://{place}/healthz", process)
        yield f"http://{place}"
    finally:
        process.terminate()
        process.wait(20)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


def wait_for_answer(address: str, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(address):
            return
    pytest.fail("code-server ended")


@pytest.fixture(scope="module")
def chromium() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for each in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1400,930",
    ):
        options.add_argument(each)
    options.binary_location = shutil.which("chromium") or ""
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver") or ""))
    yield driver
    driver.quit()


Open = Callable[[Path], webdriver.Chrome]


@pytest.fixture
def show(chromium: webdriver.Chrome, address: str) -> Open:
    """Return a function that opens a folder in the editor."""

    def open_folder(folder: Path) -> webdriver.Chrome:
        chromium.get(f"{address}/?folder={quote(str(folder))}")
        wait_for(chromium, ".explorer-folders-view .monaco-list-row")
        return chromium

    return open_folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a workspace with an active card, one of whose refs leads nowhere."""
    root = tmp_path / "shop with spaces"
    root.mkdir()
    cuedeck(root, "init")
    (root / "src").mkdir()
    (root / "src/auth.py").write_text("class LoginFlow:\n    def verify(self): ...\n")
    (root / ".cuedeck/docs/auth.md").write_text(
        "# Auth\n\n## Tokens\n\nA token lives\nfor a day.\n"
    )
    (root / CARD).write_text(
        "---\ntitle: Fix login\nstatus: active\nrefs:\n- .cuedeck/docs/auth.md\n"
        "- src/auth.py#LoginFlow\n---\nThe token of a session expires. See [[nowhere]].\n"
    )
    cuedeck(root, "card", "activate", "login")
    return root


def cuedeck(root: Path, *words: str) -> None:
    subprocess.run([CUEDECK, *words], cwd=root, check=True, capture_output=True)


# --- what a person does and sees


def wait_until(browser: webdriver.Chrome, is_so: Callable[[], bool], what: str) -> None:
    WebDriverWait(browser, SECONDS).until(lambda _: is_so(), what)


def texts(browser: webdriver.Chrome, selector: str) -> list[str]:
    found: list[str] = browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])]"
        ".map(each => each.textContent + ' ' + (each.ariaLabel || ''))",
        selector,
    )
    return [each.replace("\xa0", " ") for each in found]


def wait_for(browser: webdriver.Chrome, selector: str, text: str = "") -> None:
    """Wait until an element that a selector finds has a text."""

    def is_shown() -> bool:
        return any(text in each for each in texts(browser, selector))

    wait_until(browser, is_shown, f"{selector} with {text!r}")


def status(browser: webdriver.Chrome) -> list[str]:
    """Return the items of the status bar that name tokens."""
    return [each for each in texts(browser, ".statusbar-item") if "tokens" in each]


def click(browser: webdriver.Chrome, selector: str, text: str = "") -> None:
    """Click the element that a selector finds and that has a text."""
    click_one(browser, selector, lambda shown: text in shown, text)


def press(browser: webdriver.Chrome, *keys: str) -> None:
    actions = ActionChains(browser)
    for key in keys[:-1]:
        actions.key_down(key)
    actions.send_keys(keys[-1])
    for key in keys[:-1]:
        actions.key_up(key)
    actions.perform()


def click_one(
    browser: webdriver.Chrome, selector: str, fits: Callable[[str], bool], what: str
) -> None:
    """Click the first element whose text fits, as soon as there is one."""

    def is_clicked() -> bool:
        with suppress(WebDriverException):  # the element is being replaced
            for each in browser.find_elements(By.CSS_SELECTOR, selector):
                if fits(ICON.sub(" ", each.text).strip()):
                    each.click()
                    return True
        return False

    wait_until(browser, is_clicked, f"{selector} with {what!r}")


def choose(browser: webdriver.Chrome, text: str) -> None:
    """Type a text into the quick pick and click its row."""
    wait_for(browser, ".quick-input-widget input:focus")
    press(browser, text)
    click_one(browser, ROW_LABEL, lambda shown: shown == text, text)


def run_command(browser: webdriver.Chrome, title: str) -> None:
    press(browser, Keys.F1)
    choose(browser, title)


def open_file(browser: webdriver.Chrome, name: str) -> None:
    press(browser, Keys.CONTROL, "p")
    choose(browser, name)
    wait_for(browser, ".tab.active", name)
    wait_for(
        browser, ".editor-group-container.active .monaco-editor.focused .view-line"
    )


def preview(browser: webdriver.Chrome) -> str:
    """Return the text of the Markdown preview, which is a frame in a frame."""
    try:
        for frame in browser.find_elements(By.CSS_SELECTOR, "iframe.webview"):
            browser.switch_to.frame(frame)
            browser.switch_to.frame(browser.find_element(By.ID, "active-frame"))
            return str(browser.find_element(By.TAG_NAME, "body").text)
    except WebDriverException:  # a frame that is being replaced
        return ""
    finally:
        browser.switch_to.default_content()
    return ""


# --- tests


def test_a_save_rebuilds_the_scene_and_its_preview(show: Open, project: Path) -> None:
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    open_file(browser, "login.md")
    wait_for(browser, ".codelens-decoration", "of 8,000 tokens")
    run_command(browser, "CueDeck: Show Scene")
    wait_until(browser, lambda: "Scene: “Fix login”" in preview(browser), "a preview")
    before = status(browser)

    # The editor still has the focus, and the preview still shows the scene.
    wait_for(browser, ".monaco-editor.focused")
    press(browser, Keys.CONTROL, Keys.END)
    press(browser, "A new line of the card, which costs some tokens.\n")
    press(browser, Keys.CONTROL, "s")
    wait_until(
        browser, lambda: "A new line of the card" in preview(browser), "a new preview"
    )
    wait_until(browser, lambda: status(browser) != before, "other tokens")
    open_file(browser, "auth.md")
    assert "A new line of the card" in preview(browser)


def test_refs_are_completed_checked_and_repaired(show: Open, project: Path) -> None:
    browser = show(project)
    open_file(browser, "login.md")
    wait_for(browser, ".squiggly-error")
    press(browser, Keys.CONTROL, Keys.END)
    press(browser, "Lives in [[au")
    press(browser, Keys.CONTROL, Keys.SPACE)
    wait_for(browser, ".suggest-widget .monaco-list-row", "auth")
    press(browser, Keys.ENTER)
    wait_for(browser, ".view-line", "Lives in [[auth")

    press(browser, Keys.F8)
    wait_for(browser, ".marker-widget", "nowhere")
    press(browser, Keys.ESCAPE)

    def is_repair_offered() -> bool:
        offers = texts(browser, ".action-widget .monaco-list-row")
        if not offers:  # none yet for the new text
            press(browser, Keys.CONTROL, ".")
        return any("Create .cuedeck/docs/nowhere.md" in each for each in offers)

    wait_until(browser, is_repair_offered, "a quick fix")
    press(browser, Keys.ENTER)
    doc = project / ".cuedeck/docs/nowhere.md"
    wait_until(browser, doc.exists, "the new doc")
    wait_until(
        browser, lambda: not texts(browser, ".squiggly-error"), "no error in the card"
    )


def test_selected_code_becomes_the_ref_of_a_new_card(show: Open, project: Path) -> None:
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    open_file(browser, "auth.py")
    press(browser, Keys.CONTROL, "a")
    run_command(browser, "CueDeck: New Card from Selection")
    wait_for(browser, ".quick-input-message", "Title of the card")
    press(browser, "Check expiry")
    press(browser, Keys.ENTER)
    wait_for(browser, ".view-line", "src/auth.py#L1-L2")
    wait_for(browser, ".statusbar-item", "Check expiry: ")

    # The trees show both; another card is activated, then done.
    cuedeck(project, "session", "start")
    run_command(browser, "View: Show CueDeck")
    wait_for(browser, ".pane-body .monaco-list-row", "Check expiryactive card")
    wait_for(browser, ".pane-body .monaco-list-row", "open, 2")
    run_command(browser, "CueDeck: Activate Card")
    choose(browser, "Fix login")
    wait_for(browser, ".pane-body .monaco-list-row", "Fix loginactive card")
    wait_for(browser, ".statusbar-item", "Fix login: ")
    click(browser, ".pane-body .monaco-list-row", "Check expiry")
    wait_for(browser, ".codelens-decoration", "activate")
    run_command(browser, "CueDeck: Show Scene")
    click(browser, ".notification-list-item .monaco-button", "Activate this Card")
    wait_for(browser, ".statusbar-item", "Check expiry: ")
    wait_for(browser, ".codelens-decoration", "active · scene")
    click(browser, ".codelens-decoration a", "done")
    wait_until(
        browser,
        lambda: "Check expiry" not in "".join(texts(browser, ".pane-body")),
        "a list without the card that is done",
    )
    click(browser, ".pane-body .monaco-list-row", "open, 2")
    wait_for(browser, ".view-line", '"sessionId"')


def test_the_selection_is_remembered_as_one_record(show: Open, project: Path) -> None:
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    open_file(browser, "auth.md")
    press(browser, Keys.CONTROL, Keys.END)
    press(browser, Keys.SHIFT, Keys.UP)
    press(browser, Keys.SHIFT, Keys.UP)
    run_command(browser, "CueDeck: Remember Selection")
    wait_for(browser, ".statusbar-item", "CueDeck remembers the text")
    assert '"A token lives for a day."' in (project / ".cuedeck/MEMORY.md").read_text()


def test_the_page_opens(show: Open, project: Path) -> None:
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    run_command(browser, "CueDeck: Open Page")
    wait_for(browser, ".xterm-rows", "http://127.0.0.1:")
    (rows,) = texts(browser, ".xterm-rows")
    (place,) = re.findall(r"http://127\.0\.0\.1:\d+/\?token=[\w-]+", rows)
    client = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    client.open(place).close()
    with client.open(place.partition("?")[0]) as page:
        assert "Fix login" in page.read().decode()
    run_command(browser, "Terminal: Kill the Active Terminal Instance")
    wait_until(browser, lambda: not answers(place), "the end of the page")


def answers(place: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(place):
        return True
    return False


def test_a_task_lists_problems(show: Open, project: Path) -> None:
    (project / ".cuedeck/cards/other.md").write_text(
        "---\ntitle: Other\nstatus: todo\nrefs:\n- src/missing.py\n---\n"
    )
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    run_command(browser, "Tasks: Run Task")
    choose(browser, "cuedeck")
    choose(browser, "cuedeck: doctor")
    wait_for(browser, ".xterm-rows", "other.md:5")
    run_command(browser, "View: Toggle Problems")
    wait_for(browser, ".markers-panel .monaco-list-row", "src/missing.py")


def test_a_folder_without_a_workspace_gets_one(show: Open, tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    browser = show(tmp_path)
    open_file(browser, "notes.md")
    click(browser, ".notification-list-item .monaco-button", "Create it")
    run_command(browser, "View: Show CueDeck")
    wait_for(browser, ".pane-body", "No card exists yet.")
    wait_for(browser, ".statusbar-item", "no active card")
    assert (tmp_path / ".cuedeck/config.toml").exists()


def test_the_walkthrough_leads_to_a_scene(show: Open, tmp_path: Path) -> None:
    (tmp_path / "auth.py").write_text("class LoginFlow: ...\n")
    browser = show(tmp_path)
    run_command(browser, "View: Show CueDeck")
    wait_for(browser, ".pane-body", "This folder has no CueDeck workspace.")
    run_command(browser, "Welcome: Open Walkthrough...")
    choose(browser, "See what your agent gets")
    click(browser, ".getting-started-step", "Install CueDeck")
    click(browser, ".getting-started-step .monaco-button", "Look Again")
    wait_for(browser, ".getting-started-step .complete", "Install CueDeck")
    click(browser, ".getting-started-step", "Create a workspace")
    click(browser, ".getting-started-step .monaco-button", "Create Workspace")
    wait_for(browser, ".getting-started-step .complete", "Create a workspace")
    click(browser, ".getting-started-step", "Write a card")
    click(browser, ".getting-started-step .monaco-button", "New Card")
    wait_for(browser, ".quick-input-message", "Title of the card")
    press(browser, "Fix login")
    press(browser, Keys.ENTER)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    run_command(browser, "CueDeck: Show Scene")
    wait_until(browser, lambda: "Scene: “Fix login”" in preview(browser), "a preview")


@pytest.mark.parametrize("place", [".venv/bin", "~/.local/bin"])
def test_the_program_is_found(
    show: Open, project: Path, data: Path, place: str
) -> None:
    folder = data / place[2:] if place.startswith("~") else project / place
    folder.mkdir(parents=True)
    (folder / "cuedeck").symlink_to(CUEDECK)
    set_program(project, "")
    browser = show(project)
    wait_for(browser, ".statusbar-item", "Fix login: ")
    (folder / "cuedeck").unlink()
    run_command(browser, "CueDeck: Restart Language Server")
    wait_for(browser, ".notification-list-item", "The program cuedeck was not found.")


def set_program(project: Path, path: str) -> None:
    (project / ".vscode").mkdir()
    settings = json.dumps({"cuedeck.path": path})
    (project / ".vscode/settings.json").write_text(settings)


@pytest.mark.parametrize(
    ("program", "summary"),
    [("", "CueDeck is not installed"), ("exit 2", "CueDeck needs an update")],
    ids=["missing", "old"],
)
def test_a_program_that_cannot_be_used(
    show: Open, project: Path, program: str, summary: str
) -> None:
    path = project / "cuedeck"
    if program:
        path.write_text(f"#!/bin/sh\n{program}\n")
        path.chmod(0o755)
    set_program(project, str(path))
    browser = show(project)
    click(browser, ".statusbar-item", summary)
    wait_for(browser, ".getting-started-step", "Install CueDeck")
    # The step shows how to install it.
    click(browser, ".getting-started-step .monaco-button", "Look Again")
    wait_for(browser, ".notification-list-item", str(path))


@pytest.mark.skipif("CUEDECK_ACCEPT" not in os.environ, reason="only on request")
def test_screenshot(show: Open, tmp_path: Path) -> None:
    root = tmp_path / "login"
    shutil.copytree(LOGIN, root)
    cuedeck(root, "session", "start", "--card", "2a9f1x")
    cuedeck(root, "card", "new", "--", "Sign out after a day")
    cuedeck(root, "card", "new", "--", "Ask for the password again")
    browser = show(root)
    wait_for(browser, ".statusbar-item", "Fix login for expired tokens: ")
    open_file(browser, "2a9f1x.md")
    wait_for(browser, ".codelens-decoration", "of 8,000 tokens")
    run_command(browser, "CueDeck: Show Scene")
    wait_until(browser, lambda: "Scene: “" in preview(browser), "a preview")
    run_command(browser, "View: Show CueDeck")
    wait_for(browser, ".pane-body .monaco-list-row", "Sign out")
    run_command(browser, "View: Focus First Editor Group")
    press(browser, Keys.CONTROL, Keys.END)
    press(browser, "\nSee [[login-page]] and [[")
    wait_for(browser, ".squiggly-error")
    wait_for(browser, ".suggest-widget .monaco-list-row", "Rate limit the login form")
    browser.save_screenshot(str(HERE / "media/screenshot.png"))
