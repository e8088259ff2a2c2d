"""The modules of a program: parsing, symbols and bindings, the class hierarchy, import resolution."""
