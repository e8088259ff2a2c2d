"""The language server: the findings of `check` in an editor."""
