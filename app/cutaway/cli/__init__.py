"""The `cutaway` command. One module a command, each with `describe(parser)` and `run(arguments) -> int`."""
