"""`python -m breaklint` is the `breaklint` command."""

import os
import sys

# `python -m` looks for modules in the current folder first: what is checked must not be imported instead of a library.
if not getattr(sys.flags, "safe_path", False) and sys.path[:1] != [os.path.dirname(os.path.dirname(__file__))]:
    del sys.path[:1]

from breaklint.start import main

if __name__ == "__main__":
    main()
