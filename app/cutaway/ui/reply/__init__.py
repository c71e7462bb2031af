"""The parts of the reply pane: calls against their schema, the OpenAI message, any output pasted."""
