"""The demonstration: the real window on the scripted engine, with replies that show what the panes can show."""

from __future__ import annotations

from cutaway.engine.scripted import Script, ScriptedBackend

_FIRST = """<think>
The person wants to know how a chat template works. I should explain roles, the generation prompt and
control tokens, and give a small example.
</think>

A chat template turns a list of messages into **one text**. Three things matter:

1. each message is framed by *control tokens*,
2. the text ends with a *generation prompt*, where the model goes on,
3. whatever you type stays text: it never becomes a control token.

```python
def render(messages):
    text = ""
    for message in messages:
        text += f"[{message['role']}] {message['content']}\\n"
    return text + "[assistant] "
```

| part | comes from |
| --- | --- |
| `[user]` and other frames | the template |
| the words | you |

Press a character in the Prompt pane to see where it came from.
"""

_SECOND = """Only what changed has to be read again. The **Cache** pane shows how much of this turn was already held:
the whole conversation up to your last message was reused, and only your new words were fed.

> If an earlier message is edited, everything after it is read again; the pane then shows where the prefix
> broke, and why.
"""

_THIRD = """<think>
A short thought.
</think>

Certainly. 中文、日本語 and emoji 🙂 take more tokens than they seem to: look at the Tokens pane.
"""

TEMPLATE = """{%- if messages[0].role == 'system' -%}
{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' -}}
{%- endif -%}
{%- for message in messages -%}
{%- if message.role != 'system' -%}
{{- '<|im_start|>' + message.role + '\\n' -}}
{%- if message.reasoning_content -%}
{{- '<think>\\n' + message.reasoning_content + '\\n</think>\\n\\n' -}}
{%- endif -%}
{{- message.content + '<|im_end|>\\n' -}}
{%- endif -%}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- endif -%}
"""

SCRIPT = Script(
    replies=(_FIRST, _SECOND, _THIRD),
    template=TEMPLATE,
    token_seconds=0.012,
    prefill_tokens_per_second=2000.0,
    load_seconds=0.6,
)


def demo_backend() -> ScriptedBackend:
    return ScriptedBackend(SCRIPT)
