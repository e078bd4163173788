"""What every store promises of erasing what was compressed: messages go one by one, not with their
conversation, and what is shown before is what goes.
"""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from test_erase_contract import found, scan

from hermes.clock import DAY_MS, FixedClock
from hermes.errors import Conflict, NotFound
from hermes.memory.compress.drafts import ExtractiveSummariser
from hermes.memory.compress.run import compress_old
from hermes.memory.erase.apply import apply_plan, finish
from hermes.memory.erase.plan import Plan, make_plan, parse_target
from hermes.memory.erase.returned import reapply
from hermes.memory.erase.tombs import Graveyard, Marker
from hermes.memory.facts.clauses.reader import RuleExtractor
from hermes.memory.facts.extraction import RuleReader, extract_session
from hermes.memory.payloads import KEEPSAKES
from hermes.store.base import FactFilter, Store, Tx
from hermes.store.base.erase import TextKind, Tombstone
from hermes.types import Payload, Turn
from talk import NOW, at, keep, messages_of, texts_of, turn

LATER = NOW + 40 * DAY_MS
MARKER = Marker(b"a secret of this test")
SAID = (
    "My name is Ines Duarte and I live in Porto.",
    "Nice to meet you, Ines.",
    "The zanzibar account has the number 4471 at Banco Real.",
    "Noted: account 4471 at Banco Real.",
    "We decided to ship Bluebird on 2025-11-20 with Marek and Ewa.",
    "Bluebird ships on 2025-11-20.",
    "The depot in Gdansk has 30 barrels of herring since Monday.",
    "30 barrels in Gdansk, noted.",
    "Marek moved to the Lisbon office in October 2025.",
    "Good to know that Marek is in Lisbon.",
)


def compressed(store: Store, *turns: Turn) -> list[int]:
    """A talk, read for facts and compressed; the numbers its messages had."""
    keep(store, *(turns or (at(NOW, turn(*SAID)),)))
    extract_session(store, "s1", RuleReader(RuleExtractor()), FixedClock(NOW))
    keep(store, at(LATER, turn("still here", session="later")), now=LATER)
    before = [message.id for message in messages_of(store)]
    squeeze(store)
    assert len(messages_of(store)) < len(before) / 2
    return before


def squeeze(store: Store, now: int = LATER) -> None:
    run = compress_old(store, now, ExtractiveSummariser(), trust_clock=True)
    assert len(run.summaries) == 1


def planned(store: Store, *targets: str, matching: Sequence[str] = ()) -> Plan:
    wanted = [parse_target(text) for text in targets]
    return store.read(lambda tx: make_plan(tx, wanted, matching))


def erase(store: Store, plan: Plan, stones: list[Tombstone] | None = None) -> dict[str, int]:
    def remember(made: Sequence[Tombstone]) -> None:
        if stones is not None:
            stones.extend(made)

    counts = store.write(lambda tx: apply_plan(tx, plan, MARKER, remember, now=LATER))
    assert finish(store, now=LATER, say=lambda _: None)
    assert all(finding.level == "ok" for finding in store.check())
    return counts


def facts(store: Store) -> list[str]:
    return [each.text for each in store.read(lambda tx: tx.facts.list(FactFilter(), 100))]


def archived(store: Store) -> list[str]:
    rows = store.read(lambda tx: tx.erasures.list_texts(TextKind.ARCHIVE, after=0, limit=100))
    return [row.texts[0] for row in rows]


def test_only_the_message_that_holds_the_words_goes(any_store: Store) -> None:
    numbers = compressed(any_store)
    believed = facts(any_store)
    assert "zanzibar" in " ".join(archived(any_store))
    plan = planned(any_store, matching=["Zanzibar account"])
    assert plan.ids(TextKind.MESSAGE) == [numbers[2]]
    assert [row.texts[0] for row in plan.messages.values()] == [SAID[2]]
    assert len(plan.put_back) == 1
    counts = erase(any_store, plan)
    assert counts["messages"] == 1
    assert counts.get("facts", 0) == len(plan.ids(TextKind.FACT))
    assert texts_of(any_store) == [*SAID[:2], *SAID[3:]]
    assert [m.id for m in messages_of(any_store)] == [*numbers[:2], *numbers[3:]]
    assert scan(any_store, "zanzibar").found == ()
    assert found(any_store, "zanzibar") == []
    assert archived(any_store) == []
    assert found(any_store, "herring") == [numbers[6]]
    gone = [text for text in believed if text not in facts(any_store)]
    assert len(gone) == counts.get("facts", 0)


def test_a_fact_goes_with_the_archived_message_it_rests_on(any_store: Store) -> None:
    compressed(any_store)
    assert any("Porto" in text for text in facts(any_store))
    plan = planned(any_store, matching=["Ines Duarte and I live"])
    doomed = [row.texts[0] for row in plan.rows[TextKind.FACT].values()]
    assert any("Porto" in text for text in doomed)
    erase(any_store, plan)
    assert not any("Porto" in text for text in facts(any_store))
    assert texts_of(any_store) == list(SAID[1:])


def test_what_stays_is_compressed_anew(any_store: Store) -> None:
    compressed(any_store)
    erase(any_store, planned(any_store, matching=["zanzibar"]))
    squeeze(any_store, LATER + DAY_MS)
    said = " ".join(texts_of(any_store))
    assert "Gdansk" in said
    assert "zanzibar" not in said
    assert scan(any_store, "zanzibar").found == ()


def test_a_message_behind_a_summary_is_erased_by_its_number(any_store: Store) -> None:
    numbers = compressed(any_store)
    plan = planned(any_store, f"message:{numbers[6]}")
    assert plan.ids(TextKind.MESSAGE) == [numbers[6]]
    erase(any_store, plan)
    assert texts_of(any_store) == [*SAID[:6], *SAID[7:]]
    with pytest.raises(NotFound):
        planned(any_store, f"message:{numbers[6]}")


def test_a_part_of_a_summary_takes_all_it_stands_for(any_store: Store) -> None:
    numbers = compressed(any_store)
    parts = [message.id for message in messages_of(any_store)]
    plan = planned(any_store, f"message:{parts[0]}")
    end = numbers.index(parts[1]) if len(parts) > 1 else len(numbers)
    assert plan.ids(TextKind.MESSAGE) == numbers[:end]
    erase(any_store, plan)
    assert texts_of(any_store) == list(SAID[end:])


def test_a_session_goes_with_all_that_is_behind_its_summaries(any_store: Store) -> None:
    numbers = compressed(any_store)
    keep(any_store, at(LATER, turn("one more thing", "fine")), now=LATER)
    plan = planned(any_store, "session:s1")
    assert len(plan.ids(TextKind.MESSAGE)) == len(numbers) + 2
    counts = erase(any_store, plan)
    assert (counts["messages"], counts["sessions"]) == (len(numbers) + 2, 1)
    assert any_store.read(lambda tx: tx.conversations.find_session("s1")) is None
    assert scan(any_store, "herring").found == ()
    assert texts_of(any_store, "later") == ["still here"]


def test_once_the_raw_messages_are_gone_the_part_goes(any_store: Store) -> None:
    compressed(any_store)
    any_store.write(lambda tx: tx.summaries.purge(LATER + 99 * DAY_MS, 10))
    plan = planned(any_store, matching=["zanzibar"])
    assert plan.put_back == set()
    assert plan.whole == set(plan.messages)  # so that whoever erases is told
    assert plan.whole
    erase(any_store, plan)
    assert scan(any_store, "zanzibar").found == ()


def test_what_is_compressed_between_plan_and_erasure_is_put_back(any_store: Store) -> None:
    numbers = compressed(any_store)
    first = any_store.read(lambda tx: tx.summaries.list())[0]
    any_store.write(lambda tx: tx.summaries.restore(first.id))
    plan = planned(any_store, matching=["zanzibar"])
    assert plan.put_back == set()
    squeeze(any_store)
    erase(any_store, plan)
    assert [m.id for m in messages_of(any_store)] == [*numbers[:2], *numbers[3:]]
    assert scan(any_store, "zanzibar").found == ()


def test_what_is_undone_between_plan_and_erasure_is_no_matter(any_store: Store) -> None:
    numbers = compressed(any_store)
    plan = planned(any_store, matching=["zanzibar"])
    any_store.write(lambda tx: [tx.summaries.restore(number) for number in plan.put_back])
    erase(any_store, plan)
    assert [m.id for m in messages_of(any_store)] == [*numbers[:2], *numbers[3:]]


def test_raw_messages_dropped_between_plan_and_erasure_stop_it(any_store: Store) -> None:
    compressed(any_store)
    plan = planned(any_store, matching=["zanzibar"])
    any_store.write(lambda tx: tx.summaries.purge(LATER + 99 * DAY_MS, 10))
    before = texts_of(any_store)
    with pytest.raises(Conflict):
        any_store.write(lambda tx: apply_plan(tx, plan, MARKER, lambda _: None, now=LATER))
    assert texts_of(any_store) == before
    assert any_store.read(lambda tx: tx.erasures.list_tombstones()) == []


def test_an_older_state_loses_the_message_and_nothing_else(any_store: Store) -> None:
    numbers = compressed(any_store)
    stones: list[Tombstone] = []

    class Undone(Exception):
        """Nothing of the erasure is kept: the store is as an older backup has it."""

    def erase_and_forget(tx: Tx) -> None:
        plan = make_plan(tx, [parse_target(f"message:{numbers[6]}")], ())
        apply_plan(tx, plan, MARKER, stones.extend, now=LATER)
        raise Undone

    with pytest.raises(Undone):
        any_store.write(erase_and_forget)
    assert len(texts_of(any_store)) < len(SAID)
    returned = reapply(any_store, Graveyard(MARKER, stones), stones, now=LATER)
    assert returned.counts["messages"] == 1
    assert texts_of(any_store) == [*SAID[:6], *SAID[7:]]
    assert scan(any_store, "barrels of herring").found == ()


def test_a_prompt_frozen_with_an_archived_message_goes(any_store: Store) -> None:
    frozen = Payload(KEEPSAKES[0], b"You know that the zanzibar account exists")
    picture = Payload("image/png", b"\x89PNG" * 50)
    given = at(NOW, turn(*SAID))
    first = replace(given.messages[0], payloads=(frozen, picture))
    numbers = compressed(any_store, replace(given, messages=(first, *given.messages[1:])))
    erase(any_store, planned(any_store, matching=["something else"]))
    summary = any_store.read(lambda tx: tx.summaries.list())[0]
    any_store.write(lambda tx: tx.summaries.restore(summary.id))
    kept = any_store.read(lambda tx: tx.conversations.list_payloads(numbers[0]))
    assert kept == [picture]
