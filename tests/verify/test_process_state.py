"""What of a process counts as set by the code: threads that it starts, not those that libraries keep for themselves."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

pytest.importorskip("torch")

from breaklint.verify.arm.process_state import ProcessState


def threads() -> str:
    return ProcessState().settings()["python_threads"]


@pytest.mark.parametrize("daemon", [False, True])
def test_threads_that_code_starts_are_counted(daemon: bool) -> None:
    done = threading.Event()
    before = threads()
    thread = threading.Thread(target=done.wait, daemon=daemon)
    thread.start()
    try:
        assert threads() != before
    finally:
        done.set()
        thread.join()


def test_a_daemon_counts_where_its_class_is_the_targets_and_not_where_it_is_a_librarys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)  # a library on PYTHONPATH has no folder of a telling name
    text = "import threading\nDONE = threading.Event()\n\nclass Watch(threading.Thread):\n    def run(self):\n"
    (tmp_path / "watching.py").write_text(text + "        DONE.wait()\n", encoding="utf-8")
    watching = importlib.import_module("watching")
    before = threads()
    watch = watching.Watch(daemon=True)
    watch.start()
    by_function = threading.Thread(target=watch.run, daemon=True)
    by_function.start()
    try:
        assert threads() == before
        assert ProcessState().settings({"watching"})["python_threads"] == str(int(before) + 2)
    finally:
        watching.DONE.set()
        watch.join()
        by_function.join()
        del sys.modules["watching"]


def test_a_thread_with_which_a_library_watches_itself_is_not_counted() -> None:
    tqdm = pytest.importorskip("tqdm")
    before = threads()
    bar = tqdm.tqdm(range(2), disable=True)
    try:
        assert tqdm.tqdm.monitor.is_alive()
        assert threads() == before
    finally:
        bar.close()
        tqdm.tqdm.monitor.exit()
        tqdm.tqdm.monitor = None


def test_the_compiler_may_be_loaded_between_two_looks_at_the_process() -> None:
    program = """
import sys
import torch
from breaklint.verify.arm.guard import replaced, watched
from breaklint.verify.arm.process_state import ProcessState
state, functions = ProcessState(), watched()
before = state.settings()
assert "torch._dynamo" not in sys.modules
import torch._dynamo.backends.debugging
after = state.settings()
print(sorted(name for name in after if after[name] != before.get(name)), replaced(functions))
"""
    environment = {**os.environ, "TORCHINDUCTOR_CACHE_DIR": "/nowhere"}  # as arms have one
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "[] []\n"
