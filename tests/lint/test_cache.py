"""Results that are kept from run to run, and when they are no longer good."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from harness import PROJECT, RunBreaklint, WriteFiles, age

from breaklint.lint.results import Report, RunResult
from breaklint.lint.run import prepare
from breaklint.model import Settings
from breaklint.output import concise, sarif

HELPERS = "def scale(x):\n    return x.mean()\n"
MODEL = """\
import torch
from pkg.helpers import scale


class Net(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x * scale(x)
"""
FILES = {"pkg/__init__.py": "", "pkg/helpers.py": HELPERS, "pkg/model.py": MODEL}
FILES |= {f"pkg/plain{number}.py": "x = 1\n" for number in range(8)}  # a handful of plain files needs no cache
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
    assert remaining.read_bytes().count(b"BRK201") == 1
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
    for remaining in (*(folder / ".breaklint_cache").glob("*.json"), *(folder / ".breaklint_cache").glob("*.run")):
        evil = remaining.read_bytes().partition(b"\n")[2].replace(b"x.detach()", b"evil(x)")
        remaining.write_bytes(b"%08x\n" % zlib.crc32(evil) + evil)
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


def test_a_result_that_names_a_followed_file_moves_with_its_rows(folder: Path, check: Check) -> None:
    helpers = folder / "pkg/helpers.py"
    text = f"def other(x):\n    return x\n\n\n{HELPERS.replace('mean()', 'mean().item()')}"
    helpers.write_text(text)
    age(folder)
    looked_at(folder)
    assert check() == [("pkg/helpers.py", "BRK201")]
    for old, new in (("return x\n", "y = x\n    return y\n"), ("\n\n\n", "\n\n# a comment\n"), ("\n\n#", "\n#")):
        helpers.write_text(text := text.replace(old, new, 1))
        os.utime(helpers, (1, 1))
        assert looked_at(folder) == {"helpers.py"}
        assert check() == [("pkg/helpers.py", "BRK201")]
    helpers.write_text(text.replace("def scale", "# breaklint: file-ignore\ndef scale"))
    age(folder)
    assert check() == []


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


@pytest.mark.parametrize("damage", [b"", b"\xff", b"[]", b"0\n{}"])
def test_a_damaged_cache_is_as_good_as_none(folder: Path, check: Check, damage: bytes) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    check()
    for cache in (*(folder / ".breaklint_cache").glob("*.json"), *(folder / ".breaklint_cache").glob("*.run")):
        cache.write_bytes(damage)
    assert check() == [("pkg/helpers.py", "BRK201")]


def _places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The ways to every value in JSON data."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        yield from _places(value, (*path, key))


def _replaced(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy: Any = dict(data) if isinstance(data, dict) else list(data)
    copy[path[0]] = _replaced(data[path[0]], path[1:], value)
    return copy


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["json", "run"])
def test_a_cache_of_another_structure_with_the_right_checksum_is_as_good_as_none(
    folder: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    (folder / "pkg/helpers.py").write_text(HELPERS.replace("mean()", "mean().item()"))
    age(folder)
    monkeypatch.chdir(folder)

    def output(result: RunResult) -> Report:
        assert result.errors == ()
        return Report((("", concise.render(result)), ("", sarif.render(result))))

    def check() -> Report:
        for whole in (folder / ".breaklint_cache").glob("*.run" if suffix == "json" else "*.json"):
            whole.unlink()
        return prepare(["."], Settings(), cache=folder / ".breaklint_cache").report(output, None, (), jobs=1)

    match = check()
    (cache,) = (folder / ".breaklint_cache").glob(f"*.{suffix}")
    content = cache.read_bytes().partition(b"\n")[2]
    data = [*map(json.loads, content.splitlines())]
    others = zip([*_places(data)][1:], cycle((1, None, {}, "a", [[]])))
    wrong = ["\n".join(map(json.dumps, _replaced(data, path, other))) for path, other in others]
    for text in [*wrong, "[" * 100_000]:
        cache.write_bytes(b"%08x\n" % zlib.crc32(text.encode()) + text.encode())
        assert isinstance(check(), Report)
    cache.unlink()
    assert check() == match


def test_another_file_that_changes_after_it_was_read_counts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    other = folder / "accepted.json"
    other.write_text("first")

    def output(result: RunResult) -> Report:
        report = Report((("", other.read_text()),))
        other.write_text("the second")
        return report

    cache = folder / ".breaklint_cache"
    runs = [prepare(["."], Settings(), cache=cache).report(output, None, [str(other)]) for _ in range(3)]
    assert [run.texts[0][1] for run in runs] == ["first", "the second", "the second"]


def test_a_new_folder_counts_if_an_import_names_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    outputs: list[RunResult] = []

    def output(result: RunResult) -> Report:
        outputs.append(result)
        return Report()

    for name, count in (("runs", 1), ("LICENSE", 1), ("torch", 1), ("more", 2)):
        prepare(["."], Settings(), cache=folder / ".breaklint_cache").report(output, None, ())
        assert len(outputs) == count
        (folder / name).mkdir()


@pytest.mark.slow
def test_the_output_is_that_of_a_run_without_a_cache_after_each_kind_of_change(
    folder: Path, breaklint: RunBreaklint
) -> None:
    """Each option is requested twice: the second output comes from the cache."""
    helpers, model, base = folder / "pkg/helpers.py", folder / "pkg/model.py", folder / "pkg/base.py"

    def rewrite(file: Path, old: str, new: str) -> None:
        file.write_text(file.read_text().replace(old, new))
        age(folder)

    def write(file: str, text: str) -> None:
        (folder / file).write_text(text)
        age(folder)

    inherited = MODEL.replace("torch.nn.Module", "Base").replace("\n", "\nfrom pkg.base import Base\n", 1)
    changes: list[Callable[[], object]] = [
        lambda: None,
        lambda: rewrite(helpers, "mean()", "mean().item()"),
        lambda: write("pkg/base.py", "import torch\n\n\nclass Base(torch.nn.Module):\n    pass\n"),
        lambda: write("pkg/model.py", inherited.replace("return x", "self.show(x)\n        return x")),
        lambda: rewrite(base, "pass", "def show(self, x):\n        print(x)"),
        lambda: rewrite(base, "\n\n\nclass", "\n\n\ndef other():\n    return 1\n\n\nclass"),
        lambda: os.utime(model, (1, 1)),
        lambda: write("pkg/added.py", MODEL.replace("return x", "print(x)\n        return x")),
        lambda: write("breaklint.toml", 'baseline = "accepted.json"'),
        lambda: write("accepted.json", (folder / "all.json").read_text()),
        lambda: write("accepted.json", json.dumps({"kind": "breaklint baseline", "version": 1, "findings": {}})),
        lambda: write("breaklint.toml", 'ignore = ["BRK201"]'),
        (folder / "pkg/added.py").unlink,
        base.unlink,
    ]
    breaklint("check", "--write-baseline", "all.json", ".")
    seen = set()
    for change in changes:
        change()
        for options in ((), ("--color", "always"), ("--output-format", "json", "--exit-zero")):
            runs = (breaklint("check", *more, *options, ".") for more in (("--no-cache",), (), ()))
            (output,) = {(run.stdout, run.stderr, run.returncode) for run in runs}
            seen.add(output)
    assert len(seen) > 15


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
    cached = [path for path in (folder / ".breaklint_cache").iterdir() if path.suffix in (".json", ".run")]
    assert {path.stat().st_mode & 0o777 for path in cached} == {0o600}


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
    (users / "breaklint" / "bytecode").mkdir(parents=True)
    done = breaklint("clean", XDG_CACHE_HOME=str(users))
    assert done.stdout == f"Removed .breaklint_cache\nRemoved {users / 'breaklint'}\n"
    assert not (folder / ".breaklint_cache").exists()
    assert [*users.iterdir()] == []
    (folder / "mine").mkdir()
    assert breaklint("clean", "--cache-dir", "mine", XDG_CACHE_HOME=str(users)).stdout == ""
    assert (folder / "mine").is_dir()
