-- Reflections: what was learnt of how a type of task works. The number people call one by is its id.
CREATE TABLE reflections (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  bank       INTEGER NOT NULL REFERENCES banks (id),
  task_type  TEXT    NOT NULL,
  lesson     TEXT    NOT NULL,
  lesson_key TEXT    NOT NULL, -- the lesson as it is compared
  worked     TEXT    NOT NULL,
  failed     TEXT    NOT NULL,
  next_time  TEXT    NOT NULL,
  successes  INTEGER NOT NULL,
  failures   INTEGER NOT NULL,
  origin     INTEGER NOT NULL,
  trust      INTEGER NOT NULL,
  held       INTEGER NOT NULL, -- 1 while it may not be put before a task
  author     TEXT    NOT NULL,
  session    TEXT    NOT NULL, -- the last one it was learnt from
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
);
CREATE UNIQUE INDEX reflections_by_lesson ON reflections (bank, task_type, lesson_key)
  WHERE deleted_at IS NULL;

-- The words of reflections, as fact_text has those of facts.
CREATE VIRTUAL TABLE reflection_text USING fts5 (
  body, scope,
  content = '', columnsize = 0,
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER vectors_of_reflections AFTER DELETE ON reflections BEGIN
  DELETE FROM vectors WHERE kind = 2 AND item = old.id;
END;
CREATE TRIGGER vectors_of_deleted_reflections AFTER UPDATE OF deleted_at ON reflections
WHEN new.deleted_at IS NOT NULL BEGIN
  DELETE FROM vectors WHERE kind = 2 AND item = old.id;
END;

-- Up to which message each session has been reflected on.
CREATE TABLE reflected (
  session INTEGER PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  upto    INTEGER NOT NULL
);
