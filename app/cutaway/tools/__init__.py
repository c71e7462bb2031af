"""Tools: how they are defined, which calls may be answered without asking, and the built-in ones."""
