"""Random numbers of Python and NumPy."""
