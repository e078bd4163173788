-- The sign bits of every vector, so that the server itself can find the nearest of a bank that no
-- daemon should hold the codes of: counted over a key that covers them. Rows are derived from
-- `vectors`; blocks are let go so that the codes of vectors that were there before are made with them.
CREATE TABLE vector_codes (
  profile int NOT NULL DEFAULT current_setting('hermes.profile')::int,
  bank int NOT NULL,
  space  bigint   NOT NULL,
  kind   smallint NOT NULL,
  number bigint   NOT NULL,
  coding bigint   NOT NULL,
  signs  bit varying NOT NULL,
  PRIMARY KEY (profile, bank, space, kind, number, coding) INCLUDE (signs)
);
TRUNCATE vector_blocks;
