"""Facts kept under the numbers people know them by, where those were never given here."""

from collections.abc import Sequence
from itertools import count

from hermes.store.base.portable import Portable, Record, Section


def put_facts(portable: Portable, records: Sequence[Record], *, is_fresh: bool) -> None:
    """Keep new facts; into a fresh memory they come with the numbers they had."""
    portable.put(Section.FACTS, list(records) if is_fresh else _numbered(records, portable))


def _numbered(records: Sequence[Record], portable: Portable) -> list[Record]:
    given = portable.get_numbers()["fact_number"]
    kept = [record["number"] for record in records if record["number"] > given]
    if kept:
        portable.raise_numbers({"fact_number": max(kept)})
    known = len(records) - len(kept)
    new = count(portable.reserve("fact_number", known)) if known else count()
    return [r if r["number"] > given else r | {"number": next(new)} for r in records]
