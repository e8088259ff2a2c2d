"""Output: print, logging and warnings."""
