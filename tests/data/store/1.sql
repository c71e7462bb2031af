CREATE TABLE conversation (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL DEFAULT '',
    named INTEGER NOT NULL DEFAULT 0,
    created REAL NOT NULL,
    updated REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    archived INTEGER NOT NULL DEFAULT 0,
    draft TEXT NOT NULL DEFAULT '',
    messages INTEGER NOT NULL DEFAULT 0,
    deleted TEXT
);
CREATE INDEX conversation_order ON conversation (archived, pinned DESC, updated DESC);

CREATE TABLE message (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    parent TEXT,
    position INTEGER NOT NULL DEFAULT 0,
    chosen INTEGER NOT NULL DEFAULT 1,
    role TEXT NOT NULL,
    body TEXT NOT NULL,
    created REAL NOT NULL,
    status TEXT NOT NULL DEFAULT 'whole',
    turn TEXT,
    note TEXT NOT NULL DEFAULT '',
    ids BLOB,
    raw TEXT NOT NULL DEFAULT '',
    deleted TEXT
);
CREATE INDEX message_tree ON message (conversation, parent);
CREATE INDEX message_deleted ON message (deleted) WHERE deleted IS NOT NULL;

CREATE TABLE growth (
    message TEXT NOT NULL REFERENCES message (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    content TEXT NOT NULL,
    reasoning TEXT NOT NULL,
    raw TEXT NOT NULL,
    ids BLOB NOT NULL,
    PRIMARY KEY (message, number)
) WITHOUT ROWID;

CREATE TABLE turn (
    id TEXT PRIMARY KEY,
    conversation TEXT NOT NULL REFERENCES conversation (id) ON DELETE CASCADE,
    message TEXT NOT NULL,
    created REAL NOT NULL,
    template TEXT NOT NULL DEFAULT '',
    document BLOB NOT NULL,
    outcome BLOB
);
CREATE INDEX turn_conversation ON turn (conversation);

CREATE TABLE template (
    sha256 TEXT PRIMARY KEY,
    source BLOB NOT NULL
);

CREATE TABLE setting (
    scope TEXT NOT NULL,
    key TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (scope, key, name)
) WITHOUT ROWID;

CREATE VIRTUAL TABLE word USING fts5 (
    text, content = '', tokenize = "unicode61 remove_diacritics 2", prefix = '2 3'
);
INSERT INTO conversation VALUES ('c1', 'Mountains', 1, 1000.0, 1002.0, 1, 0, 'a draft', 5, NULL);
INSERT INTO conversation VALUES ('c2', 'Empty', 0, 900.0, 900.0, 0, 0, '', 0, NULL);
INSERT INTO message VALUES (1, 'm1', 'c1', NULL, 0, 1, 'user', '{"role":"user","content":"What is the tallest mountain?"}', 1002.0, 'whole', NULL, '', NULL, '', NULL);
INSERT INTO message VALUES (2, 'm2', 'c1', 'm1', 0, 0, 'assistant', '{"role":"assistant","content":"K2, some say."}', 1002.0, 'whole', NULL, '', NULL, '', NULL);
INSERT INTO message VALUES (3, 'm3', 'c1', 'm1', 1, 1, 'assistant', '{"role":"assistant","content":"Mount Everest."}', 1002.0, 'whole', 't1', '', X'650000006600000002000000', 'Mount Everest.', NULL);
INSERT INTO message VALUES (4, 'm4', 'c1', 'm3', 0, 1, 'user', '{"role":"user","content":"And the deepest lake?"}', 1002.0, 'whole', NULL, '', NULL, '', NULL);
INSERT INTO message VALUES (5, 'm5', 'c1', 'm4', 0, 1, 'assistant', '{"role":"assistant","content":""}', 1002.0, 'growing', 't2', '', NULL, '', NULL);
INSERT INTO growth VALUES ('m5', 1, 'Lake ', '', 'Lake ', X'07000000');
INSERT INTO growth VALUES ('m5', 2, 'Bai', '', 'Bai', X'08000000');
INSERT INTO turn VALUES ('t1', 'c1', 'm3', 1001.0, 'feed', X'7801ab56cacd4f49cd51b252aa50aa05001f280444', X'7801ab562a4a2c57b252f2cd2fcd2b51702d4b2d4a2d2ed153aa0500658a0844');
INSERT INTO template VALUES ('feed', X'7801abae56c84d2d2e4e4c4f2d56a8ad050029780589');
INSERT INTO setting VALUES ('conversation', 'c1', 'system', '"Be brief."');
INSERT INTO word (rowid, text) VALUES (1, 'What is the tallest mountain?');
INSERT INTO word (rowid, text) VALUES (2, 'K2, some say.');
INSERT INTO word (rowid, text) VALUES (3, 'Mount Everest.');
INSERT INTO word (rowid, text) VALUES (4, 'And the deepest lake?');
PRAGMA user_version = 1;
