"""The store: conversations as trees of messages, turns, settings and full-text search, in one SQLite file.

Only this package imports sqlite3. `Database` is the file, used from one thread; `StoreThread` is that thread.
"""
