"""The language server: what `check` tells, in an editor, while code is written."""
