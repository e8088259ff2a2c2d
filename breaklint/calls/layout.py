"""The file names of `breaklint capture`; one folder per target."""

NOTE = "target.json"
"""All about a captured call but its data."""

MODULE = "module.pt"
NOTES = "notes.txt"
"""What could not be recorded, a line each."""

FORMAT = 1
VARIABLE = "BREAKLINT_CAPTURE"
"""The variable that asks the processes of a command to record."""
