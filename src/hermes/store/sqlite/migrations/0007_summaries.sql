-- Summaries: what took the place of old episodes. The raw rows lie in `archives`, compressed, until
-- they are purged; until then all of it can be put back as it was.
CREATE TABLE summaries (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  session   INTEGER NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  episode   INTEGER NOT NULL, -- the compressed episode; it has the number of the first raw one
  first_at  INTEGER NOT NULL,
  last_at   INTEGER NOT NULL,
  made_at   INTEGER NOT NULL,
  purge_at  INTEGER NOT NULL,
  purged_at INTEGER,
  author    TEXT    NOT NULL,
  episodes  INTEGER NOT NULL, -- of the raw rows, as are the next two
  messages  INTEGER NOT NULL,
  raw_chars INTEGER NOT NULL,
  chars     INTEGER NOT NULL,
  probes    INTEGER NOT NULL, -- what was asked of the summary before the raw rows went
  found     INTEGER NOT NULL
);
CREATE INDEX summaries_by_session ON summaries (session);
CREATE INDEX summaries_unpurged ON summaries (purge_at) WHERE purged_at IS NULL;

-- In a table of their own: rows that shrink leave their pages half empty, rows that go free them.
CREATE TABLE archives (
  summary INTEGER PRIMARY KEY REFERENCES summaries (id) ON DELETE CASCADE,
  content BLOB    NOT NULL
);

-- The messages of a summary. Each has the number of the first message it stands for, so that it
-- stands where that stood; it stands for the session's messages up to `last`.
CREATE TABLE summary_parts (
  message INTEGER PRIMARY KEY REFERENCES messages (id) ON DELETE CASCADE,
  summary INTEGER NOT NULL REFERENCES summaries (id) ON DELETE CASCADE,
  last    INTEGER NOT NULL
);
CREATE INDEX summary_parts_by_summary ON summary_parts (summary);

-- Messages that need a vector although their number was passed over: summaries, and what came back.
CREATE TABLE vector_redo (
  message INTEGER NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
  space   INTEGER NOT NULL REFERENCES vector_spaces (id) ON DELETE CASCADE,
  PRIMARY KEY (message, space)
) WITHOUT ROWID;
CREATE TRIGGER vectors_redone AFTER INSERT ON vectors WHEN new.kind = 0 BEGIN
  DELETE FROM vector_redo WHERE message = new.item AND space = new.space;
END;
