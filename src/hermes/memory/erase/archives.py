"""Messages behind summaries: found in the archive, and erased one by one once they are put back.

As long as a summary has its archive, what it repeats is erased from the raw messages: the summary
goes, they come back, those that are to go do, and the others are compressed anew another day. Once
the archive was dropped, a summary is all there is of them.
"""

from collections.abc import Collection, Iterator, Mapping

from hermes.counted import many
from hermes.errors import Conflict, NotFound
from hermes.memory.erase.texts import find_passage, get_passage, iter_texts
from hermes.memory.events import add_event
from hermes.store.base import Tx
from hermes.store.base.erase import Passage, TextKind
from hermes.store.base.summaries import Summary
from hermes.types import EventKind

ALL = 1 << 40


def list_meant(tx: Tx, number: int) -> list[Passage]:
    """The messages a number stands for: one, or all that a part of a summary took the place of."""
    summary = tx.summaries.find_of_message(number)
    if summary is not None and summary.archive_bytes:
        return _by_part(tx, summary.id)[number]
    row = find_passage(tx, TextKind.MESSAGE, number)
    if row is not None:
        return [row]
    for passage in iter_texts(tx, TextKind.ARCHIVE):
        if passage.id == number:
            return [passage]
    raise NotFound(f"There is no message:{number}.", "It may have been erased before.")


def list_of_session(tx: Tx, session_id: str) -> list[Passage]:
    """Every message of a session, those behind summaries in place of these."""
    archived = [
        passage
        for summary in _list_undoable(tx, session_id)
        for passage in list_archived(tx, summary.id)
    ]
    numbers = tx.erasures.list_messages_of(session_id)
    replaced = tx.summaries.find_parts([passage.id for passage in archived])
    kept = (number for number in numbers if number not in replaced)
    return [*archived, *(get_passage(tx, TextKind.MESSAGE, number) for number in kept)]


def list_archived(tx: Tx, summary: int) -> list[Passage]:
    """The raw messages behind a summary; none once they were dropped."""
    found = tx.erasures.list_texts(TextKind.ARCHIVE, after=summary - 1, limit=1)
    return [passage for passage in found if passage.behind == summary]


def take_parts(tx: Tx, rows: dict[int, Passage]) -> set[int]:
    """The summaries that messages to be erased are behind or part of; the parts are taken out of
    `rows`, since what they repeat is erased from the raw messages.
    """
    touched = {row.behind for row in rows.values() if row.behind}
    for part in tx.summaries.find_parts([row.id for row in rows.values() if not row.behind]):
        summary = tx.summaries.find_of_message(part)
        if summary is not None and summary.archive_bytes:
            touched.add(summary.id)
            del rows[part]
    return touched


def find_standing(tx: Tx, rows: Mapping[int, Passage]) -> set[int]:
    """The summaries that stand for some of these messages by now."""
    sessions = sorted({row.where for row in rows.values()})
    return {
        summary.id
        for session in sessions
        for summary in _list_undoable(tx, session)
        if any(passage.id in rows for passage in list_archived(tx, summary.id))
    }


def list_repeating(
    tx: Tx, summaries: Collection[int], gone: Mapping[int, Passage]
) -> Iterator[Passage]:
    """The parts of summaries that stand for a message that goes."""
    for summary in sorted(summaries):
        for part, passages in _by_part(tx, summary).items():
            if any(passage.id in gone for passage in passages):
                yield get_passage(tx, TextKind.MESSAGE, part)


def put_back(tx: Tx, summaries: Collection[int], *, now: int) -> None:
    """Have raw messages again where summaries were; one that was undone since is no matter."""
    found = [tx.summaries.find(number) for number in sorted(summaries)]
    there = [summary for summary in found if summary is not None]
    for summary in there:
        if not summary.archive_bytes:
            raise Conflict(
                f"The raw messages of summary {summary.id} were dropped meanwhile.",
                "Nothing was erased. Run it again: it takes the summary as it is now.",
            )
        parts = tx.summaries.find_parts([row.id for row in list_archived(tx, summary.id)])
        said = [get_passage(tx, TextKind.MESSAGE, part).texts[0] for part in sorted(parts)]
        tx.erasures.note_removed(said)
        tx.summaries.restore(summary.id)
    if there:
        episodes = sum(summary.episodes for summary in there)
        of = f"{many(episodes, 'episode')} of {many(len(there), 'summary')}"
        told = f"Put back {of}, to erase from them"
        details = {"summaries": [summary.id for summary in there]}
        ref = f"summary:{there[0].id}"
        add_event(tx, EventKind.MEMORY, told, now=now, details=details, ref=ref)


def _list_undoable(tx: Tx, session_id: str) -> list[Summary]:
    found = tx.summaries.list(session_id=session_id, limit=ALL)
    return [summary for summary in found if summary.archive_bytes]


def _by_part(tx: Tx, summary: int) -> dict[int, list[Passage]]:
    """The raw messages behind a summary, by the part that stands for them."""
    passages = list_archived(tx, summary)
    parts = tx.summaries.find_parts([passage.id for passage in passages])
    held: dict[int, list[Passage]] = {}
    part = 0
    for passage in passages:
        part = passage.id if passage.id in parts else part
        held.setdefault(part, []).append(passage)
    return held
