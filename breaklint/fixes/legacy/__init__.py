"""Code of earlier versions of torch."""
