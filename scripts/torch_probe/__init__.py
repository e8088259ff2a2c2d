"""Questions put to an installed torch; needs torch and the standard library only."""
