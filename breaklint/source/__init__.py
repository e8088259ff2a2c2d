"""Files in and out: which ones, their text, the comments that silence findings, and writing back."""
