"""The licences of everything that is shipped, in one file: from the packages' own metadata and the runtime's folder.

`collect` fails when a shipped package brings neither a licence file nor a licence name: nothing leaves unlabelled.
"""

from __future__ import annotations

import importlib.metadata
import re
from pathlib import Path

LICENCE_FILE = re.compile(r"(?i)(licen[cs]e|copying|notice|authors)[^/]*$")

NATIVE = {
    "Qt 6": "LGPL-3.0-only. Dynamically linked; each library in the tree can be replaced. Source: the Qt project's archive "
    "of the version named by PySide6 below.",
    "llama.cpp and ggml": "MIT; the text is LICENSE.llama.cpp beside the runtime's libraries.",
    "GNU OpenMP, libgfortran, libquadmath (in numpy)": "GPL-3.0 with the GCC Runtime Library Exception; libquadmath LGPL-2.1.",
    "OpenBLAS (in numpy)": "BSD-3-Clause.",
    "ICU (in Qt)": "Unicode-3.0.",
    "SmolLM2-135M-Instruct": "Apache-2.0; shipped as a file of its own.",
}


class LicenceError(Exception):
    """A shipped package whose licence could not be found. The message names it."""


def shipped(root: str = "cutaway") -> list[importlib.metadata.Distribution]:
    """The package and everything that it requires at run time, each once, by name."""
    found: dict[str, importlib.metadata.Distribution] = {}
    waiting = [root]
    while waiting:
        name = _canonical(waiting.pop())
        if name in found:
            continue
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # an optional requirement that is not installed is not shipped
        found[name] = distribution
        needed = [requirement for requirement in distribution.requires or [] if "extra ==" not in requirement]
        waiting.extend(re.split(r"[\s;<>=!~\[(]", requirement, maxsplit=1)[0] for requirement in needed)
    return [found[name] for name in sorted(found)]


def licence_texts(distribution: importlib.metadata.Distribution) -> list[str]:
    files = [file for file in distribution.files or [] if LICENCE_FILE.search(str(file)) and ".py" not in str(file)]
    texts = []
    for file in files:
        path = Path(str(distribution.locate_file(file)))
        if path.is_file():
            texts.append(path.read_text(encoding="utf-8", errors="replace"))
    return texts


def licence_name(distribution: importlib.metadata.Distribution) -> str:
    metadata = distribution.metadata
    named = metadata.get("License-Expression") or metadata.get("License") or ""
    classified = [
        value.rpartition(" :: ")[2] for value in metadata.get_all("Classifier") or [] if value.startswith("License")
    ]
    return (named.splitlines()[0] if named else "") or ", ".join(classified)


def collect(root: str = "cutaway") -> str:
    """The notices of everything shipped. Raises LicenceError."""
    parts = ["THIRD-PARTY NOTICES\n\nCutaway itself is under the MIT licence (LICENSE). It carries the following.\n"]
    parts += [f"{name}\n    {text}\n" for name, text in NATIVE.items()]
    for distribution in shipped(root):
        name, version = distribution.metadata["Name"], distribution.version
        kind, texts = licence_name(distribution), licence_texts(distribution)
        if not kind and not texts:
            raise LicenceError(f"{name} {version} is shipped, but brings no licence.")
        parts.append("\n".join([f"{'=' * 79}\n{name} {version}: {kind or 'see below'}\n", *texts]))
    return "\n".join(parts)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
