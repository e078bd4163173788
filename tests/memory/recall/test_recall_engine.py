"""Recall end to end over a real store: what is found, what is left out, and what is said of it."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from fixed_embedder import WordEmbedder
from hermes.clock import DAY_MS, FixedClock
from hermes.errors import Unavailable, UserError
from hermes.memory.indexing import index_pending
from hermes.memory.recall.engine import Engine, RecallOptions
from hermes.memory.recall.result import Rung
from hermes.memory.record import record_turns
from hermes.store.base import Store
from hermes.store.vectors.coding import Floats
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance

FILLER = [
    "the weather is nice again today",
    "we had soup for lunch and it was fine",
    "traffic was slow on the way to the office",
    "the printer is out of paper once more",
    "someone left the window open all night",
    "the report is nearly done I think",
]


def say(
    store: Store,
    clock: FixedClock,
    session: str,
    *said: str | tuple[str, str],
    bank: str = "default",
    at: int | None = None,
    role: Role = Role.USER,
) -> list[int]:
    """Record messages, each a turn, a minute apart; a pair is (speaker, text)."""
    start = clock.now() - DAY_MS if at is None else at
    pairs = [("", each) if isinstance(each, str) else each for each in said]
    turns = [
        Turn(
            NewSession(id=session, bank=bank),
            (Utterance(role, text, start + place * 60_000, speaker),),
        )
        for place, (speaker, text) in enumerate(pairs)
    ]
    return [i for each in record_turns(store, turns, clock.now()) for i in each.message_ids]


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def engine(store: Store, clock: FixedClock, embedder: WordEmbedder) -> Iterator[Engine]:
    opened = Engine(store, clock, embedder=embedder)
    yield opened
    opened.close()


def index(store: Store, clock: FixedClock, embedder: WordEmbedder) -> None:
    index_pending(store, embedder, clock)


def texts(engine: Engine, query: str, bank: str = "default", limit: int = 3) -> list[str]:
    items, _ = engine.search(query, bank=bank, limit=limit)
    return [item.text for item in items]


def test_an_empty_bank_gives_nothing(engine: Engine) -> None:
    recall = engine.recall("what did I say?", bank="default")
    assert recall.items == ()
    assert recall.context() == ""


def test_one_message_is_found(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", "my sister lives in Lisbon")
    index(store, clock, embedder)
    assert texts(engine, "where does my sister live?") == ["my sister lives in Lisbon"]


def test_words_find_before_there_are_vectors(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    say(store, clock, "s", *FILLER, "the heron nests by the canal", *FILLER)
    items, trace = engine.search("heron canal", bank="default")
    assert items[0].text == "the heron nests by the canal"
    assert trace.went_by is Rung.TEXT
    assert trace.reason == "nothing has a vector yet"


@pytest.mark.parametrize("bank", ["", "No Such"])
def test_what_is_no_bank_is_refused_by_every_door(engine: Engine, bank: str) -> None:
    for ask in (engine.recall, engine.search, engine.examine):
        with pytest.raises(UserError, match="is not a bank name"):
            ask("heron canal", bank=bank)
    with pytest.raises(UserError, match="is not a bank name"):
        engine.search("", bank=bank)


def test_a_bank_that_nothing_was_recorded_in_says_so(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    items, trace = engine.search("heron canal", bank="other")
    assert (items, trace.reason) == ((), "nothing was recorded in the bank other yet")


def test_a_new_message_is_found_at_once(store: Store, clock: FixedClock, engine: Engine) -> None:
    say(store, clock, "s", *FILLER)
    assert "I adopted a ferret" not in texts(engine, "ferret")
    say(store, clock, "s", "I adopted a ferret")
    assert texts(engine, "ferret")[0] == "I adopted a ferret"


def test_meaning_finds_once_indexed(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *FILLER, "blue kites over dunes", *FILLER)
    index(store, clock, embedder)
    items, trace = engine.search("blue kites over dunes", bank="default")
    assert items[0].text == "blue kites over dunes"
    assert trace.went_by is Rung.FULL
    assert {"semantic", "lexical"} <= {found.by for found in items[0].found}


def test_banks_are_apart(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "a", "the password hint is walrus", bank="ann")
    say(store, clock, "b", "nothing to see", bank="bob")
    index(store, clock, embedder)
    assert texts(engine, "walrus password hint", bank="bob") == ["nothing to see"]
    assert texts(engine, "walrus", bank="nobody") == []


def test_a_hidden_session_is_not_recalled_and_comes_back(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "kept", *FILLER)
    say(store, clock, "gone", "the vault code is on the fridge")
    index(store, clock, embedder)
    assert texts(engine, "vault code")[0] == "the vault code is on the fridge"
    store.write(lambda tx: tx.conversations.hide_session("gone", clock.now()))
    recalled = engine.recall("vault code", bank="default")
    assert "vault" not in recalled.context()
    store.write(lambda tx: tx.conversations.restore_session("gone"))
    assert texts(engine, "vault code")[0] == "the vault code is on the fridge"


def test_as_of_knows_nothing_later(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    then = clock.now() - 100 * DAY_MS
    say(store, clock, "old", "the launch is planned for spring", at=then)
    say(store, clock, "new", "the launch is planned for autumn", at=then + 50 * DAY_MS)
    index(store, clock, embedder)
    recalled = engine.recall("when is the launch planned?", bank="default", as_of=then + DAY_MS)
    assert [item.text for item in recalled.items] == ["the launch is planned for spring"]


def test_who_is_named_speaks(store: Store, clock: FixedClock, engine: Engine) -> None:
    say(store, clock, "a", ("Bob", "I bought a canoe"))
    say(store, clock, "b", ("Ann", "I bought a canoe"))
    items, _ = engine.search("What did Bob buy, a canoe?", bank="default", limit=1)
    assert items[0].lines[items[0].hit].speaker == "Bob"


def test_a_model_nothing_is_known_of_serves_a_small_bank(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    """Where its cosines lie is measured from the first vectors on, not taken from another model."""
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    items, _ = engine.search(FILLER[0], bank="default", limit=len(FILLER))
    nearness = {item.text: item.parts.get("near", 0.0) for item in items}
    assert nearness[FILLER[0]] > 0
    assert abs(sum(nearness.values())) < 0.6 * sum(map(abs, nearness.values()))


def test_the_user_is_heard_unless_the_assistant_is_asked_for(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    say(store, clock, "a", "green tea from Uji", role=Role.USER)
    say(store, clock, "b", "green tea from Uji", role=Role.ASSISTANT)
    mine, _ = engine.search("which green tea did I like?", bank="default", limit=1)
    yours, _ = engine.search("which green tea did you recommend?", bank="default", limit=1)
    assert mine[0].lines[0].role is Role.USER
    assert yours[0].lines[0].role is Role.ASSISTANT


def test_a_named_time_ranks(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    for day in (300, 200, 100, 1):
        at = clock.now() - day * DAY_MS
        say(store, clock, f"s{day}", f"dinner with friends, place {day}", at=at)
    index(store, clock, embedder)
    assert texts(engine, "dinner with friends yesterday", limit=1) == [
        "dinner with friends, place 1"
    ]


def test_two_characters_of_chinese_are_found(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    say(store, clock, "s", *FILLER, "我昨天去了北京看朋友", "上海的天气很好")
    assert texts(engine, "北京", limit=1) == ["我昨天去了北京看朋友"]


@pytest.mark.parametrize("task", ["", "   ", "?", '"', "c++", "what's", "a" * 20_000, "\x00\ud800"])
def test_any_string_is_a_task(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder, task: str
) -> None:
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    recalled = engine.recall(task, bank="default")
    assert set(FILLER[-3:]) <= {item.text for item in recalled.items}  # the newest are there


def test_the_newest_episodes_are_always_in(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    recalled = engine.recall("zebra", bank="default")
    recent = [item for item in recalled.items if any(f.by == "newest" for f in item.found)]
    assert [item.text for item in recent] == FILLER[:-4:-1]


def test_messages_without_text_are_not_shown(
    store: Store, clock: FixedClock, engine: Engine
) -> None:
    say(store, clock, "s", "only this was said", "", "  ")
    recalled = engine.recall("only this", bank="default")
    assert [item.text for item in recalled.items] == ["only this was said"]


def test_what_is_irrelevant_is_dropped_and_counted(
    store: Store, clock: FixedClock, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    strict = Engine(
        store,
        clock,
        embedder=embedder,
        options=RecallOptions(recency_episodes=0, min_relevance=1.0),
    )
    recalled = strict.recall("weather", bank="default")
    strict.close()
    assert recalled.items == ()
    assert recalled.trace.dropped["relevance"] == len(FILLER)


def test_copies_are_given_once(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *["remember the milk"] * 5, *FILLER)
    index(store, clock, embedder)
    options = RecallOptions(recency_episodes=0, min_relevance=0)
    loose = Engine(store, clock, embedder=embedder, options=options)
    recalled = loose.recall("remember the milk", bank="default")
    loose.close()
    assert [item.text for item in recalled.items].count("remember the milk") == 1
    assert recalled.trace.dropped["duplicate"] == 4


class BrokenEmbedder(WordEmbedder):
    def embed_queries(self, texts: Sequence[str]) -> Floats:
        raise Unavailable("The embedder is down.", "Start it.")


class SlowEmbedder(WordEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()
        self.is_over = False

    def embed_queries(self, texts: Sequence[str]) -> Floats:
        self.is_over = self.go.wait(30) or True
        return super().embed_queries(texts)


def test_a_failing_embedder_leaves_words_and_is_named(store: Store, clock: FixedClock) -> None:
    say(store, clock, "s", *FILLER)
    engine = Engine(store, clock, embedder=BrokenEmbedder())
    recalled = engine.recall("printer paper", bank="default")
    engine.close()
    assert recalled.trace.went_by is Rung.TEXT
    assert recalled.trace.reason == "the embedder failed: The embedder is down."
    assert recalled.items[0].text == "the printer is out of paper once more"


def test_a_late_embedder_is_not_waited_for(store: Store, clock: FixedClock) -> None:
    say(store, clock, "s", *FILLER)
    slow = SlowEmbedder()
    engine = Engine(store, clock, embedder=slow)
    recalled = engine.recall("printer paper", bank="default", deadline_ms=20)
    engine.close()
    assert not slow.is_over, "closing waited for it"
    slow.go.set()
    assert recalled.trace.reason == "embedding the question took too long"
    assert recalled.items[0].text == "the printer is out of paper once more"


def test_without_words_or_vectors_only_the_newest_are_left(store: Store, clock: FixedClock) -> None:
    say(store, clock, "s", *FILLER)
    engine = Engine(store, clock)
    recalled = engine.recall("zebra", bank="default")
    engine.close()
    assert recalled.trace.went_by is Rung.RECENT
    assert len(recalled.items) == 3


class Backwards:
    """Likes what fusion liked least."""

    def score(self, task: str, texts: Sequence[str]) -> Sequence[float]:
        return [0.7 + place / 100 for place in range(len(texts))]


def test_a_reranker_has_the_last_word(
    store: Store, clock: FixedClock, embedder: WordEmbedder
) -> None:
    say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    plain = Engine(store, clock, embedder=embedder)
    turned = Engine(store, clock, embedder=embedder, reranker=Backwards())
    first, _ = plain.search("printer paper", bank="default", limit=4)
    second, _ = turned.search("printer paper", bank="default", limit=4)
    plain.close()
    turned.close()
    assert [item.ref for item in second] == [item.ref for item in first][::-1]


def test_an_item_says_why_it_is_there(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    ids = say(store, clock, "s", *FILLER)
    index(store, clock, embedder)
    items, trace = engine.search("printer paper", bank="default", limit=1)
    assert items[0].ref == f"message:{ids[3]}"
    assert [line.message_id for line in items[0].lines] == ids[2:5]
    assert items[0].parts["held"] > 0
    assert sum(items[0].parts.values()) == pytest.approx(items[0].score, abs=0.01)
    assert trace.terms == ("printer", "paper")


def test_questions_and_records_may_come_at_once(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    """Threads that ask while others record and index never fail, and see what was kept before."""
    say(store, clock, "s", *FILLER, "the heron nests by the canal")
    index(store, clock, embedder)

    def ask() -> None:
        for _ in range(15):
            assert "the heron nests by the canal" in texts(engine, "heron canal")

    with ThreadPoolExecutor(3) as pool:
        askers = [pool.submit(ask) for _ in range(3)]
        for number in range(10):
            say(store, clock, f"more{number}", *FILLER)
            index(store, clock, embedder)
        for asker in askers:
            asker.result()


def test_a_bare_tool_call_is_found_by_its_name_and_arguments_and_shown(
    store: Store, clock: FixedClock, engine: Engine, embedder: WordEmbedder
) -> None:
    say(store, clock, "talk", *FILLER)
    call = ToolCall("c1", "read_file", '{"path": "ledger/quarterly.csv"}')
    turn = Turn(
        NewSession(id="work"),
        (
            Utterance(Role.USER, "look at the numbers"),
            Utterance(Role.ASSISTANT, "", calls=(call,)),
        ),
    )
    record_turns(store, [turn], clock.now())
    index(store, clock, embedder)
    shown = f"{call.name} {call.arguments}"
    assert shown in texts(engine, "quarterly ledger", limit=2)
    assert shown in texts(engine, "read_file", limit=2)
