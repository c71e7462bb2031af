"""Grammars: what a constrained model may write.

`expression` is a grammar as data, `gbnf` reads and writes llama.cpp's notation, `schema` makes one from a JSON
Schema, `calls` from a format and its tools, and `accept` answers whether a text fits and what may come next.
"""
