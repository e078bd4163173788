"""What every store promises of summaries: raw rows go and come back as they were."""

from dataclasses import replace

import pytest

from hermes.errors import Conflict, NotFound
from hermes.store.base import Store, Tx
from hermes.store.base.erase import TextKind
from hermes.store.base.summaries import NewSummary, Summary, SummaryPart
from hermes.store.base.texts import TextScope
from hermes.store.base.vectors import NewVector, VectorKind
from hermes.types import EpisodeState, Payload, Role, ToolCall, Trust, Turn, Utterance
from talk import NOW, at, keep, messages_of, turn

DAY = 86_400_000


def rich(session: str = "s1") -> list[Turn]:
    """Turns with all that a message can have."""
    first = turn("Lena starts on Atlas, a route planner", "What is Atlas?", session=session)
    tool = Utterance(Role.TOOL, "47 passed, 1 failed", call_id="c1", trust=Trust.LOW)
    image = Utterance(Role.USER, "see this", payloads=(Payload("image/png", b"\x89PNG" * 50),))
    call = Utterance(Role.ASSISTANT, "running", calls=(ToolCall("c1", "run_tests", "{}"),))
    second = replace(first, messages=(image, call, tool), task="tests")
    third = turn("ünïcode 会議 is at 9:30", "noted", session=session)
    return [at(NOW - 50 * DAY + n, each) for n, each in enumerate((first, second, third))]


def new_summary(store: Store, session: str = "s1", count: int = 2) -> NewSummary:
    """A summary of the first `count` raw episodes, in two parts."""
    episodes = store.read(lambda tx: tx.summaries.list_raw(session))[:count]
    ids = tuple(m.id for episode in episodes for m in episode.messages)
    parts = (
        SummaryPart(ids[0], ids[1], "Lena: Atlas route planner", Trust.MEDIUM),
        SummaryPart(ids[2], ids[-1], "tests 47 passed zanzibar", Trust.LOW),
    )
    return NewSummary(
        session_id=session,
        episode_ids=tuple(episode.id for episode in episodes),
        message_ids=ids,
        parts=parts,
        author="extractive",
        probes=3,
        found=3,
        made_at=NOW,
        purge_at=NOW + 30 * DAY,
    )


def compress(store: Store) -> Summary:
    new = new_summary(store)
    return store.write(lambda tx: tx.summaries.add(new))


def found(store: Store, word: str) -> list[int]:
    return store.read(lambda tx: tx.texts.postings(word, TextScope(), 100).ids)


def sums(store: Store) -> object:
    def read(tx: Tx) -> object:
        session = tx.conversations.find_session("s1")
        return session, tx.texts.size(TextScope()), tx.summaries.count_episodes()

    return store.read(read)


def payloads(store: Store) -> list[list[Payload]]:
    ids = [message.id for message in messages_of(store)]
    return store.read(lambda tx: [tx.conversations.list_payloads(i) for i in ids])


def archived(store: Store) -> list[str]:
    """What is said behind summaries."""
    rows = store.read(lambda tx: tx.erasures.list_texts(TextKind.ARCHIVE, after=0, limit=100))
    return [row.texts[0] for row in rows]


def test_a_summary_stands_where_the_raw_episodes_stood(any_store: Store) -> None:
    keep(any_store, *rich())
    before = messages_of(any_store)
    made = compress(any_store)
    after = messages_of(any_store)
    assert [m.text for m in after] == [
        *("Lena: Atlas route planner", "tests 47 passed zanzibar"),
        *("ünïcode 会議 is at 9:30", "noted"),
    ]
    assert [m.id for m in after[:2]] == [before[0].id, before[2].id]
    assert [m.at for m in after[:2]] == [before[0].at, before[2].at]
    assert [m.trust for m in after[:2]] == [Trust.MEDIUM, Trust.LOW]
    assert (made.episodes, made.messages, made.bank) == (2, 5, "default")
    assert found(any_store, "zanzibar") == [after[1].id]
    assert found(any_store, "running") == []
    states = any_store.read(lambda tx: tx.conversations.list_episodes("", limit=9))
    assert [e.state for e in states] == [EpisodeState.RAW, EpisodeState.COMPRESSED]
    counts = any_store.read(lambda tx: tx.summaries.count_episodes())
    assert (counts.raw, counts.compressed) == (1, 1)


def test_restoring_gives_back_everything(any_store: Store) -> None:
    keep(any_store, *rich())
    before = messages_of(any_store), sums(any_store), payloads(any_store)
    episodes = any_store.read(lambda tx: tx.summaries.list_raw("s1"))
    made = compress(any_store)
    assert messages_of(any_store) != before[0]
    any_store.write(lambda tx: tx.summaries.restore(made.id))
    assert (messages_of(any_store), sums(any_store), payloads(any_store)) == before
    assert any_store.read(lambda tx: tx.summaries.list_raw("s1")) == episodes
    assert found(any_store, "zanzibar") == []
    assert found(any_store, "planner") == [before[0][0].id]
    with pytest.raises(NotFound):
        any_store.write(lambda tx: tx.summaries.restore(made.id))


def test_what_changed_meanwhile_is_not_compressed(any_store: Store) -> None:
    keep(any_store, *rich())
    new = new_summary(any_store)
    any_store.write(lambda tx: tx.summaries.add(new))
    before = messages_of(any_store)
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.summaries.add(new))
    assert messages_of(any_store) == before


def test_a_purged_summary_stays_and_cannot_be_undone(any_store: Store) -> None:
    keep(any_store, *rich())
    made = compress(any_store)
    assert any_store.write(lambda tx: tx.summaries.purge(made.purge_at - 1, 10)) == []
    assert archived(any_store)[4] == "47 passed, 1 failed"
    gone = any_store.write(lambda tx: tx.summaries.purge(made.purge_at, 10))
    assert [each.id for each in gone] == [made.id]
    assert archived(any_store) == []
    assert len(messages_of(any_store)) == 4
    with pytest.raises(Conflict):
        any_store.write(lambda tx: tx.summaries.restore(made.id))


def test_what_was_said_after_compression_survives_the_way_back(any_store: Store) -> None:
    keep(any_store, *rich())
    new = new_summary(any_store, count=3)
    made = any_store.write(lambda tx: tx.summaries.add(new))
    keep(any_store, replace(turn("and one more thing"), continues=True))
    any_store.write(lambda tx: tx.summaries.restore(made.id))
    after = messages_of(any_store)
    assert after[-1].text == "and one more thing"
    assert after[-1].episode_id == after[-2].episode_id == new.episode_ids[-1]


def test_summaries_and_what_came_back_ask_for_vectors(any_store: Store) -> None:
    keep(any_store, *rich())

    def embed(tx: Tx) -> int:
        space = tx.vectors.ensure_space("test", "words", 8, NOW).id
        pending = tx.vectors.list_pending(space, 100)
        vectors = [NewVector(p.kind, p.item, p.bank, bytes(16)) for p in pending]
        tx.vectors.add(space, vectors)
        for each in pending:
            tx.vectors.pass_over(space, each.kind, [each.item])
        assert tx.vectors.count_pending(space) == 0
        return len([p for p in pending if p.kind is VectorKind.MESSAGE])

    assert any_store.write(embed) == 7
    made = compress(any_store)
    assert any_store.write(embed) == 2
    any_store.write(lambda tx: tx.summaries.restore(made.id))
    assert any_store.write(embed) == 5


def test_what_came_back_and_needs_no_vector_is_asked_for_once(any_store: Store) -> None:
    keep(any_store, *rich())
    made = compress(any_store)  # before anything was embedded

    def pass_all(tx: Tx) -> int:
        space = tx.vectors.ensure_space("test", "words", 8, NOW).id
        pending = tx.vectors.list_pending(space, 100)
        for kind in VectorKind:
            tx.vectors.pass_over(space, kind, [each.item for each in pending if each.kind is kind])
        assert tx.vectors.count_pending(space) == 0
        return len(pending)

    assert any_store.write(pass_all) > 0
    any_store.write(lambda tx: tx.summaries.restore(made.id))
    assert any_store.write(pass_all) > 0


def test_sessions_with_something_old_are_listed(any_store: Store) -> None:
    keep(any_store, *rich(), *rich("s2"), at(NOW, turn("new", session="s3")))

    def names(before_at: int, after: int = 0) -> list[str]:
        found = any_store.read(lambda tx: tx.summaries.list_sessions(before_at, after, 10))
        return [session.id for _, session in found]

    assert names(NOW - DAY) == ["s1", "s2"]
    assert names(NOW + 1) == ["s1", "s2", "s3"]
    first = any_store.read(lambda tx: tx.summaries.list_sessions(NOW, 0, 1))[0][0]
    assert names(NOW - DAY, first) == ["s2"]
    any_store.write(lambda tx: tx.conversations.hide_session("s1", NOW))
    assert names(NOW - DAY) == ["s2"]
    assert any_store.read(lambda tx: tx.summaries.newest_at()) == NOW


def test_vectors_are_numbered_anew_where_most_are_gone(any_store: Store) -> None:
    turns = [at(NOW - 50 * DAY + n, turn(f"word{n} said", f"word{n} heard")) for n in range(1_100)]
    keep(any_store, *turns)

    def embed(tx: Tx) -> int:
        space = tx.vectors.ensure_space("test", "words", 8, NOW)
        pending = tx.vectors.list_pending(space.id, 3_000)
        vectors = [NewVector(p.kind, p.item, p.bank, p.item.to_bytes(16)) for p in pending]
        tx.vectors.add(space.id, vectors)
        for each in pending:
            tx.vectors.pass_over(space.id, each.kind, [each.item])
        return space.id

    space = any_store.write(embed)
    assert any_store.write(lambda tx: tx.vectors.repack(space)) is None
    new = new_summary(any_store, count=1_050)
    any_store.write(lambda tx: tx.summaries.add(new))
    packed = any_store.write(lambda tx: tx.vectors.repack(space))
    assert packed is not None
    assert packed.id != space
    assert packed.current
    assert packed.next == 100
    rows = any_store.read(lambda tx: tx.vectors.list_rows(packed.id, 0, 200))
    assert [row.number for row in rows] == list(range(100))
    assert all(row.row == row.item.to_bytes(16) for row in rows)
    assert any_store.read(lambda tx: tx.vectors.list_spaces()) == [packed]
    assert any_store.read(lambda tx: tx.vectors.count_pending(packed.id)) == 2  # the summary's
