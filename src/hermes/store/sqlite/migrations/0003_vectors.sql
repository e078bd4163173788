-- Vectors: what a text means, as a row of numbers. A space holds the vectors of one model.
-- `id` of a vector is its space and its number in it: space << 40 | number, never used twice.
-- Blocks hold the codes of 2,048 rows each. They are made from the rows, and dropped with any of them.

CREATE TABLE vector_spaces (
  id         INTEGER PRIMARY KEY,
  provider   TEXT    NOT NULL,
  model      TEXT    NOT NULL,
  dimensions INTEGER NOT NULL,
  current    INTEGER NOT NULL DEFAULT 0,
  retired    INTEGER NOT NULL DEFAULT 0, -- 1 while its vectors are being removed
  seed       INTEGER NOT NULL,
  coding     INTEGER NOT NULL DEFAULT 0,
  next       INTEGER NOT NULL DEFAULT 0,
  mean       BLOB,
  created_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX vector_spaces_by_model ON vector_spaces (provider, model, dimensions)
  WHERE NOT retired;

-- Up to which item each kind has been embedded.
CREATE TABLE vector_cursors (
  space INTEGER NOT NULL REFERENCES vector_spaces (id) ON DELETE CASCADE,
  kind  INTEGER NOT NULL,
  item  INTEGER NOT NULL,
  PRIMARY KEY (space, kind)
) WITHOUT ROWID;

CREATE TABLE vectors (
  id    INTEGER PRIMARY KEY,
  space INTEGER NOT NULL,
  kind  INTEGER NOT NULL,
  item  INTEGER NOT NULL,
  bank  INTEGER NOT NULL,
  row   BLOB    NOT NULL
);
CREATE UNIQUE INDEX vectors_by_item ON vectors (kind, item, space);

CREATE TABLE vector_blocks (
  id     INTEGER PRIMARY KEY,
  space  INTEGER NOT NULL,
  coding INTEGER NOT NULL,
  number INTEGER NOT NULL,
  signs  BLOB    NOT NULL,
  levels BLOB    NOT NULL,
  scales BLOB    NOT NULL,
  bases  BLOB    NOT NULL,
  items  BLOB    NOT NULL,
  tags   BLOB    NOT NULL,
  UNIQUE (space, number, coding)
);

CREATE TRIGGER vectors_of_messages AFTER DELETE ON messages BEGIN
  DELETE FROM vectors WHERE kind = 0 AND item = old.id;
END;

CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  DELETE FROM vector_blocks WHERE space = old.space AND number = (old.id & 0xFFFFFFFFFF) / 2048;
  INSERT INTO changes (kind, first, last, op)
    SELECT 'vector', old.id, old.id, 'remove'
    FROM vector_spaces WHERE id = old.space AND NOT retired; -- nobody searches a retired space
END;
