"""Targets are distributed among devices."""

from __future__ import annotations

import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from breaklint.verify.host.devices import Machine, StoppedError

SOON_S = 5.0


def test_targets_share_the_devices_evenly_and_no_more_of_them_than_allowed() -> None:
    machine, lock = Machine(["cuda:0", "cuda:1"], beside=2, slots=1, starts=1), threading.Lock()
    running, most = Counter[str](), Counter[str]()

    def work(_: int) -> None:
        with machine.turn() as device:
            with lock:
                running[device] += 1
                most[device] = max(most[device], running[device])
            time.sleep(0.02)
            with lock:
                running[device] -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert most == {"cuda:0": 2, "cuda:1": 2}


def test_a_stopped_run_begins_nothing_and_leaves_nothing_waiting() -> None:
    machine = Machine([""], beside=1, slots=1, starts=1)

    def waits() -> None:
        with machine.turn():
            pass

    with ThreadPoolExecutor(1) as pool:
        with machine.turn():
            waiting = pool.submit(waits)
            machine.stop()
        assert isinstance(waiting.exception(SOON_S), StoppedError)
    with pytest.raises(StoppedError), machine.computing():
        pass
