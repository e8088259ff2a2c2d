"""What of a process counts as set by the code: threads that it starts, not those that libraries keep for themselves."""

from __future__ import annotations

import threading

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
