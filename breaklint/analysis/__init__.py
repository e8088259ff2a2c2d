"""What is known of code before it is traced: what files store, replace and hook."""
