"""The language server: what `check` reports, in an editor, while code is written."""
