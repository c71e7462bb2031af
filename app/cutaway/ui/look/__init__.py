"""One visual language: what a colour means in one pane it means in all."""
