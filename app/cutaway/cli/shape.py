"""The JSON that `batch` answers with, and `render --json`: values of the chat layer as plain objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from cutaway.chat.plain import RequestError
from cutaway.chat.prompt import Prompt, Span, Warning
from cutaway.chat.session import Prepared
from cutaway.chat.template.assemble import RESERVED
from cutaway.chat.template.error import TemplateError
from cutaway.chat.template.prepared import PreparedTemplate
from cutaway.chat.template.reads import Variable
from cutaway.chat.template.sources import TemplateSource
from cutaway.chat.template.thinking import ThinkingRow
from cutaway.chat.training import TrainingView
from cutaway.cli.desk import Made, ModelError, Question
from cutaway.engine.template_fit import control_in_content, double_bos, missing_markers, training_tokens
from cutaway.engine.tokens import Tokenised


def answer_of(made: Made, training: TrainingView | None) -> dict[str, Any]:
    """Everything about one request's prompt, and what the sampler gets."""
    prepared = made.prepared
    warnings = [*made.question.sources.warnings, *prepared.warnings, *(training.warnings if training else ())]
    if made.tokens is not None:
        warnings += made.tokens.warnings
    vocabulary = made.question.vocabulary
    if vocabulary is not None:
        warnings += missing_markers(prepared.prompt, vocabulary)
    answer = {
        **prompt_of(prepared.prompt),
        "template": template_of(made.question.source),
        **_known_of(prepared.template),
        **_reply_side(prepared),
        "warnings": [warning_of(one) for one in warnings],
    }
    if training is not None:
        answer["training"] = training_of(training, made.question)
    if made.tokens is not None:
        answer["tokens"] = [list(triple) for triple in made.tokens.triples()]
    return answer


def legacy_answer_of(question: Question, prompt: Prompt, tokens: Tokenised | None) -> dict[str, Any]:
    """What is known of a prompt that llama.cpp rendered itself."""
    warnings = [*question.sources.warnings, *prompt.warnings, *(tokens.warnings if tokens is not None else ())]
    answer = {
        **prompt_of(prompt),
        "template": template_of(question.source),
        "warnings": [warning_of(one) for one in warnings],
    }
    return answer if tokens is None else {**answer, "tokens": [list(triple) for triple in tokens.triples()]}


def prompt_of(prompt: Prompt) -> dict[str, Any]:
    return {
        "prompt": prompt.text,
        "spans": spans_of(prompt.spans),
        "generation_prompt": prompt.generation_prompt,
    }


def spans_of(spans: Sequence[Span]) -> list[dict[str, Any]]:
    return [_span_of(span) for span in spans]


def _span_of(span: Span) -> dict[str, Any]:
    origin = span.origin
    shaped: dict[str, Any] = {
        "text": span.text,
        "kind": origin.kind,
        "source": origin.source,
        "line": origin.line,
        "column": origin.column,
    }
    if span.is_input:
        shaped["range"] = None if origin.start is None else [origin.start, origin.end]
    return shaped


def template_of(source: TemplateSource) -> dict[str, Any]:
    return {"origin": source.origin, "variant": source.variant, "sha256": source.sha256}


def _known_of(template: PreparedTemplate) -> dict[str, Any]:
    return {
        "knobs": [
            {"name": one.name, "values": _values_of(one), "given": one.name in RESERVED}
            for one in template.reads.variables.values()
        ],
        "thinking_table": [_row_of(row) for row in template.thinking_table],
        "history_reasoning": asdict(template.history),
        "caps": template.caps.flags(),
        "caps_evidence": [asdict(one) for one in template.evidence],
    }


def _row_of(row: ThinkingRow) -> dict[str, Any]:
    shaped = asdict(row)
    if row.word is None:
        del shaped["word"]
    return shaped


def _values_of(variable: Variable) -> list[Any]:
    """What it is compared with; for a variable whose truth alone is asked, both truths."""
    return list(variable.values) or ([True, False] if variable.tested else [])


def _reply_side(prepared: Prepared) -> dict[str, Any]:
    return {
        "format": asdict(prepared.format.modes),
        "thinking_start": prepared.format.thinking_start,
        "thinking_ends": list(prepared.format.thinking_ends),
        "grammar": prepared.grammar,
        "grammar_lazy": prepared.grammar_lazy,
        "grammar_triggers": [asdict(trigger) for trigger in prepared.triggers],
        "preserved_tokens": list(prepared.preserved_tokens),
        "stops": list(prepared.stops),
    }


def training_of(training: TrainingView, question: Question) -> dict[str, Any]:
    """The view as text, and as ids where there is a vocabulary."""
    shaped: dict[str, Any] = {
        "text": training.text,
        "first_difference": training.first_difference,
        "assistant_spans": [list(one) for one in training.assistant_spans],
        "found_by": training.found_by,
        "inference_prefix": training.inference_prefix,
    }
    vocabulary = question.vocabulary
    told = [*training.warnings]
    if vocabulary is not None:
        tokens = training_tokens(training.spans, training.prefix_spans, vocabulary)
        shaped["ids"] = list(tokens.ids)
        shaped["first_different_id"] = tokens.first_difference
        told += [*double_bos(training.text, question.bos_token, vocabulary), *control_in_content(tokens)]
    return {**shaped, "warnings": [warning_of(one) for one in told]}


def warning_of(warning: Warning) -> dict[str, Any]:
    shaped: dict[str, Any] = {"code": warning.code, "message": warning.message}
    return shaped if warning.field is None else {**shaped, "field": warning.field}


def error_of(error: Exception) -> dict[str, Any]:
    """Any failure as `{type, message, line?, column?, field?}`; raises what is none of ours."""
    if isinstance(error, RequestError):
        return {"type": "request", "message": error.message, **({"field": error.field} if error.field else {})}
    if isinstance(error, TemplateError):
        places = {"line": error.line, "column": error.column, "field": error.field, "source": error.source_line}
        shown = {key: value for key, value in places.items() if value}
        return {"type": "template", "kind": error.kind, "message": error.message, **shown}
    if isinstance(error, ModelError):
        return {"type": "model", "message": str(error)}
    raise error
