"""A core for what is timed on a GPU, off which everything else is kept."""

from __future__ import annotations

import ctypes
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from breaklint.verify.host import cores
from breaklint.verify.host.devices import Place

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
    with cores.reserved_cores(devices) as free:
        assert free == expected
        assert usable == every.difference(core for core in expected if core is not None)


def test_two_runs_on_a_machine_get_different_cores(usable: set[int]) -> None:
    every = set(usable)
    with cores.reserved_cores(["cuda"]) as first:
        usable.update(every)  # the other run is another process, which may use them all
        with cores.reserved_cores(["cuda"]) as second:
            assert (first, second) == ([5015], [5014])
        usable.difference_update(range(5015, 5016))


def test_a_core_is_free_again_after_the_run(usable: set[int]) -> None:
    for _ in range(2):
        with cores.reserved_cores(["cuda"]) as free:
            assert free == [5015]


def test_what_shares_the_core_is_reserved_cores_with_it(usable: set[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "siblings", lambda core: {core, core - 8})
    every = set(usable)
    with cores.reserved_cores(["cuda:0", "cuda:1"]) as free:
        assert free == [5015, 5014]
        assert usable == every - {5015, 5014, 5007, 5006}


def test_no_core_is_reserved_cores_where_half_of_all_would_be_lost(
    usable: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "siblings", lambda _: set(range(5007, 5016)))
    with cores.reserved_cores(["cuda"]) as free:
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


def test_of_what_feeds_a_gpu_the_main_thread_and_backward_passes_move_and_the_rest_stays() -> None:
    every = os.sched_getaffinity(0)
    core = max(every)
    with threads("pt_autograd_0") as backward, threads("OMP") as rest:
        cores.move(os.getpid(), {core}, feeding=True)
        places = [os.sched_getaffinity(each) for each in (os.getpid(), *backward, *rest)]
        cores.move(os.getpid(), {core})
        moved = [os.sched_getaffinity(each) for each in (os.getpid(), *rest)]
        cores.move(os.getpid(), every)
        assert places == [{core}, {core}, every]
        assert moved == [{core}, {core}]
        assert all(os.sched_getaffinity(each) == every for each in (os.getpid(), *backward, *rest))


def test_a_process_that_has_ended_is_left_alone() -> None:
    cores.move(2**22 + 1, {0})


def test_a_round_has_as_many_whole_cores_as_threads_and_in_time_each_core_has_its_turn(
    usable: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "siblings", lambda core: {core, core + 8 if core < 5008 else core - 8})
    draw = random.Random(0)
    for count in range(1, 8):
        rounds = [cores.random_cores(count, draw) for _ in range(100)]
        assert all(len(each) == 2 * count for each in rounds)
        assert set().union(*rounds) == usable
        assert all({core + 8 for core in each if core < 5008} <= each for each in rounds)
    assert cores.random_cores(8, draw) == cores.random_cores(16, draw) == set()


class Sleeper:
    """A process that stands for an arm."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(["sleep", "60"])
        self.pid = self._process.pid
        self.pause = self.resume = lambda **_: None

    def runs_on(self) -> set[int]:
        return os.sched_getaffinity(self.pid)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.mark.parametrize("core", [None, 0], ids=["no core is kept free", "one is"])
def test_arms_that_are_timed_share_the_cores_of_a_round_and_others_keep_theirs(
    core: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, order = os.sched_getaffinity(0), random.Random(0)
    if len(every) < 2:
        pytest.skip("this machine has one core")
    monkeypatch.setattr(cores, "siblings", lambda core: {core})
    place = Place("cuda", None, core=core)  # type: ignore[arg-type]
    arms = [Sleeper() for _ in range(3)]
    place._arms.update(arms)  # type: ignore[arg-type]
    try:
        with place.alone(arms[:2]):  # type: ignore[arg-type]
            seen = []
            for _ in range(20):
                place.gather(order, threads=len(every), on_cuda=True)
                seen.append([arm.runs_on() for arm in arms])
            place.gather(order, threads=len(every), on_cuda=False)
            assert all(arm.runs_on() == every for arm in arms)  # threads that need all of them
            place.gather(order, threads=1, on_cuda=True)
        assert all(one == other and len(one) == 1 and third == every for one, other, third in seen)
        drawn = set().union(*(one for one, _, _ in seen))
        assert drawn == {core} if core is not None else len(drawn) > 1
        assert all(arm.runs_on() == every for arm in arms)
    finally:
        for arm in arms:
            arm.close()
