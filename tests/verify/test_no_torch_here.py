from __future__ import annotations

import subprocess
import sys


def test_the_process_that_runs_verify_never_imports_torch() -> None:
    program = (
        "import sys, breaklint.verify.command, breaklint.verify.report\n"
        "assert 'torch' not in sys.modules, 'torch was imported'"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
