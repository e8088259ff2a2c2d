"""Results that are kept from run to run, and when they are no longer good."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles, age

from breaklint.lint.cache_files import read, write
from breaklint.lint.run import run
from breaklint.model import Settings

HELPERS = "def scale(x):\n    return x.mean()\n"
MODEL = """\
import torch
from pkg.helpers import scale


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * scale(x)
"""
FILES = {"pkg/__init__.py": "", "pkg/helpers.py": HELPERS, "pkg/model.py": MODEL, "pkg/plain0.py": "x = 1\n"}
Check = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def folder(write_files: WriteFiles) -> Path:
    result = write_files(FILES)
    age(result)
    return result


@pytest.fixture
def check(folder: Path, breaklint: RunBreaklint) -> Check:
    """The findings of a check, as (file name, code)."""

    def run(*options: str, **environment: str) -> list[tuple[str, str]]:
        done = breaklint("check", "--output-format", "json", *options, ".", **environment)
        assert done.returncode in (0, 1), done.stderr
        return [(finding["filename"], finding["code"]) for finding in json.loads(done.stdout)]

    return run


def looked_at(folder: Path) -> set[str]:
    """The files that a run over an unchanged folder opens to check them, among those of the project."""
    script = (
        "import os, sys\nopened = set()\n"
        "sys.addaudithook(lambda name, args: opened.add(str(args[0])) if name == 'open' else None)\n"
        "sys.argv = ['breaklint', 'check', '--output-format', 'json:out.json', '--output-format', 'concise', '.']\n"
        "os._exit = sys.exit  # so that something can be said at the end\n"
        "from breaklint.cli import main\n"
        "try:\n    main()\nfinally:\n"
        "    print('OPENED', *sorted({os.path.basename(p) for p in opened if 'pkg' in p and p.endswith('.py')}))\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("OPENED"))
    return set(line.split()[1:])


def test_unchanged_files_are_not_read_again(folder: Path, check: Check) -> None:
    assert {"model.py", "helpers.py"} <= looked_at(folder)
    assert looked_at(folder) == set()


def test_a_result_depends_on_the_files_that_were_followed_alone(folder: Path, check: Check) -> None:
    looked_at(folder)
    (folder / "pkg/plain0.py").write_text("import torch\n\ntorch.Tensor.mean = None\n")
    os.utime(folder / "pkg/plain0.py", (1, 1))
    assert looked_at(folder) == {"plain0.py"}


def test_a_touched_file_is_compared_by_its_content(folder: Path, check: Check) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]
    os.utime(folder / "pkg/helpers.py", (1, 1))
    assert looked_at(folder) == {"helpers.py"}
    assert check() == [("pkg/helpers.py", "BRK201")]


def test_findings_with_their_fixes_come_back_as_they_were(folder: Path, check: Check, breaklint: RunBreaklint) -> None:
    (folder / "pkg/model.py").write_text(MODEL.replace("return x", "print(x)\n        return float(x.sum()) * x"))
    age(folder)
    first, second = (breaklint("check", "--output-format", "json", ".").stdout for _ in range(2))
    assert json.loads(first)
    assert first == second
    assert second == breaklint("check", "--no-cache", "--output-format", "json", ".").stdout


def test_what_a_check_kept_without_edits_does_not_answer_for_one_with_them(
    folder: Path, breaklint: RunBreaklint
) -> None:
    (folder / "pkg/model.py").write_text(MODEL.replace("return x", "print(x)\n        return x"))
    age(folder)
    breaklint("check", ".")
    remaining = breaklint("check", "--output-format", "json", ".").stdout
    assert json.loads(remaining)[0]["fix"]["edits"]
    assert remaining == breaklint("check", "--no-cache", "--output-format", "json", ".").stdout


def test_a_line_that_several_files_lead_to_is_kept_once(folder: Path, check: Check) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    (folder / "pkg/other.py").write_text(MODEL)
    age(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]
    (remaining,) = (folder / ".breaklint_cache").glob("*.json")
    *_, results = read(remaining)
    assert results.count("BRK201") == 1
    (folder / "pkg/other.py").write_text(MODEL.replace("return x", "print(x)\n        return x"))
    age(folder)
    both = [("pkg/helpers.py", "BRK201"), ("pkg/other.py", "BRK101")]
    assert [check(), check(), check("--no-cache")] == [both] * 3
    (folder / "pkg/other.py").unlink()
    assert [check(), check()] == [both[:1]] * 2


def test_fixes_never_come_from_the_cache(folder: Path, check: Check, breaklint: RunBreaklint) -> None:
    text = MODEL.replace("return x *", "return torch.autograd.Variable(x) *")
    (folder / "pkg/model.py").write_text(text)
    age(folder)
    check()
    (remaining,) = (folder / ".breaklint_cache").glob("*.json")
    write(remaining, [[part.replace("x.detach()", "evil(x)")] for part in read(remaining)])
    assert "evil(x)" in breaklint("check", "--output-format", "json", ".").stdout
    assert "evil" not in breaklint("check", "--diff", ".").stdout
    assert breaklint("check", "--fix", ".").returncode == 0
    assert (folder / "pkg/model.py").read_text() == text.replace("torch.autograd.Variable(x)", "x.detach()")


def test_a_file_that_an_import_leads_to_counts(folder: Path, check: Check) -> None:
    assert check() == []
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]


@pytest.mark.parametrize(
    ("old", "new", "concerns"),
    [
        ("x + 1", "x + 2", False),
        ("def other", "\n\n# a comment\n\ndef other", False),
        ("def other", "@print\ndef other", True),  # a decorator may register what it is above
        ("x + 1", "(yield x)", True),  # one of the words that are searched in the text as a whole
        ("x.mean()", "x.mean() * LIMIT", True),
        ("LIMIT = 1", "LIMIT = 2", True),
        ("def other", "def another", True),
    ],
)
def test_of_a_followed_file_the_definitions_count_that_imports_lead_to(
    folder: Path, old: str, new: str, concerns: bool
) -> None:
    helpers = folder / "pkg/helpers.py"
    helpers.write_text(f"LIMIT = 1\n{HELPERS}\n\ndef other(x):\n    return x + 1\n")
    age(folder)
    looked_at(folder)
    assert looked_at(folder) == set()
    helpers.write_text(helpers.read_text().replace(old, new))
    os.utime(helpers, (1, 1))
    assert ("model.py" in looked_at(folder)) is concerns
    assert looked_at(folder) == set()


def test_a_result_that_names_a_followed_file_is_checked_again(folder: Path, check: Check) -> None:
    helpers = folder / "pkg/helpers.py"
    text = f"def other(x):\n    return x\n\n\n{HELPERS.replace('mean()', 'mean().item()')}"
    for changed in (text, text.replace("\n\n\n", "\n\n# a comment\n"), f"# breaklint: file-ignore\n{text}"):
        helpers.write_text(changed)
        age(folder)
        assert check() == check("--no-cache")
        os.utime(helpers, (1, 1))


def test_findings_that_were_not_asked_for_are_found_when_they_are(folder: Path, breaklint: RunBreaklint) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)

    def found(*files: str) -> list[tuple[str, str]]:
        done = breaklint("check", "--output-format", "json", "--no-follow-callers", *files)
        return [(finding["filename"], finding["code"]) for finding in json.loads(done.stdout)]

    both = "pkg/model.py", "pkg/helpers.py"
    assert [found("pkg/model.py"), found("pkg/model.py")] == [[], []]
    assert [found(*both), found(*both)] == [[("pkg/helpers.py", "BRK201")]] * 2
    assert found("pkg/model.py") == []


def test_a_change_seen_by_one_run_is_not_lost_for_the_files_of_another(folder: Path, breaklint: RunBreaklint) -> None:
    """Both runs share a cache; the second looks at one file only, and must not mark the other as checked."""
    for name in ("one", "two"):
        (folder / f"pkg/{name}.py").write_text(MODEL)
    age(folder)
    both = ["check", "--output-format", "json", "pkg/one.py", "pkg/two.py", "pkg/helpers.py"]
    assert json.loads(breaklint(*both).stdout) == []
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    breaklint("check", "pkg/one.py")
    alone = breaklint("check", "--output-format", "json", "pkg/two.py", "pkg/helpers.py")
    assert [finding["code"] for finding in json.loads(alone.stdout)] == ["BRK201"]


def test_a_module_that_appears_counts(folder: Path, check: Check) -> None:
    (folder / "pkg/helpers.py").unlink()
    assert check() == []
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]


def test_settings_have_results_of_their_own(folder: Path, check: Check) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]
    assert check("--ignore", "BRK2") == []
    (folder / "breaklint.toml").write_text('ignore = ["BRK201"]\n')
    assert check() == []


def test_a_file_with_an_error_is_told_every_time(folder: Path, breaklint: RunBreaklint) -> None:
    (folder / "pkg/model.py").write_text("import torch\ndef forward(:\n")
    age(folder)
    assert [breaklint("check", ".").returncode for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("remaining", [slice(0), slice(9), slice(-9), slice(9, None)])
def test_a_damaged_cache_is_as_good_as_none(folder: Path, check: Check, remaining: slice) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    check()
    (cache,) = (folder / ".breaklint_cache").glob("*.json")
    cache.write_bytes(cache.read_bytes()[remaining])
    (folder / "pkg/plain0.py").write_text("y = 1\n")
    assert check() == [("pkg/helpers.py", "BRK201")]


@pytest.mark.parametrize("seed", range(2, 6))
def test_results_are_those_of_a_run_without_a_cache_after_any_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """The definitions of three files are inserted, changed, moved and deleted; four models use some of them."""
    monkeypatch.chdir(tmp_path)
    draw, bodies = Random(seed), ("x + 1", "x.mean().item() * x", "x * print(x)", "x[x > 0]", "scale(x)")
    layouts = {name: [(f"f{number}", "x * print(x)", 1) for number in range(3)] for name in ("a", "b", "extra")}
    layouts["extra"].append(("scale", "x", 1))
    for number in range(4):
        (first, function), second = draw.choice([("a", "f0"), ("b", "f1")]), draw.choice("ab")
        Path(f"m{number}.py").write_text(
            f"import torch\nimport {second}\nfrom {first} import {function} as one\n\nclass Net(torch.nn.Module):\n"
            f"    def forward(self, x):\n        return one(x) + {second}.f{number % 3}(x)\n"
        )
    for step in range(12):
        layout, limit = layouts[draw.choice([*layouts])], draw.randrange(3)
        place, function = draw.randrange(len(layout)), (f"g{step}", draw.choice(bodies), draw.randrange(4))
        if step % 3 and layout[place][0] != "scale":
            layout[place] = layout[place][0], *function[1:]
        else:
            layout.insert(place, function if limit else layout.pop())
        for name, functions in layouts.items():
            lines = ["import torch", "from extra import scale", f"LIMIT = {limit}" if name == "b" else ""]
            lines += [f"{chr(10) * blank}def {each}(x):\n    return {body}" for each, body, blank in functions]
            Path(f"{name}.py").write_text("\n".join(lines))
            os.utime(f"{name}.py", (step, step))
        assert run(["."], Settings(), jobs=1, cache=Path(".cache")) == run(["."], Settings(), jobs=1)


def test_the_folder_is_hidden_from_git_and_backups_and_lies_beside_the_configuration(
    folder: Path, breaklint: RunBreaklint
) -> None:
    (folder / "breaklint.toml").write_text("")
    breaklint("check", "pkg")
    cache = folder / ".breaklint_cache"
    assert (cache / ".gitignore").read_text().splitlines()[-1] == "*"
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_only_its_owner_may_read_what_quotes_the_code(folder: Path, check: Check) -> None:
    check()
    assert {path.stat().st_mode & 0o777 for path in (folder / ".breaklint_cache").glob("*.json")} == {0o600}


def test_the_folder_can_be_chosen_and_left_out(folder: Path, check: Check) -> None:
    check("--no-cache")
    check("--cache-dir", "here")
    check(BREAKLINT_CACHE_DIR=str(folder / "there"))
    assert [(folder / name).is_dir() for name in (".breaklint_cache", "here", "there")] == [False, True, True]


def test_clean_removes_the_caches_of_the_folder_and_of_the_user_and_nothing_else(
    folder: Path, check: Check, breaklint: RunBreaklint
) -> None:
    check()
    users = folder / "users"
    (users / "breaklint" / "rules").mkdir(parents=True)
    done = breaklint("clean", XDG_CACHE_HOME=str(users))
    assert done.stdout == f"Removed .breaklint_cache\nRemoved {users / 'breaklint'}\n"
    assert not (folder / ".breaklint_cache").exists()
    assert [*users.iterdir()] == []
    (folder / "mine").mkdir()
    assert breaklint("clean", "--cache-dir", "mine", XDG_CACHE_HOME=str(users)).stdout == ""
    assert (folder / "mine").is_dir()
