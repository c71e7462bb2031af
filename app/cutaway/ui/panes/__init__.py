"""One file per pane. Panes don't import each other; `registry` names them, `slot` keeps them apart."""
