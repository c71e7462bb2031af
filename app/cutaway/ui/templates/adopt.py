"""An edited template judged over the samples, and taken for the loaded model."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from cutaway import places
from cutaway.chat.plain import RequestError
from cutaway.chat.read import read_request
from cutaway.chat.template.error import TemplateError
from cutaway.ui.sentences import told
from cutaway.ui.templates.health import verify
from cutaway.ui.templates.samples import samples
from cutaway.ui.words import tr

if TYPE_CHECKING:
    from cutaway.workbench.bench import Workbench
    from cutaway.workbench.templates import TemplateView

LISTED = 4
"""Samples that a verdict names; all are in its tool tip."""


async def verdict(bench: Workbench, view: TemplateView) -> tuple[str, str]:
    """(which samples' history the template rewrites and where it departs from the model's training, all of them)"""
    found = await bench.rewrites(view, [read_request(body) for _, body in samples()])
    names = [tr(name) for name, _ in samples()]
    broken = [name for name, one in zip(names, found, strict=True) if isinstance(one, int)]
    refused = [name for name, one in zip(names, found, strict=True) if isinstance(one, str)]
    kept = len(found) - len(broken) - len(refused)
    words = [tr("The next turn stays a prefix in {0} of {1} samples.", kept, len(found))]
    words += [tr("History is rewritten in: {0}.", _listed(broken))] if broken else []
    words += [tr("Refused: {0}.", _listed(refused))] if refused else []
    try:
        misfits = await bench.misfits(view)
    except (RequestError, TemplateError) as error:  # One that refuses even a greeting cannot be compared further.
        misfits = (str(error),)
    return "\n".join((" ".join(words), *(f"⚠ {told(misfit)}" for misfit in misfits))), ", ".join([*broken, *refused])


def _listed(names: list[str]) -> str:
    return ", ".join(names[:LISTED]) + (" …" if len(names) > LISTED else "")


async def adopt(bench: Workbench, original: TemplateView | None, source: str) -> str:
    """Keep a copy as a file and use it for the loaded model. Answers what that means, in sentences."""
    facts = bench.model.facts
    if facts is None:
        return tr("Open a model first: the copy is used for the model that is loaded.")
    if source == facts.template:
        await bench.reset("template")
        return tr("The model's own template is used.")
    bos, eos = (original.bos_token, original.eos_token) if original is not None else ("", "")
    view = await bench.prepare_template(source, bos, eos)
    folder = places.data() / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(source.encode()).hexdigest()[:12]}.jinja"
    path.write_text(source, encoding="utf-8")
    await bench.set("template", str(path))
    words = [tr("The copy is used for this model from the next turn on.")]
    if not (await verify(view)).append_only:
        words.append(tr("It rewrites history: the cache will break at every turn."))
    return " ".join([*words, *map(told, await bench.misfits(view))])
