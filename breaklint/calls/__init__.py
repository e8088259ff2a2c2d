"""The calls of modules while the user's program runs: saved for verify, or compiled in place for observe."""
