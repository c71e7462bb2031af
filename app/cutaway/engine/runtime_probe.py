"""Runs in a child process: load a runtime, check that its structs are the ones we know, list its devices.

Prints one JSON object: `{"devices": [...], "ggml": "..."}` or `{"fault": "..."}`. A library that crashes takes only
this process with it. A newer llama.cpp loads and even generates with our structs, its fields shifted: that is why
the defaults are compared one by one.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys

EXPECTED = {
    "context": {
        "n_ctx": 512,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_seq_max": 1,
        "offload_kqv": True,
        "no_perf": True,
        "op_offload": True,
        "swa_full": True,
        "n_samplers": 0,
    },
    "model": {
        "n_gpu_layers": -1,
        "split_mode": 1,
        "vocab_only": False,
        "check_tensors": False,
        "use_extra_bufts": True,
        "load_mtp": False,
    },
}
"""Defaults of llama.cpp as llama-cpp-python 0.3.36 vendors it: read off its own library."""


def main(folder: str) -> dict[str, object]:
    os.environ["LLAMA_CPP_LIB_PATH"] = folder
    from cutaway.engine.llama import native

    fault = wrong_default(native.default_params())
    if fault:
        return {"fault": fault}
    native.load_backends()
    devices = native.device_names()
    if not devices:
        return {"fault": "none of its libraries fits this processor."}
    return {"devices": devices}


def wrong_default(params: dict[str, ctypes.Structure]) -> str | None:
    for kind, expected in EXPECTED.items():
        for name, value in expected.items():
            found = getattr(params[kind], name)
            if found != value:
                return f"its {kind} parameters are laid out differently ({name} reads {found}, not {value})."
    return None


if __name__ == "__main__":
    try:
        answer = main(sys.argv[1])
    except Exception as error:  # whatever it is, it is the answer
        answer = {"fault": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps(answer) + "\n")
