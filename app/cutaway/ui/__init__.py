"""The window: conversations, the conversation, and panes that show what the layers below computed.

    look/          colours, marks, type: one visual language (pure values first, Qt last)
    words          what the program says, in the person's language
    selection      one value that says what is selected; every pane shows the same thing
    text/          painted text that is laid out only where it is seen
    conversation/  the list, the messages, the composer
    panes/         one file per pane behind `pane.Pane`; `registry` makes them, a fall-back stands in
    prompt/, reply/, cache/, templates/, boundary/    the parts of the panes of that name
    widgets/, models/    what several panes are made of; item models know no widgets
    linking        the conversation takes part in the selection, too
    access         what a screen reader is told that our own widgets are
    window, app    the main window; start, single instance, what happens when something breaks

Widgets know no engine: they are given values (`workbench.turn`) and call the `Workbench`. Item models
know no widgets. Nothing here decides anything about prompts, caches or replies.
"""
