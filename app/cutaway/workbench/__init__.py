"""What a person does: open, send, stop, edit, fork, inspect. asyncio and no Qt; joins chat, engine, store and tools.

- `bench.Workbench` is the door: methods for all that a person can do, from `conversing` (write, edit, branch, stop),
  `inspecting` (turns, templates, files) and `adjusting` (models, settings). `foundation` is what it stands on.
- `library`, `tree`, `stored`: conversations and their messages, in memory and as rows. `settings`, `settings_desk`: four layers of settings.
- `turns` makes turns in their order: `asking` (the prompt that fits), `generating` (the engine's command),
  `run` (the growing reply), `listen` (the reader, before each next token), `calls` (tools), `causes` (of breaks).
- `prompting` is the prompt thread, `engine_link` and `model_desk` the engine's side, `own_ids` the model's own tokens.
- `forecasting` says what sending would cost, `idle` brings the cache to what the next turn begins with.
- `turn`, `change`, `forecast` are the values that the window shows; `turn_file`, `turn_read`, `exchange` their files.
"""
