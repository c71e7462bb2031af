"""The chat layer: messages in, a prompt with provenance out; a model's text in, blocks out.

Everything here is a function of its arguments. No Qt, no llama.cpp, no files, threads, clock or
randomness: the time comes in as `now`, new call ids from a counter, a time limit as a `Budget`.
"""
