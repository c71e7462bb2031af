"""Whether a template and a vocabulary belong together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cutaway.chat.prompt import Prompt, Span, Warning
from cutaway.engine.backend import Vocabulary
from cutaway.engine.tokens import Neutralised, Tokenised, tokenise

_MARKER = re.compile(r"<\|[^<>|\s]{1,60}\|>|<｜[^<>｜\s]{1,60}｜>")
_SHOWN = 5


def missing_markers(prompt: Prompt, vocabulary: Vocabulary) -> Iterator[Warning]:
    """Markers that the template wrote and that are no tokens of the vocabulary: the model has never seen them whole."""
    known = {text for text, _, _ in vocabulary.added()}
    written = "".join(span.text if not span.is_input else "\0" for span in prompt.spans)
    missing = [text for text in dict.fromkeys(_MARKER.findall(written)) if text not in known]
    if missing:
        more = f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else ""
        listed = ", ".join(missing[:_SHOWN])
        message = f"The template writes {listed}{more}, which this model's vocabulary doesn't have as tokens."
        yield Warning("markers-not-in-vocabulary", message)


@dataclass(frozen=True, slots=True)
class TrainingTokens:
    """A training text and the prompt that it is answered from, as ids."""

    ids: tuple[int, ...]
    prefix_ids: tuple[int, ...]
    spelled: tuple[Neutralised, ...] = ()
    """Control tokens and markers that the content spells; here they are text."""

    @property
    def first_difference(self) -> int | None:
        """The index of the first id that differs; None where the text's ids begin with all of the prompt's."""
        pairs = enumerate(zip(self.ids, self.prefix_ids, strict=False))
        shared = min(len(self.ids), len(self.prefix_ids))
        at = next((at for at, (one, other) in pairs if one != other), shared)
        return None if at == len(self.prefix_ids) else at


def training_tokens(text: tuple[Span, ...], prefix: tuple[Span, ...], vocabulary: Vocabulary) -> TrainingTokens:
    """The ids of both, as prompts are tokenised; no BOS or EOS is added to either."""

    def tokenised(spans: tuple[Span, ...]) -> Tokenised:
        prompt = Prompt(spans, sum(len(span.text) for span in spans))
        return tokenise(prompt, vocabulary, add_bos=False, add_eos=False)

    whole = tokenised(text)
    return TrainingTokens(tuple(whole.ids.tolist()), tuple(tokenised(prefix).ids.tolist()), whole.neutralised)


def control_in_content(tokens: TrainingTokens) -> Iterator[Warning]:
    """Control tokens that the content of training data spells: most training code makes tokens of them."""
    texts: dict[str, dict[str, None]] = {}
    for found in tokens.spelled:
        texts.setdefault(" and ".join(found.fields), {})[found.text] = None
    for field, spelled in texts.items():
        listed = ", ".join(repr(text) for text in spelled)
        message = f"{field} spells {listed}; here that is text, but most training code makes control tokens of it."
        yield Warning("control-in-content", message, field)


def double_bos(text: str, bos_token: str, vocabulary: Vocabulary) -> Iterator[Warning]:
    """A template that writes BOS beside a tokenizer that adds it: harmless here, two of them in most training code."""
    if bos_token and vocabulary.adds_bos and text.startswith(bos_token):
        message = (
            f"The template writes {bos_token} and the tokenizer adds it too; tokenise the text without special tokens."
        )
        yield Warning("double-bos", message)
