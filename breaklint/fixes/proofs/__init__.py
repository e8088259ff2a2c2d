"""What makes a rewrite safe: each file answers one kind of question about the code around it."""
