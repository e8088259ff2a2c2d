"""Malformed input: one clear line, the other files are still done, and the exit code says so."""

from __future__ import annotations

import json
import os
import socket
import time
from pathlib import Path

import pytest
from harness import RunBreaklint, WriteFiles
from nightly import one_in

from breaklint.errors import UsageError
from breaklint.interp import frame, regions
from breaklint.lint.engine import Engine
from breaklint.lint.run import run
from breaklint.lint.time_limit import TimeLimitExceeded, seconds_per_file, time_limit
from breaklint.lint.workers import Mode
from breaklint.model import FileResult, Settings
from breaklint.source import decoding
from breaklint.source.source_text import MAX_CODE

HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x: torch.Tensor):\n"
ITEM = HEAD + "        return x.item()\n"
DEEP = 1000


def lines(*before: str) -> bytes:
    """The model with statements in front of its return."""
    return ITEM.replace("        return", "".join(f"        {line}\n" for line in before) + "        return").encode()


UNREADABLE = {
    "python 2": (HEAD + "        print 'a'\n", "bad.py:6:9: not valid Python: Missing parentheses"),
    "half-written": (HEAD + "        return x.item(\n", "bad.py:6:22: not valid Python: '(' was never closed"),
    "null byte": (HEAD + "        return x\0\n", "bad.py:6: "),
    "1000 parentheses": (HEAD + f"        return {'(' * DEEP}x{')' * DEEP}\n", "bad.py:6:"),
    "1000 levels of indentation": (
        HEAD + "".join(f"        {' ' * depth}if x:\n" for depth in range(DEEP)),
        "bad.py:",
    ),
    "30000 operands": (HEAD + f"        return x{' + x' * 30_000}\n", "bad.py: cannot be parsed: an expression is"),
    "number of 5000 digits": (HEAD + f"        return {'9' * 5000}\n", "bad.py:6"),
    "bytes that are not UTF-8": (HEAD.encode() + b"        return '\xff'\n", "bad.py:6: is not utf-8"),
    "surrogates": (("# coding: raw_unicode_escape\n" + HEAD + "        return '\\ud800'\n"), "bad.py"),
}


@pytest.mark.parametrize(("content", "line"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_is_no_python_is_one_line_and_the_other_is_checked(
    write_files: WriteFiles, breaklint: RunBreaklint, content: str | bytes, line: str
) -> None:
    write_files({"bad.py": content, "good.py": ITEM})
    done = breaklint("check", "--no-cache", "--output-format", "concise")
    assert done.returncode == 2
    assert "good.py:6:16: BRK201" in done.stdout
    assert done.stderr.startswith(f"breaklint: error: {line}"), done.stderr
    assert done.stderr.count("\n") == 1


READABLE = {
    "byte order mark": b"\xef\xbb\xbf" + ITEM.encode(),
    "old newlines": ITEM.replace("\n", "\r").encode(),
    "windows newlines": ITEM.replace("\n", "\r\n").encode(),
    "no final newline": ITEM.rstrip().encode(),
    "form feeds": ITEM.replace("\n\n\n", "\n\x0c\n\x0c\n").encode(),
    "tabs": ITEM.replace("        ", "\t\t").replace("    def", "\tdef").encode(),
    "latin-1": ("# coding: latin-1\n" + ITEM + "        # ä\n").encode("latin-1"),
    "shift-jis": ("# coding: shift_jis\n" + ITEM + "        # 日本\n").encode("shift_jis"),
    "utf-7": ("# coding: utf-7\n" + ITEM).encode(),
    "150 parentheses": ITEM.replace("x.item()", f"{'(' * 150}x.item(){')' * 150}").encode(),
    "attributes 900 deep": ITEM.replace("x.item()", f"x{'.T' * 900}.item()").encode(),
    "900 branches": lines("if x.sum() > 0:", "    x = x + 1", *["elif self.a:", "    pass"] * 900),
    "string of 5 MB": lines(f"y = '{'9' * 5_000_000}'"),
    "numbers beyond memory": lines(
        "y = [10 ** 10 ** 10, 'a' * 10 ** 12, 1 << 10 ** 12, [0] * 10 ** 12]",
        "y = tuple(range(10 ** 12)), sum(range(10 ** 12)), f'{1:999999999999}', '%999999999999d' % 1",
    ),
    "a row that doubles with every line": lines("y = (1, 2)", *["y = y + y", "y = (*y, *y)"] * 60),
    "a pair that doubles with every line": lines("y = (1, 2)", *["y = (y, y)"] * 60),
    "a text that doubles with every line": lines("y = 'ab'", *["y = y + f'{y}{y}'.join([y, y])"] * 60),
    "layers that hold each other twice": lines(
        "x = x.item()",
        "s0 = torch.nn.Sequential(torch.nn.ReLU())",
        *[f"s{n + 1} = torch.nn.Sequential(s{n}, s{n})" for n in range(60)],
        "x = s60(x)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("content", READABLE.values(), ids=READABLE)
def test_unusual_python_is_checked_to_the_end(write_files: WriteFiles, content: bytes) -> None:
    folder = write_files({"model.py": content})
    result = run([str(folder)], Settings(), jobs=1)
    assert result.errors == ()
    assert "BRK201" in [finding.code for finding in result.findings]


def test_what_only_looks_like_a_newline_moves_no_place(write_files: WriteFiles) -> None:
    odd = "\x0c\x0b\x1c\x1d\x1e\x85\u2028\u2029"
    before = f"\x0c\nimport torch  # {odd}\nfrom torch.autograd import Variable\n\x0c\nTEXT = '{odd}'\n"
    after = f"class Net(torch.nn.Module):\n    def forward(self, x):\n        '{odd}'\n        return Variable(x)\n"
    folder = write_files({"model.py": before + after})
    (result,) = run([str(folder)], Settings(), jobs=1).findings
    assert result.span.start == (9, 16)
    run([str(folder)], Settings(), Mode(fix=True, write=True), jobs=1)
    assert (folder / "model.py").read_text("utf-8") == before + after.replace("Variable(x)", "x.detach()")


def test_names_of_files_may_hold_anything(breaklint: RunBreaklint, tmp_path: Path) -> None:
    names = [b"with space.py", b"new\nline.py", b"not\xffutf8.py", b"\x1b[31mred.py", b"-rf.py", "ü.py".encode()]
    for name in names:
        (tmp_path / os.fsdecode(name)).write_text(ITEM)
    done = breaklint("check", "--output-format", "concise")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.count("BRK201") == len(names)
    assert done.stdout.count("\n") == len(names) + 1
    assert "\x1b" not in done.stdout
    assert breaklint("check", "--fix", "--unsafe-fixes").returncode in (0, 1)


def test_pipes_devices_and_loops_of_links_do_not_hang(
    write_files: WriteFiles, breaklint: RunBreaklint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files({"model.py": ITEM.replace("import torch", "import torch, pipe, zero, loop"), ".hidden/x.txt": ""})
    os.mkfifo(tmp_path / "pipe.py")
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    (tmp_path / "loop.py").symlink_to("loop.py")
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / "folder").symlink_to(".")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(tmp_path)  # the path of a socket must be short
        server.bind("socket.py")
        done = breaklint("check", "--output-format", "concise")
        named = breaklint("check", "pipe.py", "zero.py", "loop.py", "gone.py", "socket.py", "model.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[0].startswith("model.py:6:16: BRK201")
    assert named.returncode == 2
    assert named.stderr.count("is not a regular file") == 3
    assert named.stderr.count("\n") == 5
    assert "BRK201" in named.stdout


def test_a_file_beyond_the_limit_of_size_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "huge.py").write_text(ITEM)
    with (tmp_path / "huge.py").open("r+b") as file:
        file.truncate(decoding.MAX_BYTES + 1)
    result = run([str(tmp_path)], Settings())
    assert result.errors == (f"{tmp_path}/huge.py: is larger than 50 MB: exclude it",)


@pytest.mark.parametrize("name", ["large.py", "large.ipynb"])
def test_more_code_than_a_syntax_tree_has_memory_for_is_told(tmp_path: Path, name: str) -> None:
    text = f"{ITEM}# {'x' * MAX_CODE}\n"
    cell = {"cell_type": "code", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (tmp_path / name).write_text(notebook if name.endswith("b") else text)
    result = run([str(tmp_path)], Settings())
    assert result.errors == (f"{tmp_path}/{name}: holds more than 10 MB of code: exclude it",)


@pytest.mark.parametrize("lines", [30_000, pytest.param(100_000, marks=pytest.mark.nightly)])
def test_a_long_function_is_checked_in_full_or_says_that_it_was_not(write_files: WriteFiles, lines: int) -> None:
    body = "        y = x\n" + "        y = y + 1\n" * lines + "        return y.item()\n"
    result = run([str(write_files({"long.py": HEAD + body}))], Settings(), jobs=1)
    assert result.errors == ()
    assert result.notices or [finding.span.start.row for finding in result.findings] == [lines + 7]


def test_a_file_that_takes_too_long_is_given_up_and_the_others_are_done(
    write_files: WriteFiles, breaklint: RunBreaklint
) -> None:
    slow = HEAD + "        if x.sum() > 0:\n            x = x + 1\n" * 20_000 + "        return x\n"
    write_files({"a_slow.py": slow, "model.py": ITEM})
    done = breaklint("check", "--output-format", "concise", BREAKLINT_FILE_SECONDS="0.5")
    assert done.returncode == 2
    assert done.stderr == (
        "breaklint: error: a_slow.py: took more than 0.5 s of processor time: "
        "exclude it, or set BREAKLINT_FILE_SECONDS higher\n"
    )
    assert "model.py:6:16: BRK201" in done.stdout


MANY = 4_000
REPEATED = {
    "one variable with a number": "        y = x.item()\n",
    "one variable that is detached": "        x = Variable(x)\n",
    "comments that silence": "        y = x.item()  # breaklint: ignore[BRK201]\n",
    "comments that silence nothing": "        y = x + 1  # breaklint: ignore[BRK201]\n",
}


@pytest.mark.parametrize("line", one_in(3, REPEATED.values(), REPEATED))
def test_thousands_of_findings_in_one_function_are_all_told_in_time(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    monkeypatch.setenv("BREAKLINT_FILE_SECONDS", "10")  # they take one or two
    folder = write_files({"model.py": f"from torch.autograd import Variable\n{HEAD}{line * MANY}        return x\n"})
    result = run([str(folder)], Settings(), Mode(edits=False), jobs=1)
    assert result.errors == ()
    assert len(result.findings) == (0 if line.count("x.item()  #") else MANY)


def test_calls_beyond_the_limits_of_depth_and_number_are_told(write_files: WriteFiles) -> None:
    chain = "".join(f"def f{n}(x):\n    return f{n + 1}(x)\n" for n in range(40))
    ways = "".join(f"        x = g(x, {n})\n" for n in range(60))
    helpers = f"{chain}def f40(x):\n    return x\ndef g(x, n):\n    return x + n\n{HEAD}"
    bodies = {"deep.py": "        x = f0(x)\n", "several.py": ways}
    folder = write_files({name: f"{helpers}{body}        return x\n" for name, body in bodies.items()})
    notices = run([str(folder)], Settings(), jobs=1).notices
    assert [notice.partition(" is ")[2] for notice in notices] == [
        "calling more than 24 functions deep; checked in part",
        "calling g in more than 48 ways; checked in part",
    ]


def test_the_limit_of_time_ends_only_what_it_is_around() -> None:
    def spin(until: float) -> None:
        while time.process_time() < until:
            pass

    with pytest.raises(TimeLimitExceeded), time_limit(0.01):
        spin(float("inf"))
    with time_limit(0.01):
        pass
    spin(time.process_time() + 0.05)


def test_a_function_that_needs_more_steps_than_the_budget_is_told_and_the_next_one_is_checked(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "MAX_STEPS", 1000)
    steps = HEAD.replace("Net", "Long") + "        x = x + 1\n" * 1000 + "        return x.item()\n\n\n"
    folder = write_files({"model.py": steps + ITEM.partition("\n\n\n")[2]})
    result = run([str(folder)], Settings(), jobs=1)
    assert result.errors == ()
    assert [notice.partition("model.py:")[2] for notice in result.notices] == [
        "5: Long.forward is too large to follow to the end; checked in part"
    ]
    assert [finding.function for finding in result.findings] == ["Net.forward"]


def test_the_regions_of_a_file_share_its_budget(write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "MAX_STEPS", 1000)
    monkeypatch.setattr(regions, "LEAST_STEPS", 100)
    names = ("One", "Two", "Three")
    models = [HEAD.replace("Net", name) + "        x = x + 1\n" * 200 + "        return x\n\n\n" for name in names]
    folder = write_files({"model.py": "".join(models)})
    notices = run([str(folder)], Settings(), jobs=1).notices
    assert [notice.partition(": ")[2] for notice in notices] == [
        "Two.forward and 1 more are too large to follow to the end; checked in part"
    ]


def test_a_method_that_only_its_name_makes_an_entry_takes_no_more_than_the_least(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regions, "LEAST_STEPS", 100)
    steps = HEAD.replace("forward", "sample") + "        x = x + 1\n" * 200 + "        return x\n"
    folder = write_files({"model.py": steps})
    assert len(run([str(folder)], Settings(), jobs=1).notices) == 1
    assert run([str(folder)], Settings(entry_points=("Net.sample",)), jobs=1).notices == ()


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RecursionError(), "is nested too deeply to be checked: exclude it"),
        (MemoryError(), "needs more memory than there is: exclude it"),
    ],
    ids=["recursion", "memory"],
)
def test_a_file_that_needs_more_than_there_is_is_told_and_the_others_are_done(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    folder = write_files({"a.py": ITEM, "b.py": ITEM})
    check = Engine.check

    def failing(self: Engine, path: str, text: str) -> FileResult:
        if path.endswith("a.py"):
            raise error
        return check(self, path, text)

    monkeypatch.setattr(Engine, "check", failing)
    result = run([str(folder)], Settings(), jobs=1)
    assert result.errors == (f"{folder}/a.py: {reason}",)
    assert [finding.filename for finding in result.findings] == [f"{folder}/b.py"]


def test_a_bug_at_one_file_is_told_in_a_line_and_the_others_are_done(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_files({"a.py": ITEM, "b.py": ITEM})
    check = Engine.check

    def failing(self: Engine, path: str, text: str) -> FileResult:
        if path.endswith("a.py"):
            raise KeyError("lost")
        return check(self, path, text)

    monkeypatch.setattr(Engine, "check", failing)
    result = run([str(folder)], Settings(), jobs=1)
    (error,) = result.errors
    assert error.startswith(f"{folder}/a.py: bug in breaklint: KeyError: 'lost' (test_malformed_input.py:")
    assert error.endswith("; please report it")
    assert [finding.filename for finding in result.findings] == [f"{folder}/b.py"]


@pytest.mark.parametrize(("number", "deadly"), [(40, 20), (130, 65)])  # of many files the middle ones come first
def test_a_file_at_which_processes_die_is_told_and_the_others_are_done(
    write_files: WriteFiles, monkeypatch: pytest.MonkeyPatch, number: int, deadly: int
) -> None:
    folder = write_files({f"m{each:03}.py": ITEM for each in range(number)})
    check, reports = Engine.check, list[tuple[int, int, str]]()

    def dying(self: Engine, path: str, text: str) -> FileResult:
        if path.endswith(f"m{deadly:03}.py"):
            os._exit(9)
        return check(self, path, text)

    monkeypatch.setattr(Engine, "check", dying)
    result = run([str(folder)], Settings(), jobs=2, progress=lambda *report: reports.append(report))
    path = f"{folder}/m{deadly:03}.py"
    assert result.errors == (f"{path}: the process that checked it died (out of memory?): exclude it",)
    assert len(result.findings) == number - 1
    assert [count for count, _, _ in reports] == [*range(number)]
    assert {path for _, _, path in reports} == {*result.checked}


@pytest.mark.parametrize("value", ["0", "-1", "soon", "inf", "nan"])
def test_a_limit_of_time_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("BREAKLINT_FILE_SECONDS", value)
    with pytest.raises(UsageError, match="BREAKLINT_FILE_SECONDS must be a positive number of seconds"):
        seconds_per_file()
