"""`python -m breaklint` is the `breaklint` command."""

from breaklint.cli import main

if __name__ == "__main__":
    main()
