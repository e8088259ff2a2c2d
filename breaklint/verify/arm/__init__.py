"""What runs inside an arm's process: torch and the standard library only."""
