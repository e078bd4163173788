-- Conversations: every session, turn and message, found again by words and by time.
-- Times are milliseconds since the epoch. Numbers of rows are dense and never used twice.

CREATE TABLE counters (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO counters (name, value) VALUES ('session', 0), ('episode', 0), ('message', 0),
  ('dictionary', 1000); -- the message count at which one is to be learnt

CREATE TABLE meta (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

-- What changed, in order: other processes and derived indexes catch up from here.
CREATE TABLE changes (
  seq   INTEGER PRIMARY KEY AUTOINCREMENT,
  kind  TEXT    NOT NULL,
  first INTEGER NOT NULL,
  last  INTEGER NOT NULL,
  op    TEXT    NOT NULL CHECK (op IN ('add', 'change', 'remove'))
);

-- A write that names a key is kept once, however often it is sent; it gave message `first` and
-- `more` after it.
CREATE TABLE keys (
  key   BLOB PRIMARY KEY,
  first INTEGER NOT NULL,
  more  INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE banks (
  id          INTEGER PRIMARY KEY,
  name        TEXT    NOT NULL UNIQUE,
  description TEXT    NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL,
  messages    INTEGER NOT NULL DEFAULT 0,
  chars       INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE sessions (
  id         INTEGER PRIMARY KEY,
  uid        TEXT    NOT NULL UNIQUE,
  bank       INTEGER NOT NULL REFERENCES banks (id),
  platform   TEXT    NOT NULL,
  identity   TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  task       TEXT    NOT NULL,
  parent     TEXT    NOT NULL,
  started_at INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  ended_at   INTEGER,
  hidden_at  INTEGER,
  messages   INTEGER NOT NULL DEFAULT 0,
  episodes   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_time ON sessions (last_at);
CREATE INDEX sessions_by_parent ON sessions (parent) WHERE parent <> '';

CREATE TABLE episodes (
  id      INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  bank    INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  state   INTEGER NOT NULL DEFAULT 0,
  task    TEXT
);
CREATE INDEX episodes_by_session ON episodes (session);
CREATE INDEX episodes_by_time ON episodes (bank, at);

CREATE TABLE messages (
  id      INTEGER PRIMARY KEY,
  episode INTEGER NOT NULL REFERENCES episodes (id) ON DELETE CASCADE,
  at      INTEGER NOT NULL,
  role    INTEGER NOT NULL,
  origin  INTEGER NOT NULL,
  trust   INTEGER NOT NULL,
  speaker TEXT,
  call_id TEXT,
  calls   TEXT,
  text    BLOB    NOT NULL -- as text, or compressed: read it through plain()
);
CREATE INDEX messages_by_episode ON messages (episode);

-- What messages have in common, so that short texts compress (see codec.py). Never changed once used.
CREATE TABLE dictionaries (
  id         INTEGER PRIMARY KEY,
  content    BLOB    NOT NULL,
  created_at INTEGER NOT NULL
);

-- Bytes that belong to a message but not to its text, each kept once.
CREATE TABLE blobs (
  id      INTEGER PRIMARY KEY,
  sha256  BLOB NOT NULL UNIQUE,
  content BLOB NOT NULL
);
CREATE TABLE payloads (
  message    INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  n          INTEGER NOT NULL,
  media_type TEXT    NOT NULL,
  blob       INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (message, n)
) WITHOUT ROWID;

-- The words of messages, and after them words that name the bank, session and role (see texts.py).
CREATE VIRTUAL TABLE message_text USING fts5 (
  body,
  content = '', columnsize = 0,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
-- Blocks of just under two pages fill them; the default, just over one, leaves a tenth of them empty.
INSERT INTO message_text (message_text, rank) VALUES ('pgsz', 8000);
-- Merging less eagerly makes recording a tenth faster and costs a search nothing that can be measured.
INSERT INTO message_text (message_text, rank) VALUES ('automerge', 8);
