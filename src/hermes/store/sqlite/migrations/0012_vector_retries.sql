-- Whatever needs a vector although its number was passed over, of any kind: what was written anew or
-- came back, and what its model refused, which waits until somebody has it tried again.
CREATE TABLE vector_retries (
  kind    INTEGER NOT NULL,
  item    INTEGER NOT NULL,
  space   INTEGER NOT NULL REFERENCES vector_spaces (id) ON DELETE CASCADE,
  bank    INTEGER NOT NULL,
  refused INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, item, space)
) WITHOUT ROWID;
CREATE INDEX vector_retries_by_space ON vector_retries (space, refused, kind, item);
INSERT INTO vector_retries (kind, item, space, bank)
  SELECT 0, r.message, r.space, e.bank FROM vector_redo r
  JOIN messages m ON m.id = r.message JOIN episodes e ON e.id = m.episode;
-- Reflections that were restored before they were put on a list.
INSERT INTO vector_retries (kind, item, space, bank)
  SELECT 2, r.id, c.space, r.bank FROM reflections r
  JOIN vector_cursors c ON c.kind = 2 AND c.item >= r.id
  WHERE r.deleted_at IS NULL AND NOT EXISTS
    (SELECT 1 FROM vectors v WHERE v.kind = 2 AND v.item = r.id AND v.space = c.space);

DROP TRIGGER vectors_redone;
DROP TABLE vector_redo;
CREATE TRIGGER vectors_made AFTER INSERT ON vectors BEGIN
  DELETE FROM vector_retries WHERE kind = new.kind AND item = new.item AND space = new.space;
END;

DROP TRIGGER vectors_of_messages;
CREATE TRIGGER vectors_of_messages AFTER DELETE ON messages BEGIN
  DELETE FROM vectors WHERE kind = 0 AND item = old.id;
  DELETE FROM vector_retries WHERE kind = 0 AND item = old.id;
END;
DROP TRIGGER vectors_of_facts;
CREATE TRIGGER vectors_of_facts AFTER DELETE ON facts BEGIN
  DELETE FROM vectors WHERE kind = 1 AND item = old.vector;
  DELETE FROM vector_retries WHERE kind = 1 AND item = old.vector;
END;
DROP TRIGGER vectors_of_old_wording;
CREATE TRIGGER vectors_of_old_wording AFTER UPDATE OF vector ON facts BEGIN
  DELETE FROM vectors WHERE kind = 1 AND item = old.vector;
  DELETE FROM vector_retries WHERE kind = 1 AND item = old.vector;
END;
DROP TRIGGER vectors_of_reflections;
CREATE TRIGGER vectors_of_reflections AFTER DELETE ON reflections BEGIN
  DELETE FROM vectors WHERE kind = 2 AND item = old.id;
  DELETE FROM vector_retries WHERE kind = 2 AND item = old.id;
END;
DROP TRIGGER vectors_of_deleted_reflections;
CREATE TRIGGER vectors_of_deleted_reflections AFTER UPDATE OF deleted_at ON reflections
WHEN new.deleted_at IS NOT NULL BEGIN
  DELETE FROM vectors WHERE kind = 2 AND item = old.id;
  DELETE FROM vector_retries WHERE kind = 2 AND item = old.id;
END;
