"""The engine: one thread owns the model, driven by commands, heard through events.

Only `engine.llama` imports llama_cpp. `engine.cache` is pure: what the KV cache holds goes in, a
plan with its reasons comes out.

    vocabulary, hf_vocabulary, pieces   text to ids and back: GGUF, tokenizer.json; the table of all tokens
    tokens, neutral, align              a prompt to tokens that know their characters; what input spells stays text
    cache, plan                         the ledger and the plan
    side, divergence, remedies, reasons why held tokens could not be kept, M1 to M33
"""
