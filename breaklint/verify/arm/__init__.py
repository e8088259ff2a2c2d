"""Code of an arm's process, with torch and the standard library only."""
