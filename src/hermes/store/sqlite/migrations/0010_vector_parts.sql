-- A long message has several vectors, one for each of its parts; and a space counts the numbers
-- whose vectors are gone, so that it is known without reading them when numbering anew pays.

DROP INDEX vectors_by_item;
ALTER TABLE vectors ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX vectors_by_item ON vectors (kind, item, space, part);

ALTER TABLE vector_spaces ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
UPDATE vector_spaces SET gone = next - (
  SELECT count(*) FROM vectors
  WHERE vectors.id BETWEEN vector_spaces.id << 40 AND (vector_spaces.id << 40) | 0xFFFFFFFFFF
);

DROP TRIGGER vectors_removed;
CREATE TRIGGER vectors_removed AFTER DELETE ON vectors BEGIN
  DELETE FROM vector_blocks WHERE space = old.space AND number = (old.id & 0xFFFFFFFFFF) / 2048;
  UPDATE vector_spaces SET gone = gone + 1 WHERE id = old.space;
  INSERT INTO changes (kind, first, last, op)
    SELECT 'vector', old.id, old.id, 'remove'
    FROM vector_spaces WHERE id = old.space AND NOT retired; -- nobody searches a retired space
END;
