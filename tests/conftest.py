"""What the tests share: folders of files, and the command line run as a user runs it."""

from __future__ import annotations

import ast
import asyncio
import gc
import os
import re
import signal
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import cli_server
import pytest
from harness import RunBreaklint, WriteFiles  # which makes the installed torch the target, before anything is imported
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from editing import Session

TESTS = Path(__file__).parent
VERIFY = TESTS / "verify"
WITH_TORCH = {"calls", "dynamo", "observe", "recompiles", "verify"}  # folders whose tests start torch
TORCH_MODULES = {"torch", "arm_servers", "differential"}
COMMAND = re.compile(
    r"""importorskip\("torch|pytester|graph_breaks\(|breaklint\(\s*"test"|"""
    r"""\((?:"breaklint", )?"(?:capture|observe|recompiles|trace|verify)\""""
)
collect_ignore = ["pages"]  # what pages show, a project's own tests among it
for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
    os.environ.pop(variable, None)  # what is installed there is no part of a test's project
os.environ.setdefault("OMP_NUM_THREADS", "1")  # tests run beside each other, and models here are tiny
settings.register_profile("busy", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # on a busy machine a first draw takes seconds
signal.signal(
    signal.SIGINT, signal.default_int_handler
)  # a shell's background job ignores it, and so would what it starts


@cache
def starts_torch(path: Path) -> bool:
    """Whether the tests of a file import torch, or start a command that does."""
    text = path.read_text("utf-8")
    if path.parts[len(TESTS.parts)] in WITH_TORCH or COMMAND.search(text):
        return True
    nodes = list(ast.walk(ast.parse(text)))
    names = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return not TORCH_MODULES.isdisjoint(name.partition(".")[0] for name in names)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without tests that start torch, their files are not imported either."""
    tested = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
    return True if tested and "not torch" in config.option.markexpr and starts_torch(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that start torch get their marker, and files with slow tests come first.

    No process is left alone with a slow test at the end.
    Those of verify are spread over the others: its arms wait for each other, and are bound to cores while they are
    timed, so that two of its files at once leave a processor idle.
    """
    with_torch = {path for path in {item.path for item in items} if starts_torch(path)}
    for item in items:
        if item.path in with_torch:
            item.add_marker(pytest.mark.torch)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    groups: dict[tuple[bool, bool], list[Path]] = {}
    for path in dict.fromkeys(item.path for item in items):
        groups.setdefault((path in slow, VERIFY in path.parents), []).append(path)
    place = {path: number / len(paths) for paths in groups.values() for number, path in enumerate(paths)}
    items.sort(key=lambda item: (item.path not in slow, place[item.path]))


def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: collections of garbage need not look at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def write_files(tmp_path: Path) -> WriteFiles:
    """Write files, given as {relative path: content}, into an empty folder; returns the folder."""

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return tmp_path

    return write


@pytest.fixture(scope="session", autouse=True)
def _command_line_ends() -> Iterator[None]:
    yield
    cli_server.close()


@pytest.fixture
def breaklint(tmp_path: Path) -> RunBreaklint:
    """Run `breaklint` in a process of its own, in the test's folder."""
    return partial(cli_server.breaklint, tmp_path)


@pytest.fixture
def edit(write_files: WriteFiles) -> Callable[..., None]:
    """Run a session of an editor in a folder of files."""
    from editing import SECONDS, editing  # needs the library of the server

    def run(session: Session, files: dict[str, str] | None = None, *options: str) -> None:
        folder = write_files(files or {"breaklint.toml": ""})

        async def whole() -> None:
            async with editing(folder, *options) as editor:
                await asyncio.wait_for(session(editor), 4 * SECONDS)

        asyncio.run(whole())

    return run
