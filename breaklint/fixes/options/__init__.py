"""Options of the compiler."""
