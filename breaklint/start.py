"""The entry point of the command `breaklint`: its version is printed without the libraries that commands need."""

from __future__ import annotations

import os
import sys

from breaklint import __version__


def main() -> None:
    """Run the command line and exit."""
    if sys.argv[1:] in (["--version"], ["-V"]) and sys.stdout is not None:
        try:
            sys.stdout.write(f"breaklint {__version__}\n")
            sys.stdout.flush()
            os._exit(0)
        except OSError:
            pass  # the command line says so
    from breaklint.cli import main as run

    run()
