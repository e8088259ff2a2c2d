"""A core for what is timed on a GPU, off which everything else is kept."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from breaklint.verify.host import cores

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="cores are kept free on Linux only")
NAME_OF_THREAD = 15  # of prctl


@pytest.fixture
def usable(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[int]]:
    """A machine of 16 cores without siblings, numbered so that no other run claims them; what this thread may use."""
    may_use = set(range(5000, 5016))
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(may_use))

    def may_use_only(_: int, those: set[int]) -> None:
        may_use.clear()
        may_use.update(those)

    monkeypatch.setattr(os, "sched_setaffinity", may_use_only)
    yield may_use
    assert may_use == set(range(5000, 5016)), "the thread may use other cores afterwards"


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        (["cuda"], [5015]),
        (["cuda:0", "cuda:1"], [5015, 5014]),
        (["cpu"], [None]),
        (["cuda:0", "cpu"], [5015, None]),
        ([f"cuda:{index}" for index in range(5)], [None] * 5),
    ],
    ids=["one GPU", "two GPUs", "no GPU", "one of two", "too few cores for five"],
)
def test_each_gpu_gets_a_core_that_nothing_else_uses(
    usable: set[int], devices: list[str], expected: list[int | None]
) -> None:
    every = set(usable)
    with cores.kept_free(devices) as free:
        assert free == expected
        assert usable == every.difference(core for core in expected if core is not None)


def test_two_runs_on_a_machine_get_different_cores(usable: set[int]) -> None:
    every = set(usable)
    with cores.kept_free(["cuda"]) as first:
        usable.update(every)  # the other run is another process, which may use them all
        with cores.kept_free(["cuda"]) as second:
            assert (first, second) == ([5015], [5014])
        usable.difference_update(range(5015, 5016))


def test_a_core_is_free_again_after_the_run(usable: set[int]) -> None:
    for _ in range(2):
        with cores.kept_free(["cuda"]) as free:
            assert free == [5015]


def test_what_shares_the_core_is_kept_free_with_it(usable: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "siblings", lambda core: {core, core - 8})
    every = set(usable)
    with cores.kept_free(["cuda:0", "cuda:1"]) as free:
        assert free == [5015, 5014]
        assert usable == every - {5015, 5014, 5007, 5006}


def test_no_core_is_kept_free_where_half_of_all_would_be_lost(
    usable: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "siblings", lambda _: set(range(5007, 5016)))
    with cores.kept_free(["cuda"]) as free:
        assert free == [None]


def test_a_core_is_its_own_sibling_even_where_the_system_tells_nothing() -> None:
    assert cores.siblings(99999) == {99999}
    assert min(os.sched_getaffinity(0)) in cores.siblings(min(os.sched_getaffinity(0)))


@contextmanager
def threads(*names: str) -> Iterator[list[int]]:
    """Threads of this process with these names, as Linux knows them; their ids."""
    done, ids = threading.Event(), list[int]()
    begun = threading.Barrier(len(names) + 1)

    def work(name: str) -> None:
        ctypes.CDLL(None).prctl(NAME_OF_THREAD, name.encode(), 0, 0, 0)
        ids.append(threading.get_native_id())
        begun.wait()
        done.wait()

    started = []
    for name in names:
        started.append(threading.Thread(target=work, args=(name,)))
        started[-1].start()
    begun.wait()
    try:
        yield ids
    finally:
        done.set()
        for thread in started:
            thread.join()


def test_the_main_thread_and_backward_passes_move_and_the_rest_stays() -> None:
    every = os.sched_getaffinity(0)
    core = max(every)
    with threads("pt_autograd_0") as backward, threads("OMP") as rest:
        cores.move(os.getpid(), core)
        places = [os.sched_getaffinity(each) for each in (os.getpid(), *backward, *rest)]
        os.sched_setaffinity(0, every)
        cores.move_back(os.getpid())
        assert places == [{core}, {core}, every]
        assert all(os.sched_getaffinity(each) == every for each in (os.getpid(), *backward))


def test_a_process_that_has_ended_is_left_alone() -> None:
    cores.move(2**22 + 1, 0)
