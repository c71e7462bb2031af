"""Opening a model: which file, how to load it, what that takes, and where files are looked for."""
