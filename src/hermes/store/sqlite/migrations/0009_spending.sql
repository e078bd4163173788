-- What calls to models cost: one line a day, profile, role and model, so that a day's cap holds
-- over every process.
CREATE TABLE spending (
  day           TEXT    NOT NULL, -- ISO date, by the clock the caps go by
  profile       TEXT    NOT NULL,
  role          TEXT    NOT NULL, -- the setting it was spent under: model, lightModel
  model         TEXT    NOT NULL,
  calls         INTEGER NOT NULL,
  input_tokens  INTEGER NOT NULL,
  output_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  usd           REAL    NOT NULL,
  guessed       INTEGER NOT NULL, -- 1 where a price or a count was not the endpoint's own
  PRIMARY KEY (day, profile, role, model)
) WITHOUT ROWID;
