"""Turns of targets on a machine, and the limits of requests."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from breaklint.verify.host.deadlines import Deadlines
from breaklint.verify.host.machine import Machine, StoppedError, Turns

SOON_S = 5.0


class Watched:
    """Targets that note how many run beside them, and when."""

    def __init__(self, turns: Turns) -> None:
        self.turns, self.lock = turns, threading.Lock()
        self.running, self.most = Counter[str](), Counter[str]()
        self.beside_alone: list[int] = []
        self.order: list[str] = []

    def usual(self, name: str, again: bool = False) -> None:
        with self.turns.shared() as device:
            self.work(device)
            if again:
                with self.turns.alone(device):
                    self.order.append(f"{name} alone")
                    self.beside_alone.append(self.running.total())
                    time.sleep(0.02)
                    self.beside_alone.append(self.running.total())
            self.order.append(f"{name} ends")

    def work(self, device: str) -> None:
        with self.lock:
            self.running[device] += 1
            self.most[device] = max(self.most[device], self.running[device])
        time.sleep(0.02)
        with self.lock:
            self.running[device] -= 1


def test_targets_share_the_devices_evenly_and_no_more_of_them_than_allowed() -> None:
    watched = Watched(Turns(["cuda:0", "cuda:1"], beside=2, waiting=4))
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(watched.usual, map(str, range(8))))
    assert watched.most == {"cuda:0": 2, "cuda:1": 2}


@pytest.mark.parametrize("waiting", [1, 3, 9])
def test_nothing_runs_beside_a_target_that_is_timed_again(waiting: int) -> None:
    watched = Watched(Turns([""], beside=2, waiting=waiting))
    with ThreadPoolExecutor(12) as pool:
        for _ in pool.map(lambda n: watched.usual(str(n), again=n % 2 == 0), range(12), timeout=SOON_S):
            pass
    assert watched.beside_alone == [0] * 12
    assert len(watched.order) == 18


def test_all_that_wait_have_their_turn_before_the_first_of_them_goes_on() -> None:
    watched = Watched(Turns([""], beside=3, waiting=3))
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda n: watched.usual(str(n), again=True), range(3), timeout=SOON_S))
    assert [line.split()[1] for line in watched.order] == ["alone"] * 3 + ["ends"] * 3


def test_a_stopped_run_begins_nothing_and_leaves_nothing_waiting() -> None:
    turns = Turns([""], beside=1, waiting=1)
    machine = Machine(turns, slots=1, starts=1)

    def waits() -> None:
        with turns.shared():
            pass

    with ThreadPoolExecutor(1) as pool:
        with turns.shared():
            waiting = pool.submit(waits)
            turns.stop()
        assert isinstance(waiting.exception(SOON_S), StoppedError)
    with pytest.raises(StoppedError), machine.computing():
        pass


def test_a_request_may_take_a_multiple_of_what_it_took_elsewhere_but_not_of_the_original() -> None:
    deadlines = Deadlines(600.0)
    assert deadlines.seconds("after", "rewritten") == 600.0
    deadlines.note("eager", "reference", 5.0)
    assert deadlines.seconds("after", "rewritten") == 100.0
    assert deadlines.seconds("before", "rewritten") == 600.0
    deadlines.note("before", "compile", 1.0)
    assert deadlines.seconds("after", "compile") == 120.0
    assert deadlines.seconds("after", "strict") == 600.0
