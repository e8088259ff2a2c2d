"""A small language model with its cache, adapters and searches."""
