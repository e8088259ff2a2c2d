"""The HTML report in a real browser: legible, quiet, and deaf to what sources and messages say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from model_files import EVIL, evil_report

from breaklint.verify.judge.results import Verdict
from breaklint.verify.report.html import write

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
pytestmark = pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="no chromium with chromedriver on the PATH")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
WIDE, PHONE = (1280, 900), (390, 844)
Open = Callable[..., Any]

CONTRAST = """
const parse = c => (c.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255)
  .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const behind = e => {
  for (; e; e = e.parentElement) {
    const c = parse(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
};
const poor = [];
for (const e of document.querySelectorAll('body *')) {
  const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own || !e.offsetParent) continue;
  const [a, b] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(e.className + ': ' + e.textContent.trim().slice(0, 40));
}
return poor;
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(write(evil_report()), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, page: Path) -> Open:
    def show(size: tuple[int, int] = WIDE, scheme: str = "light") -> Any:
        width, height = size
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
        browser.get(page.as_uri())
        browser.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
        return browser

    return show


def test_the_page_asks_the_network_for_nothing_and_complains_of_nothing(opened: Open, page: Path) -> None:
    opened().get_log("performance")  # forget what the browser's own first page asked for
    browser = opened()
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    assert {url for url in sent if not url.startswith("data:")} == {page.as_uri()}
    assert browser.get_log("browser") == []


def test_hostile_sources_paths_and_messages_stay_text(opened: Open) -> None:
    browser = opened()
    assert browser.execute_script("return document.scripts.length + document.images.length") == 0
    assert browser.title == f"breaklint verify: {len(evil_report().targets)} targets"
    assert browser.execute_script("return document.body.innerText").count(EVIL) >= 4


def test_every_verdict_with_its_reason_is_on_the_page(opened: Open) -> None:
    text = opened().execute_script("return document.body.innerText")
    for target in evil_report().targets:
        assert target.verdict.value in text
        assert target.why in text
    assert {target.verdict for target in evil_report().targets} == set(Verdict)


def test_breaks_stand_below_their_lines(opened: Open) -> None:
    rows = opened().execute_script(
        "return [...document.querySelectorAll('.source .break')].map("
        "b => [b.closest('tr').previousElementSibling.querySelector('.row').innerText, b.innerText])"
    )
    assert rows
    assert {tuple(row) for row in rows} == {("2", f"GB0059 {EVIL}")}


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_nothing_sticks_out_sideways(opened: Open, size: tuple[int, int]) -> None:
    browser = opened(size)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= size[0]


def test_on_a_phone_breaks_and_names_of_arms_are_read_without_scrolling(opened: Open) -> None:
    browser = opened(PHONE)
    browser.execute_script("document.querySelectorAll('.source, .scroll').forEach(e => e.scrollLeft = e.scrollWidth)")
    for where in (".source .break", ".figures tbody > tr > :first-child"):
        sides = "return [...document.querySelectorAll(arguments[0])].map(e => e.getBoundingClientRect())"
        boxes = browser.execute_script(sides, where)
        assert boxes
        assert all(box["left"] >= 0 and box["right"] <= PHONE[0] for box in boxes), where


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_is_legible(opened: Open, scheme: str) -> None:
    assert opened(scheme=scheme).execute_script(CONTRAST) == []


def test_light_and_dark_follow_the_reader(opened: Open) -> None:
    colours = [
        opened(scheme=scheme).execute_script("return getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert colours[0] != colours[1]


def test_a_report_without_targets_is_a_page_too() -> None:
    assert "0 targets" in write(replace(evil_report(), targets=()))
