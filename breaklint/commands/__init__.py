"""The commands of the command line, one module each: options, the call, and the output."""
