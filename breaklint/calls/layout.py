"""The file names of `breaklint capture`; one folder per target."""

NOTE = "target.json"
"""All about a captured call but its data."""

MODULE = "module.pt"
NOTES = "notes.txt"  # one line for each value that could not be recorded

FORMAT = 1
VARIABLE = "BREAKLINT_CAPTURE"  # set in the environment of processes that record
