"""Trees that want to be executed, to be read out or to have something written: nothing of it happens."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles
from markdown_it import MarkdownIt

from breaklint.cli import COMMANDS as EVERY
from breaklint.lint.results import RunResult
from breaklint.lint.run import run
from breaklint.lint.time_limit import SECONDS, VARIABLE
from breaklint.model import Finding, Settings
from breaklint.output import FORMATS, render
from breaklint.source.decoding import MAX_BYTES
from breaklint.source.source_text import MAX_CODE

MARK = "open(__import__('os').path.join(__import__('os').environ['MARKS'], __name__), 'w')\n"
MODEL = f"{MARK}import torch, helper\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        return x.item()\n"
CARD = """\
code: MINE001
name: mine
summary: mine
effect: break
severity: error
why: mine
check: {check}
examples:
- bad: "x = 1  # break"
"""
LIBRARIES = "torch yaml click rich rich_click pathspec packaging tomllib json helper numpy sitecustomize".split()
UNTRUSTED = {
    **{f"{name}.py": MARK for name in LIBRARIES},
    **{f"{name}/__init__.py": MARK for name in ("tests", "pkg")},
    "model.py": MODEL,
    "pkg/model.py": MODEL,
    "conftest.py": MARK,
    "setup.py": MARK,
    "pyproject.toml": "[tool.breaklint]\nselect = ['BRK']\nexclude = ['$(touch marks/shell)', '`touch marks/shell`']\n"
    "[[tool.breaklint.verify]]\nname = 'evil'\ntarget = 'model.py::Net'\ninputs = ['f32[4]']\n",
    ".breaklint_cache/evil.json": "{}",
    ".pre-commit-config.yaml": "!!python/object/apply:os.system ['touch marks/yaml']",
}
COMMANDS = (
    ["check"], ["check", "--no-cache", "-j", "2"], ["check", "--fix", "--unsafe-fixes"], ["rule"],
    ["config"], ["clean"],
)  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_nothing_of_a_tree_is_executed(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path, command: list[str]
) -> None:
    write_files(UNTRUSTED)
    (tmp_path / "marks").mkdir()
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches")} if command == ["clean"] else {}
    done = breaklint(*command, MARKS=str(tmp_path / "marks"), **caches)
    assert done.returncode in (0, 1), done.stderr
    assert os.listdir(tmp_path / "marks") == []


def test_the_tree_would_leave_a_mark_if_it_were_executed(write_files: WriteFiles, tmp_path: Path) -> None:
    write_files(UNTRUSTED)
    (tmp_path / "marks").mkdir()
    environment = {**os.environ, "MARKS": str(tmp_path / "marks")}
    subprocess.run([sys.executable, "-c", "import model"], cwd=tmp_path, env=environment, check=False)
    assert "model" in os.listdir(tmp_path / "marks")


@pytest.mark.parametrize(
    "card",
    [
        pytest.param(CARD.format(check="evil.Mark"), id="a check of its own"),
        pytest.param(CARD.format(check="os.system"), id="a function of a library"),
        pytest.param(CARD.format(check="breaklint.rules.checks.shapes.ast"), id="a module that the checks import"),
        pytest.param(CARD.format(check="breaklint.rules.checks.evil.os.system"), id="a path out of the checks"),
        pytest.param("!!python/object/apply:os.system ['touch marks/yaml']", id="an object of Python"),
        pytest.param("&a [*a, *a]", id="a list that holds itself"),
        pytest.param("[" * 5000, id="a deep list"),
        pytest.param("a: &a [x, x]\nb: &b [*a, *a]\n" * 3, id="the same key again"),
    ],
)
def test_a_card_cannot_execute_anything(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path, card: str
) -> None:
    write_files({"evil.py": MARK, "model.py": MODEL, "card.yaml": card, "breaklint.toml": 'rules = ["card.yaml"]\n'})
    (tmp_path / "marks").mkdir()
    done = breaklint("check", MARKS=str(tmp_path / "marks"), PYTHONPATH=f"{PROJECT}{os.pathsep}{tmp_path}")
    assert done.returncode == 2
    assert done.stderr.startswith("breaklint: error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert os.listdir(tmp_path / "marks") == []


def test_a_card_that_is_no_yaml_is_told_with_its_row_and_without_its_text(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    write_files({"a.yaml": "code: MINE001\nhunter2: {\n", "model.py": MODEL, "breaklint.toml": 'rules = ["a.yaml"]\n'})
    done = breaklint("check")
    assert done.returncode == 2
    assert "a.yaml:3: not YAML: " in done.stderr
    assert "hunter2" not in done.stderr


FIXABLE = (
    "import torch\nfrom torch.autograd import Variable\n\n\nclass Net(torch.nn.Module):\n"
    "    def forward(self, x):\n        return torch.relu(Variable(x))\n"
)


def test_a_link_that_leads_out_of_the_folder_is_not_written_through(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"mine/model.py": FIXABLE, "tree/other.py": FIXABLE})
    (tmp_path / "tree/model.py").symlink_to("../mine/model.py")
    done = breaklint("check", "--fix", "tree")
    assert done.returncode == 2
    assert "tree/model.py: not written: it is a link to " in done.stderr
    assert (tmp_path / "mine/model.py").read_text() == FIXABLE
    assert (tmp_path / "tree/other.py").read_text() != FIXABLE
    assert breaklint("check", "--fix", "tree/model.py").returncode == 0
    assert (tmp_path / "mine/model.py").read_text() != FIXABLE


def test_a_cache_folder_that_is_a_link_is_not_written(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path
) -> None:
    write_files({"tree/model.py": MODEL, "tree/breaklint.toml": "", "home/notes.json": "{}"})
    (tmp_path / "tree/.breaklint_cache").symlink_to("../home")
    assert breaklint("check", "tree").returncode == 1
    assert os.listdir(tmp_path / "home") == ["notes.json"]


ASKED = """\
import json, os, sys
asked = []
def note(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system")):
        asked.append([event, str(arguments[:1])])
    elif arguments and isinstance(arguments[0], int):
        return  # a file that is open already
    elif event == "open" and (set(str(arguments[1])) & set("wax+") or (arguments[2] or 0) & (os.O_WRONLY | os.O_RDWR)):
        asked.append(["write", os.path.abspath(os.fsdecode(arguments[0]))])
    elif event in ("os.rename", "os.remove", "os.mkdir", "os.symlink", "os.link", "os.truncate"):
        asked.append(["write", os.path.abspath(os.fsdecode(arguments[0]))])
sys.addaudithook(note)
os._exit = sys.exit  # so that something can be said at the end
from breaklint.cli import main
try:
    main()
finally:
    print(json.dumps(asked), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (["check", "-j", "1"], r"\.breaklint_cache(/.*)?|home/.*"),
        (["check", "-j", "1", "--diff", "--unsafe-fixes"], "home/.*"),
        (["check", "-j", "1", "--fix"], r"model\.py|\.breaklint-.*\.tmp|home/.*"),
        (["rule"], "home/.*"),
        (["config"], "home/.*"),
        (["clean"], "home/.*"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_command_that_executes_nothing_writes_only_what_the_page_says_and_starts_nothing(
    write_files: WriteFiles, tmp_path: Path, command: list[str], written: str
) -> None:
    write_files({"model.py": FIXABLE.replace("x))", "x)) + x.item()"), "breaklint.toml": ""})
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "XDG_CACHE_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-B", "-c", ASKED, *command], cwd=tmp_path, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    query = json.loads(done.stderr.splitlines()[-1])
    assert {event for event, _ in query} <= {"write"}
    paths = {os.path.relpath(path, tmp_path) for _, path in query} - {os.path.relpath(os.devnull, tmp_path)}
    assert not [path for path in paths if not re.fullmatch(f"home|{written}", path)]


def test_the_page_about_security_names_every_command_and_the_limits() -> None:
    page = (PROJECT / "SECURITY.md").read_text("utf-8")
    table = page.partition("\n## ")[0]
    assert [name for name in EVERY if f"`{name}`" not in table] == []
    limits = page.partition("## Limits")[2]
    assert f"{SECONDS:g} s of CPU time (`{VARIABLE}`" in limits
    assert f"{MAX_BYTES // 10**6} MB, and {MAX_CODE // 10**6} MB of code" in limits


NASTY = (
    "<script>alert(1)</script>", "]]></failure><x y='", "::error::x\n::set-env name=A::b\r\n", "%0A::warning::x",
    "\x1b[31m\x1b]0;title\x07", "\u202eevil\u2066", "\0\x08",
    "| a | b |\n[x](javascript:1) ![i](http://h/x) `c` @all #1",
    "=cmd|' /C calc'!A0", "&lt;b&gt;", "\udcff",
)  # fmt: skip


@cache
def result_of_a_fixture() -> RunResult:
    return run([str(PROJECT / "fixtures/item-divisor/before.py")], Settings())


@pytest.mark.parametrize("name", [*FORMATS, "statistics"])
@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_names_and_messages_are_only_text_in_every_format(name: str, text: str) -> None:
    result = result_of_a_fixture()
    nasty = tuple(_with(finding, text) for finding in result.findings)
    shown = render(name, type(result)(files=1, findings=nasty, errors=(text,)), False)
    assert not set(shown) & {"\x1b", "\x07", "\0", "\x08"}
    if name in ("github", "full", "verbose", "concise", "statistics"):
        assert not [line for line in shown.splitlines() if line.lstrip().startswith(("::set-env", "::warning::x"))]
    if name == "github":
        assert len(shown.splitlines()) == len(nasty) + 1
    if name == "junit":
        from xml.etree import ElementTree

        assert len(list(ElementTree.fromstring(shown).iter("failure"))) == len(nasty)
    if name == "markdown":
        html = MarkdownIt("commonmark").enable("table").render(shown)
        assert not any(tag in html for tag in ("<script", "<img", 'href="javascript'))


@pytest.mark.parametrize("options", [[], ["--output-format=concise"], ["--show-files"]])
def test_a_file_cannot_be_called_like_a_command_of_ci(
    write_files: WriteFiles, breaklint: RunBreaklint, options: list[str]
) -> None:
    write_files({"::error::x.py": MODEL, "  ::warning::y.py": MODEL, "::z.py": "import torch\ndef forward("})
    done = breaklint("check", *options)
    assert done.stdout.count("error") + done.stdout.count("warning") >= 2
    assert not [line for line in (done.stdout + done.stderr).splitlines() if line.lstrip().startswith("::")]


def _with(finding: Finding, text: str) -> Finding:

    return finding._replace(filename=f"a{text}.py", message=text, function=text, note=text, help=text)
