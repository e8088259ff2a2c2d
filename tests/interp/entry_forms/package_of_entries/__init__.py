"""Makes a package of the folder."""
