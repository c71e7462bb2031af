"""Cutaway: a desktop chat for local models that shows every stage of a turn.

The layers, from the bottom up (imports go down only; import-linter checks it):

- `chat`: messages, templates, formats, grammars. Values in, values out.
- `engine`, `store`, `tools`: the model's thread, the database, the tools.
- `workbench`: what a person does (open, send, stop, edit, fork); asyncio, no Qt.
- `ui`: the window. It decides nothing.
- `cli`: the `cutaway` command.
"""

__version__ = "0.1.0"
