"""What an import is going to write, collected while the store is only read.

Deciding what is new takes most of the time of an import, and none of it needs the store's writer.
What is decided is kept here as steps: `early` ones bring in conversations and facts nobody sees
yet, and may be kept a few at a time; `late` ones change what is seen, and are kept together at the
end.
"""

from collections.abc import Callable, Mapping, Sequence

from hermes.memory.portable.fact_numbers import put_facts
from hermes.store.base.portable import ARRIVING, KnownSession, Portable, Record, Section

Step = Callable[[Portable], None]
_EARLY = frozenset(
    (Section.BANKS, Section.ENTITIES, Section.BLOBS, Section.SESSIONS, Section.EPISODES)
)


class Outbox:
    """Reads what is in a store, and keeps what is to be written to it."""

    def __init__(self) -> None:
        self.here: Portable | None = None
        self.early: list[Step] = []
        self.late: list[Step] = []
        self.hidden: dict[str, int] = {}
        self.retracted: dict[int, int] = {}
        self.banks: list[str] = []
        self._sessions: set[str] = set()
        self._episodes: set[int] = set()
        self._late_messages: set[int] = set()
        self._blob: list[Record] = []

    def take_early(self) -> list[Step]:
        taken, self.early = self.early, []
        return taken

    def put_facts(self, records: Sequence[Record], *, is_fresh: bool) -> None:
        """Facts come in unseen, as if they had been forgotten at no time anybody forgot one."""
        told = {r["id"]: r["retracted_at"] for r in records if r.get("retracted_at") is not None}
        self.retracted |= told
        unseen = [record | {"retracted_at": ARRIVING} for record in records]
        self.early.append(lambda portable: put_facts(portable, unseen, is_fresh=is_fresh))

    def put(self, section: Section, records: Sequence[Record]) -> None:
        if section is Section.BLOBS:
            self._put_blobs(records)
        elif section is Section.MESSAGES:
            self._put_messages(records)
        elif section is Section.KEYS:
            self._put_keys(records)
        elif section in _EARLY:
            self._put_early(section, records)
        else:
            self.late.append(_put(section, list(records)))

    def link_entities(self, pairs: Sequence[tuple[int, int]]) -> None:
        self.late.append(lambda portable: portable.link_entities(pairs))

    def link_facts(self, pairs: Sequence[tuple[int, int]]) -> None:
        self.late.append(lambda portable: portable.link_facts(pairs))

    def add_contradictions(self, pairs: Sequence[tuple[int, int, int]]) -> None:
        self.late.append(lambda portable: portable.add_contradictions(pairs))

    def finish(self, extracted: Mapping[str, int], reflected: Mapping[str, int]) -> None:
        self.late.append(lambda portable: portable.finish(extracted, reflected))

    def find_session(self, session_id: str) -> KnownSession | None:
        return self._here.find_session(session_id)

    def list_session(self, session_id: str) -> list[Record]:
        return self._here.list_session(session_id)

    def find_bank(self, name: str) -> Record | None:
        return self._here.find_bank(name)

    def find_entity(self, bank: str, kind: str, key: str) -> int | None:
        return self._here.find_entity(bank, kind, key)

    def find_fact(self, bank: str, text: str, recorded_at: int) -> int | None:
        return self._here.find_fact(bank, text, recorded_at)

    def has_reflection(self, bank: str, task_type: str, lesson_key: str) -> bool:
        return self._here.has_reflection(bank, task_type, lesson_key)

    def has_event(self, content: str) -> bool:
        return self._here.has_event(content)

    def has_key(self, key: str) -> bool:
        return self._here.has_key(key)

    def has_held(self, record: Record) -> bool:
        return self._here.has_held(record)

    @property
    def _here(self) -> Portable:
        assert self.here is not None  # noqa: S101 (set for as long as anything is decided)
        return self.here

    def _put_early(self, section: Section, records: Sequence[Record]) -> None:
        given = list(records)
        if section is Section.BANKS:
            self.banks += [record["name"] for record in given]
        elif section is Section.SESSIONS:
            given = [self._as_arriving(record) for record in given]
        elif section is Section.EPISODES:
            coming = [r for r in given if r["session"] in self._sessions]
            self._episodes.update(record["id"] for record in coming)
            grown = [r for r in given if r["session"] not in self._sessions]
            if grown:
                self.late.append(_put(section, grown))
            given = coming
        if given:
            self.early.append(_put(section, given))

    def _as_arriving(self, record: Record) -> Record:
        self._sessions.add(record["id"])
        if "hidden_at" in record:
            self.hidden[record["id"]] = record["hidden_at"]
        return record | {"hidden_at": ARRIVING}

    def _put_blobs(self, records: Sequence[Record]) -> None:
        """A payload comes in whole: its parts may have been read in several batches."""
        for record in records:
            self._blob.append(record)
            if record["part"] == record["parts"] - 1:
                self.early.append(_put(Section.BLOBS, self._blob))
                self._blob = []

    def _put_messages(self, records: Sequence[Record]) -> None:
        """What a session that is here already gets is seen at once: so it comes last."""
        coming = [record for record in records if record["episode"] in self._episodes]
        grown = [record for record in records if record["episode"] not in self._episodes]
        if coming:
            self.early.append(_put(Section.MESSAGES, coming))
        if grown:
            self._late_messages.update(record["id"] for record in grown)
            self.late.append(_put(Section.MESSAGES, grown))

    def _put_keys(self, records: Sequence[Record]) -> None:
        late = [record for record in records if record["first"] in self._late_messages]
        early = [record for record in records if record["first"] not in self._late_messages]
        if early:
            self.early.append(_put(Section.KEYS, early))
        if late:
            self.late.append(_put(Section.KEYS, late))


def _put(section: Section, records: Sequence[Record]) -> Step:
    return lambda portable: portable.put(section, records)
