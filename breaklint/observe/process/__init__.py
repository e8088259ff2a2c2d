"""What runs in the processes of the user's command, beside torch."""
