"""Where words stand among the messages of an outline, the newest of them first to be found.

A store lists the newest messages that hold a word, up to one of them. Of a bank as it stood that is
what was there, as long as ids and times rise together. Where something old was recorded late, what
came between is listed as well, and would crowd out what was there: so more is asked for.
"""

from collections.abc import Sequence
from dataclasses import replace

from hermes.memory.recall.outline import Outline
from hermes.store.base import Tx
from hermes.store.base.recall import WordPostings

WIDER = 4  # times as many are asked for while too few of those listed are in the outline


def list_postings(
    tx: Tx, outline: Outline, words: Sequence[str], bank: str, limit: int
) -> list[WordPostings]:
    """The newest `limit` messages of an outline that hold each word, as if there were no others."""
    up_to = outline.last_id
    found = tx.recall.postings(words, bank, limit, up_to=up_to) if words else []
    if not outline.has_gaps:
        return found
    listed = {each.word: each for each in found}
    asked = limit
    while short := [e.word for e in found if not (e.complete or _count(outline, e) >= limit)]:
        asked *= WIDER
        found = tx.recall.postings(short, bank, asked, up_to=up_to)
        listed |= {each.word: each for each in found}
    return [_among(outline, listed[word], limit) for word in words]


def _count(outline: Outline, postings: WordPostings) -> int:
    return len(outline.find_known(postings.ids))


def _among(outline: Outline, postings: WordPostings, limit: int) -> WordPostings:
    known = outline.take("ids", outline.find_known(postings.ids))
    return replace(postings, ids=known[-limit:], complete=len(known) < limit)
