"""The backend that talks to llama.cpp, through llama-cpp-python's low-level functions.

Only this package imports llama_cpp, and only `library` brings it into the process.
"""
