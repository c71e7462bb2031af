"""The round trips of templates, kept in the cache folder: a model that is loaded again is not verified again.

A round trip depends on the template's text, BOS, EOS and the program, and on nothing else.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
from dataclasses import asdict
from pathlib import Path

import cutaway
from cutaway import places
from cutaway.chat.analysis.verification import Verification, VerifyCase
from cutaway.chat.choice import verify_formats
from cutaway.chat.shelf import FORMAT_DAY
from cutaway.workbench.prompting import one_rendering
from cutaway.workbench.templates import TemplateView

log = logging.getLogger(__name__)


def verification(view: TemplateView) -> Verification:
    """The kept one, else known messages rendered with the template and read back, which takes a while."""
    file = _file(view.info.sha256, view.bos_token, view.eos_token)
    found = _read(file)
    if found is None:
        found = verify_formats(
            view.prepared, now=FORMAT_DAY, bos_token=view.bos_token, eos_token=view.eos_token, budget=one_rendering
        ).chosen.verification
        _write(file, found)
    return found


def _file(template: str, bos: str, eos: str) -> Path:
    key = json.dumps([template, bos, eos, _program()])
    return places.cache() / "verified" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"


@functools.cache
def _program() -> str:
    """The version, and in a source tree the state of the code that the result depends on."""
    sources = sorted((Path(cutaway.__file__).parent / "chat").rglob("*.py"))
    state = [(str(path), path.stat().st_mtime_ns) for path in sources]
    return f"{cutaway.__version__} {hashlib.sha256(repr(state).encode()).hexdigest()}"


def _read(file: Path) -> Verification | None:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        cases = tuple(VerifyCase(**{name: str(text) for name, text in case.items()}) for case in value["cases"])  # type: ignore[arg-type]
        return Verification(cases, bool(value["append_only"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write(file: Path, found: Verification) -> None:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part")
        partial.write_text(json.dumps(asdict(found)), encoding="utf-8")
        partial.replace(file)
    except OSError as error:
        log.warning("a verification could not be kept: %s", error)
