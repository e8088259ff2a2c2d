"""The static analysis of one function and its file, on demand."""
