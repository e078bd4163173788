"""An import into a memory that is in use: all or nothing, and nobody waits for long.

What is new is decided while the store is only read. Conversations and facts come in a few hundred
at a time, hidden, and one transaction lets all of it be seen; reflections come with it, and the
messages of sessions that are here already and grew. Cut short before that, nothing of it is to be
seen: the import goes on when it is run again, or is taken back by `abandon`. The lines of the log
follow, a few hundred at a time: they were checked before. Cut short among them the import goes on
as well.

One import is noted at a time. Whoever writes for it first looks whether the note is still the one
it wrote itself: another host may have taken the import back, or gone on with it.
"""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial

from hermes.errors import Conflict, UserError
from hermes.memory.erase.tombs import Graveyard
from hermes.memory.portable.arrival import Arrival, refuse
from hermes.memory.portable.carry import Advance, Terms, batches
from hermes.memory.portable.log import Log, append_lines
from hermes.memory.portable.merge import Merge, drop_erased_entities, note_dropped
from hermes.memory.portable.outbox import Outbox, Step
from hermes.memory.portable.reading import Head
from hermes.memory.portable.report import Report
from hermes.store.base import Store, Tx
from hermes.store.base.portable import NUMBERS, Record, Section, Stage

SLICE = 300  # records decided, and messages kept, at once: some 30 ms of the writer
BLOB_PARTS = 4
REMOVED_AT_ONCE = 200
_NUMBERED = ("episode", "message", "fact", "entity")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is noted of an import under way: whose it is, its numbers, and how many batches are
    kept.

    `bases` is what is added to the numbers of the file, `last` the highest of each kind in it.
    `is_undone` from when it begins to be taken back: it cannot go on then. `is_shown` from when it
    is seen: only lines of the log are missing then.
    """

    name: str
    is_fresh: bool
    is_untrusted: bool = False
    bases: Mapping[str, int] = field(default_factory=dict)
    last: Mapping[str, int] = field(default_factory=dict)
    banks: Sequence[str] = ()
    done: int = 0
    is_undone: bool = False
    is_shown: bool = False

    @property
    def spans(self) -> dict[str, tuple[int, int]]:
        """The numbers that belong to this import, by kind."""
        return {
            name: (base + 1, base + self.last.get(name, 0)) for name, base in self.bases.items()
        }


def find_plan(tx: Tx) -> Plan | None:
    """The import that is under way, or was cut short."""
    noted = tx.portable.load_arrival()
    return Plan(**json.loads(noted)) if noted else None


def _render(plan: Plan) -> str:
    return json.dumps(asdict(plan))


class Arriving:
    """One import; `name` tells files apart, `at_once` is how many records are kept in a step."""

    def __init__(
        self,
        store: Store,
        stage: Stage,
        head: Head,
        terms: Terms,
        *,
        name: str,
        at_once: int = SLICE,
    ) -> None:
        self._store = store
        self._stage = stage
        self._head = head
        self._terms = terms
        self._at_once = at_once
        self._outbox = Outbox()
        self._yard: Graveyard = store.read(terms.yard)
        self._stones = store.read(lambda tx: tx.erasures.list_tombstones())
        self._plan = self._open(name)
        arrival = Arrival(
            self._outbox,
            self._yard,
            self._plan.is_fresh,
            renumber=self._renumber,
            put_facts=partial(self._outbox.put_facts, is_fresh=self._plan.is_fresh),
            is_untrusted=terms.is_untrusted,
        )
        self._merge = Merge(arrival)
        self._batches = 0

    def bring_in(self, advance: Advance) -> Report:
        """All of it; an import that cannot be finished is taken back."""
        try:
            if not self._plan.is_shown:
                self._decide(advance)
            report = self._rehearse() if self._terms.is_dry else self._finish(advance)
        except (UserError, Conflict):
            if self._is_noted and not self._terms.is_dry and not self._plan.is_shown:
                own = _render(self._plan)
                abandon(self._store, lambda plan: _render(plan) == own)
            raise
        report.sections = {**self._merge.report.sections, **report.sections}
        return report

    def _open(self, name: str) -> Plan:
        """The plan that was begun for this file, or a new one, which is noted when it is needed."""
        begun = self._store.read(find_plan)
        self._is_noted = begun is not None
        if begun is None or (self._terms.is_dry and begun.name != name):
            fresh = self._store.read(lambda tx: tx.portable.is_empty())
            return Plan(name, fresh, self._terms.is_untrusted, last=dict(self._head.numbers))
        if begun.name != name or begun.is_untrusted != self._terms.is_untrusted:
            raise _in_the_way()
        if begun.is_undone and not self._terms.is_dry:
            raise Conflict(
                "This import was being taken back.",
                "Finish that with `hermes memory import --undo`, and import anew.",
            )
        return begun

    def _decide(self, advance: Advance) -> None:
        for section in Section:
            if section is Section.EVENTS:
                continue
            size = BLOB_PARTS if section is Section.BLOBS else self._at_once
            for records in batches(self._stage, section, size):
                self._reading(partial(self._merge.add, section, records))
                self._keep_early()
                advance("keeping", len(records))
        self._reading(self._merge.finish)

    def _reading(self, decide: Callable[[], None]) -> None:
        def read(tx: Tx) -> None:
            self._outbox.here = tx.portable
            decide()

        self._store.read(read)

    def _keep_early(self) -> None:
        """Keep what nobody sees yet; what an earlier attempt kept is passed over."""
        steps = self._outbox.take_early()
        self._batches += 1  # whether or not it holds anything: what is there already is passed over
        if not steps or self._terms.is_dry or self._batches <= self._plan.done:
            return
        self._note()
        banks = tuple(dict.fromkeys((*self._plan.banks, *self._outbox.banks)))
        plan = replace(self._plan, done=self._batches, banks=banks)
        self._store.write(partial(self._keep, steps=steps, plan=plan))
        self._plan = plan

    def _keep(self, tx: Tx, *, steps: Sequence[Step], plan: Plan) -> None:
        self._expect_own(tx)
        for step in steps:
            step(tx.portable)
        tx.portable.settle()
        tx.portable.save_arrival(_render(plan))

    def _expect_own(self, tx: Tx) -> None:
        """Nothing is written for an import that is not, or no longer, the one that is noted."""
        if not self._is_noted:
            if find_plan(tx) is not None:
                raise _in_the_way()
        elif not _is_noted(tx, self._plan):
            raise Conflict(
                "This import was taken back, or gone on with, by someone else.",
                "Run it again unless the other one is still under way.",
            )

    def _note(self) -> None:
        """Say that an import is under way; what comes into a fresh memory keeps its numbers."""
        if self._is_noted:
            return

        def begin(tx: Tx) -> Plan:
            self._expect_own(tx)
            if self._plan.is_fresh and not tx.portable.is_empty():
                raise Conflict(
                    "Something was kept while the file was read.", "Run the import again."
                )
            plan = self._plan
            if plan.is_fresh:
                tx.portable.raise_numbers(self._head.numbers)
                plan = replace(plan, bases=dict.fromkeys(_NUMBERED, 0))
            tx.portable.save_arrival(_render(plan))
            return plan

        self._plan = self._store.write(begin)
        self._is_noted = True

    def _renumber(self, name: str, old: int) -> int:
        if old > self._head.numbers.get(name, 0):
            refuse(f"{name} {old} is beyond the last number it names")
        if not self._plan.bases and not self._terms.is_dry:
            self._note()
            self._plan = self._store.write(self._reserve)
        return self._plan.bases.get(name, 0) + old

    def _reserve(self, tx: Tx) -> Plan:
        """Let nobody else have the numbers of this import: the same are found when it goes on."""
        self._expect_own(tx)
        last = self._plan.last
        bases = {name: tx.portable.reserve(name, last.get(name, 0)) - 1 for name in _NUMBERED}
        plan = replace(self._plan, bases=bases)
        tx.portable.save_arrival(_render(plan))
        return plan

    def _finish(self, advance: Advance) -> Report:
        """What is seen changes all at once; the log follows."""
        if self._plan.is_fresh:
            self._note()
        log, lines = self._sift()
        report = Report(dict(log.report.sections))
        if not self._plan.is_shown:
            shown = replace(self._plan, is_shown=True)
            change = partial(self._show, sifted=log, shown=shown)
            report.sections |= self._store.write(change).sections
            self._plan, self._is_noted = shown, True
        for start in range(0, len(lines), self._at_once):
            some = lines[start : start + self._at_once]
            self._store.write(partial(self._append, some, log.blank))
            advance("keeping", len(some))
        self._store.write(self._end)
        return report

    def _show(self, tx: Tx, *, sifted: Log, shown: Plan) -> Report:
        self._expect_own(tx)
        is_fresh = self._plan.is_fresh and not tx.events.head().count
        if tx.erasures.list_tombstones() != self._stones or is_fresh != sifted.is_fresh:
            raise Conflict(
                "Something was erased or logged while the file was brought in.",
                "Run the import again.",
            )
        for step in self._outbox.late:
            step(tx.portable)
        if self._plan.is_fresh:
            tx.portable.raise_numbers(self._head.numbers)
        report = Report()
        if self._yard:
            entities = self._merge.report.of(Section.ENTITIES)
            report.sections[Section.ENTITIES] = replace(entities)
            drop_erased_entities(tx, self._yard, report)
        tx.portable.show_facts(self._plan.spans.get("fact", (1, 0)), self._outbox.retracted)
        tx.portable.show_arrived(self._outbox.hidden)
        tx.portable.save_arrival(_render(shown))
        return report

    def _append(self, lines: Sequence[Record], blank: Collection[int], tx: Tx) -> None:
        self._expect_own(tx)
        append_lines(tx, lines, blank, now=self._terms.now)

    def _end(self, tx: Tx) -> None:
        self._expect_own(tx)
        tx.portable.save_arrival("")

    def _rehearse(self) -> Report:
        """What the log would get, and which entities would go again; nothing is written."""
        note_dropped(self._merge.report, self._merge.count_dropped())
        return self._sift()[0].report

    def _sift(self) -> tuple[Log, list[Record]]:
        """The lines of the log that are new here, each found to be what was written."""

        def read(tx: Tx) -> tuple[Log, list[Record]]:
            self._outbox.here = tx.portable
            log = Log(tx, self._yard, self._outbox, is_fresh=self._plan.is_fresh)
            found = (log.sift(records) for records in batches(self._stage, Section.EVENTS))
            return log, [record for records in found for record in records]

        return self._store.read(read)


def abandon(store: Store, is_meant: Callable[[Plan], bool] = lambda _: True) -> int:
    """Take back what an unfinished import brought in; how many messages that was.

    An import that is not meant is left alone, whenever it was begun.
    """
    plan = store.write(partial(_begin_undo, is_meant=is_meant))
    if plan is None:
        return 0
    while store.write(partial(_take_facts_back, plan=plan)):
        pass
    removed = 0
    while gone := store.write(partial(_take_back, plan=plan)):
        removed += gone
    store.write(partial(_drop, plan=plan))
    return removed


def _begin_undo(tx: Tx, *, is_meant: Callable[[Plan], bool]) -> Plan | None:
    """Note it first: whoever still brings the import in must not finish what is half gone."""
    plan = find_plan(tx)
    if plan is None or not is_meant(plan):
        return None
    if plan.is_shown:
        raise Conflict(
            "The import has come in: only lines of the log are missing.",
            "Run it again to bring these in.",
        )
    plan = replace(plan, is_undone=True)
    tx.portable.save_arrival(_render(plan))
    return plan


def _take_back(tx: Tx, *, plan: Plan) -> int:
    if not _is_noted(tx, plan):
        return 0
    ids = tx.portable.list_arriving(REMOVED_AT_ONCE)
    if ids:
        tx.erasures.remove_messages(ids)
    return len(ids)


def _take_facts_back(tx: Tx, *, plan: Plan) -> int:
    if not _is_noted(tx, plan):
        return 0
    facts = tx.portable.list_arriving_facts(REMOVED_AT_ONCE)
    if facts:
        tx.erasures.remove_facts(facts, now=0)
    return len(facts)


def _drop(tx: Tx, *, plan: Plan) -> None:
    if not _is_noted(tx, plan):
        return
    tx.portable.drop_arrival(plan.spans, plan.banks)
    if plan.is_fresh and _is_as_left(tx, plan):
        tx.portable.reset_numbers()
    tx.portable.save_arrival("")


def _is_noted(tx: Tx, plan: Plan) -> bool:
    noted = find_plan(tx)
    return noted is not None and _render(noted) == _render(plan)


def _in_the_way() -> Conflict:
    return Conflict(
        "Another import is under way, or was cut short.",
        "Run that one again to finish it, or `hermes memory import --undo`.",
    )


def _is_as_left(tx: Tx, plan: Plan) -> bool:
    """Whether nothing else was numbered since, so that a fresh memory may be fresh again."""
    counted = tx.portable.get_numbers()
    return all(counted[name] <= plan.last.get(name, 0) for name in NUMBERS)
