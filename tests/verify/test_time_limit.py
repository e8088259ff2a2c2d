"""A call with inputs that verify has made may not end: it is ended, whatever the code handles."""

from __future__ import annotations

import signal

import pytest

pytest.importorskip("torch")

from breaklint.verify.arm.process import OutOfTime, time_limit

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers here")


def endless() -> None:
    while True:
        try:
            sum(range(1000))
        except Exception:  # noqa: BLE001 - as code may do that is looked at
            continue


def test_a_loop_that_does_not_end_is_ended() -> None:
    usual = signal.getsignal(signal.SIGVTALRM)
    with pytest.raises(OutOfTime), time_limit(0.0):
        endless()
    assert signal.getsignal(signal.SIGVTALRM) is usual
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


def test_what_ends_in_time_is_left_alone() -> None:
    with time_limit(0.0):
        assert sum(range(10)) == 45
