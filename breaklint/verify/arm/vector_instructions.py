"""Which vector instructions kernels for the CPU can use, found out once for all arms."""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress


class Instructions:
    """Finds out which vector instructions the compiler and this processor can use, in a process beside this one.

    Inductor compiles and loads a program for each set of them, which takes longer than most models' kernels. All arms
    inherit the answer, which depends on no model; in Inductor's usual cache the programs stay for later runs.
    """

    def __init__(self) -> None:
        self._answer, answer = os.pipe()
        self._pid = os.fork()
        if self._pid:
            os.close(answer)
            return
        os.setsid()
        with suppress(Exception):  # an arm that needs a C++ compiler tells what is wrong with it
            from torch._inductor import cpu_vec_isa

            # torch has a process load it, since that may crash; this one may, too.
            cpu_vec_isa.VecISA._probe_load = _loads  # type: ignore[method-assign,assignment,attr-defined,unused-ignore]
            os.write(answer, "\n".join(map(str, cpu_vec_isa.valid_vec_isa_list())).encode() + b"\n")
        os._exit(0)

    def adopt(self) -> None:
        """Have Inductor take the answer for its own; without one, every arm finds out for itself."""
        told = b""
        while part := os.read(self._answer, 65536):
            told += part
        os.close(self._answer)
        os.waitpid(self._pid, 0)
        if not told:
            return
        from torch._inductor import cpu_vec_isa

        usable, check = told.decode().splitlines(), cpu_vec_isa.VecISA.check_build
        try:
            cpu_vec_isa.VecISA.check_build = lambda self, code: str(self) in usable  # type: ignore[method-assign]
            cpu_vec_isa.valid_vec_isa_list()
        finally:
            cpu_vec_isa.VecISA.check_build = check  # type: ignore[method-assign]


def _loads(_: object, library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
