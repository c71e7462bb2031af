"""What a person does: open, send, stop, edit, fork, inspect. asyncio and no Qt; joins chat, engine, store and tools."""
