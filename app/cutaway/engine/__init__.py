"""The engine: one thread owns the model, driven by commands, heard through events.

Only `engine.llama` imports llama_cpp. `engine.cache` is pure: what the KV cache holds goes in, a
plan with its reasons comes out.
"""
