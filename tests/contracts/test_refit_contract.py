"""What every store promises when its dictionary no longer suits: texts stay, and take less room."""

from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.compress.run import undo
from hermes.store.base import Store, Tx
from hermes.store.base.summaries import NewSummary, Summary, SummaryPart
from hermes.store.base.tidying import Watch
from hermes.store.codec import DICTIONARY_BYTES, PLAIN, SAMPLES, fitting_bytes, is_misfit
from hermes.types import Trust
from talk import NOW, keep, texts_of, turn

DAY = 86_400_000


def line(n: int) -> str:
    return f"note {n}: the ferry of day {n * 7919 % 365} left pier {n % 13} with {n * 31} crates"


def fill(store: Store) -> None:
    keep(store, *(turn(line(n), session=f"s{n // 60}") for n in range(SAMPLES + 200)))
    keep(store, turn(line(SAMPLES + 200)))  # learns from those before it


def compress_some(store: Store, sessions: int = 10) -> list[int]:
    """Put one line in the place of each of the first sessions; the numbers of their summaries."""
    return [store.write(partial(compress, session=f"s{n}")).id for n in range(sessions)]


def compress(tx: Tx, *, session: str) -> Summary:
    episodes = tx.summaries.list_raw(session)
    ids = tuple(message.id for episode in episodes for message in episode.messages)
    new = NewSummary(
        session_id=session,
        episode_ids=tuple(episode.id for episode in episodes),
        message_ids=ids,
        parts=(SummaryPart(ids[0], ids[-1], f"{line(ids[0])}; and more", Trust.LOW),),
        author="extractive",
        probes=1,
        found=1,
        made_at=NOW,
        purge_at=NOW + 30 * DAY,
    )
    return tx.summaries.add(new)


def dictionaries(store: Store) -> list[tuple[int, int]]:
    """Number and size of each, newest last."""

    def read(tx: object) -> list[tuple[int, int]]:
        sql = "SELECT id, length(content) FROM dictionaries ORDER BY id"
        return [(int(n), int(size)) for n, size in tx.connection.execute(sql)]  # type: ignore[attr-defined]

    return store.read(read)


def test_after_compression_a_smaller_dictionary_takes_over(any_store: Store) -> None:
    fill(any_store)
    ((first, large),) = dictionaries(any_store)
    raw = texts_of(any_store)
    made = compress_some(any_store)
    before = texts_of(any_store)
    any_store.tidy(Watch())
    ((number, size),) = dictionaries(any_store)
    assert number > first  # a number is never used twice
    assert size < large / 4
    assert texts_of(any_store) == before
    assert all(finding.level == "ok" for finding in any_store.check())
    undo(any_store, NOW, made)
    assert sorted(texts_of(any_store)) == sorted(raw)


def test_cut_short_it_goes_on_the_next_time(any_store: Store) -> None:
    fill(any_store)
    compress_some(any_store)
    before = texts_of(any_store)
    steps: list[str] = []
    any_store.tidy(Watch(is_stopped=lambda: bool(steps), on_step=steps.append))
    assert len(dictionaries(any_store)) == 2
    assert texts_of(any_store) == before
    any_store.tidy(Watch())
    assert len(dictionaries(any_store)) == 1
    assert texts_of(any_store) == before


def test_one_that_suits_stays(any_store: Store) -> None:
    fill(any_store)
    compress_some(any_store)
    any_store.tidy(Watch())
    suits = dictionaries(any_store)
    any_store.tidy(Watch())
    assert dictionaries(any_store) == suits


def test_of_little_that_is_left_nothing_is_learnt(any_store: Store) -> None:
    fill(any_store)
    compress_some(any_store, 18)
    before = texts_of(any_store)
    any_store.tidy(Watch())
    ((_, size),) = dictionaries(any_store)
    assert size == len(PLAIN)
    any_store.tidy(Watch())
    assert len(dictionaries(any_store)) == 1
    assert texts_of(any_store) == before


@given(st.integers(0, 10**9))
def test_one_of_the_fitting_size_always_suits(chars: int) -> None:
    assert not is_misfit(fitting_bytes(chars), chars)
    assert fitting_bytes(chars) <= DICTIONARY_BYTES
