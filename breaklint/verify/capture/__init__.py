"""Calls recorded from a running script, kept as plain data, and made into modules again."""
