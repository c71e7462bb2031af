"""The conversations' list, the messages, the composer."""
