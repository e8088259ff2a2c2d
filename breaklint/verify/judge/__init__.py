"""From measurements to verdicts: pure functions on frozen data."""
