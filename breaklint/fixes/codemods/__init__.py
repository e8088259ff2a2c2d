"""One rewrite a file, named as the kind of fix that cards ask for: `fix: {kind: torch-where}` is torch_where.py."""
