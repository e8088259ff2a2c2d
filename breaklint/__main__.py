"""`python -m breaklint` is the `breaklint` command."""

import sys
from pathlib import Path

# `python -m` looks for modules in the current folder first: what is checked must not be imported instead of a library.
if not getattr(sys.flags, "safe_path", False) and sys.path and sys.path[0] != str(Path(__file__).parents[1]):
    del sys.path[0]

from breaklint.cli import main

if __name__ == "__main__":
    main()
