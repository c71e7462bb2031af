"""llama.cpp through the low-level API of llama-cpp-python: the only package that imports `llama_cpp`."""
