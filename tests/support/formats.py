"""A format in one line, for tables of expected formats."""

from __future__ import annotations

from cutaway.chat.formats.format import (
    Calls,
    DictCall,
    Format,
    JsonCall,
    Marker,
    NamedCall,
    PythonCall,
    TaggedCall,
)


def describe(format: Format) -> str:
    """What stands where, blanks included; `…` is what the model says."""
    parts = []
    if format.reasoning:
        parts.append(f"reasoning {_around(format.reasoning.open, format.reasoning.close)}")
    parts += [f"answer {_around(one.open, one.close)}" for one in format.content]
    if format.calls:
        parts.append(_calls(format.calls))
    parts.append("ends " + " ".join(format.ends))
    return "; ".join(parts)


def _around(open: Marker, close: Marker) -> str:
    return repr(f"{open.written}…{close.written}")


def _calls(calls: Calls) -> str:
    found = [_body(calls)]
    if calls.section_open or calls.section_close:
        found.append(f"section {_around(calls.section_open, calls.section_close)}")
    if calls.call_open or calls.call_close:
        found.append(f"call {_around(calls.call_open, calls.call_close)}")
    if calls.id.kind != "none":
        found.append(f"id {calls.id.kind} {calls.id.place} {calls.id.prefix}#{calls.id.suffix}".strip())
    found.append(f"between {calls.separator!r}" if calls.parallel else "single")
    return ", ".join(found)


def _body(calls: Calls) -> str:
    match calls.body:
        case JsonCall(name_is_key=True):
            return "array of {NAME: ARGUMENTS}" if calls.array else "{NAME: ARGUMENTS}"
        case JsonCall() as body:
            keys = " ".join(body.order)
            wrapper = f" in {body.wrapper_key}" if body.wrapper_key else ""
            return f"{'array' if calls.array else 'object'} of {keys}{wrapper}"
        case NamedCall() as body:
            return repr(f"{body.name_prefix}NAME{body.name_suffix}JSON{body.arguments_suffix}")
        case TaggedCall() as body:
            value = f"{body.key_prefix}KEY{body.key_suffix}{body.value_prefix}VALUE{body.value_suffix}"
            if body.type:
                value = f"{body.key_prefix}KEY{body.key_suffix}{body.type.prefix}TYPE{body.type.suffix}VALUE{body.value_suffix}"
            shown = repr(f"{body.name_prefix}NAME{body.name_suffix}({value}){body.separator}{body.close}")
            return shown + (" in python" if body.literals == "python" else "")
        case PythonCall() as body:
            return f"{body.list_open}NAME(KEY=VALUE){body.separator}{body.list_close}"
        case DictCall() as body:
            return f"{body.name_prefix}NAME{{KEY:{body.quote}VALUE}}"
        case _:
            return type(calls.body).__name__
