"""Search over past conversations: any string is a question, in any script."""

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.errors import NotFound, UserError
from hermes.memory.record import record_turns
from hermes.memory.sessions import (
    SearchOptions,
    SessionSearch,
    browse_sessions,
    scroll_session,
    search_sessions,
)
from hermes.store.base import SessionFilter, Store
from hermes.types import NewSession, Role, ToolCall, Turn, Utterance
from places import new_place
from talk import NOW, at, keep, turn

SAID = {
    "ja": "昨日は東京タワーに行きました。猫が好きです",
    "zh": "我们在北京开会讨论了预算",
    "th": "ฉันชอบกินข้าวผัดที่กรุงเทพ",
    "ko": "저는 한국어를 공부하고 있습니다",
    "fa": "من می‌خواهم کتاب‌های تازه بخرم",
    "fa-joined": "نمیدانم چه بگویم",
    "fa-spaced": "او نمی داند",
    "ar": "أرسلت الرسالة إلى علي",
    "fr": "Le café où j'ai déjà mangé à São Paulo",
    "plain": "resume and naive role",
    "code": "call foo_bar.baz() in c++ or C# code; what's wrong with it",
    "hi": "मुझे हिन्दी में किताब चाहिए",
    "de": "Die Straße zur Universität Zürich",
    "ru": "Мы ещё обсудили развёртывание",
    "el": "Η Αθήνα είναι όμορφη",
    "he": "שלום עולם",
    "vi": "Tôi thích phở ở Hà Nội",
    "run": "I was running deployments of two studies",
}


@pytest.fixture(scope="module")
def babel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One session in each of many languages, named after it."""
    store = new_place("sqlite", Path(tmp_path_factory.mktemp("babel"))).open()
    record_turns(store, [turn(text, session=name) for name, text in SAID.items()], NOW)
    yield store
    store.close()


def search(store: Store, query: str, **options: object) -> SessionSearch:
    return search_sessions(store, query, SearchOptions(**options))  # type: ignore[arg-type]


def names(store: Store, query: str, **options: object) -> list[str]:
    return [hit.session.id for hit in search(store, query, **options).hits]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("東京", "ja"),
        ("東京タワー", "ja"),
        ("猫", "ja"),
        ("北京", "zh"),
        ("预算", "zh"),
        ("議", None),
        ("ข้าวผัด", "th"),
        ("กรุงเทพ", "th"),
        ("한국어", "ko"),
        ("공부", "ko"),
        ("می‌خواهم", "fa"),
        ("می خواهم", "fa"),
        ("میخواهم", "fa"),
        ("خواهم", "fa"),
        ("کتاب", "fa"),
        ("كتاب", "fa"),
        ("نمی‌دانم", "fa-joined"),
        ("نمی‌داند", "fa-spaced"),
        ("علی", "ar"),
        ("علي", "ar"),
        ("الرسالة", "ar"),
        ("cafe", "fr"),
        ("CAFÉ", "fr"),
        ("deja mange", "fr"),
        ("sao paulo", "fr"),
        ("résumé", "plain"),
        ("naïve rôle", "plain"),
        ("foo_bar.baz", "code"),
        ("foo_bar", "code"),
        ("bar.baz", "code"),
        ("baz", "code"),
        ("c++", "code"),
        ("C++", "code"),
        ("c#", "code"),
        ("what's", "code"),
        ("what’s", "code"),
        ("हिन्दी", "hi"),
        ("strasse", "de"),
        ("STRASSE", "de"),
        ("straße", "de"),
        ("zurich", "de"),
        ("universitat", "de"),
        ("еще", "ru"),
        ("развертывание", "ru"),
        ("αθηνα", "el"),
        ("ΑΘΗΝΑ", "el"),
        ("שלום", "he"),
        ("pho", "vi"),
        ("ha noi", "vi"),
        ("run", "run"),
        ("study", "run"),
        ("deployment", "run"),
        ('"running deployments"', "run"),
        ('"deployments running"', None),
        ('"running studies"', None),
        ("c", None),
        ("", None),
        ("🙂", None),
        ("zzz", None),
    ],
)
def test_a_word_is_found_in_any_script(babel: Store, query: str, expected: str | None) -> None:
    found = names(babel, query)
    assert (found[0] if found else None) == expected
    if expected is not None:
        assert len(found) == 1 or query in ("کتاب", "كتاب"), "nothing else holds it"


@pytest.mark.parametrize(
    "typed", ["dep", "deplo", "deploym", "deploymen", "deployments", "runn", "studie", "run", "r"]
)
def test_what_is_being_typed_is_found_at_every_letter(babel: Store, typed: str) -> None:
    assert "run" in names(babel, typed, as_you_type=True)


def test_a_finished_word_is_not_a_beginning(babel: Store) -> None:
    assert names(babel, "deplo ", as_you_type=True) == []
    assert names(babel, "deplo") == []
    assert names(babel, "deplo*") == ["run"]


operators = st.sampled_from(
    ["NEAR(", "AND", "OR", "NOT", "*", "^", ":", "body:", "-", "+", '"', "(", ")", "{a b}:", "\\"]
)
pieces = st.one_of(
    operators,
    st.text(st.characters(exclude_categories=[]), max_size=12),
    st.sampled_from(["\x00", "\ud800", "\udfff", "🙂", "👩‍🚀", "東", "ก็", "‌", "'", "%", "run"]),
)
queries = st.lists(pieces, max_size=12).map(" ".join) | st.text(
    st.characters(exclude_categories=[])
)


@settings(max_examples=300)
@given(queries, st.booleans())
def test_any_string_is_a_question_and_any_answer_is_whole(
    babel: Store, query: str, as_you_type: bool
) -> None:
    found = search(babel, query, as_you_type=as_you_type)
    assert found.query == query
    assert len(found.hits) <= 10
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in found.hits:
        assert hit.message.session_id == hit.session.id
        assert hit.message in hit.around
        assert hit.first
        assert hit.last
        assert all(0 <= a < b <= len(hit.snippet.text) for a, b in hit.snippet.highlights)


@pytest.mark.parametrize(
    "query",
    [
        " ".join(f"w{n}" for n in range(20_000)),
        '"' + " ".join(f"w{n}" for n in range(20_000)) + '"',
        ".".join(f"w{n}" for n in range(20_000)),
        "東京" * 20_000,
        "running " * 20_000,
        "x" * 1_000_000,
        '"' * 20_000,
        "ก็" * 20_000,
    ],
    ids=["words", "phrase", "dotted", "cjk", "same", "one", "quotes", "marks"],
)
@pytest.mark.timeout(20)
def test_a_very_long_question_is_answered_soon(babel: Store, query: str) -> None:
    search(babel, query)


def test_a_hit_has_its_surroundings_and_bookends(store: Store) -> None:
    for n in range(20):
        keep(store, at(NOW + n, turn(f"question {n}", f"answer {n}")))
    keep(store, at(NOW, turn("elsewhere", session="other")))
    [hit] = search(store, "question 10").hits[:1]
    assert hit.message.text == "question 10"
    texts = [message.text for message in hit.around]
    assert texts == ["question 9", "answer 9", "question 10", "answer 10", "question 11"]
    assert [message.text for message in (*hit.first, *hit.last)] == ["question 0", "answer 19"]
    assert hit.hits >= 20
    assert hit.session.messages == 40


def test_surroundings_stop_at_the_ends(store: Store) -> None:
    keep(store, turn("first word", "second"))
    [hit] = search(store, "first").hits
    assert [m.text for m in hit.around] == ["first word", "second"]
    assert [m.text for m in (*hit.first, *hit.last)] == ["first word", "second"]


def test_the_better_conversation_comes_first(store: Store) -> None:
    keep(
        store,
        turn("the budget for the garden", session="both"),
        turn("the garden is green", session="one"),
        turn("a garden, a garden, a garden", session="often"),
        *(turn("of the budget", session=f"b{n}") for n in range(4)),
        *(turn("of other things", session=f"o{n}") for n in range(20)),
    )
    assert names(store, "garden budget", limit=20)[0] == "both"
    assert names(store, "garden")[0] == "often"


def test_one_long_conversation_does_not_hide_the_others(store: Store) -> None:
    keep(store, turn("a plum", session="short"))
    keep(store, *(turn("plum plum plum", session="long") for _ in range(800)))
    assert names(store, "plum") == ["long", "short"]


def test_every_conversation_that_is_asked_for_is_found(store: Store) -> None:
    keep(store, *(turn("kill the job", session=f"s{number}") for number in range(400)))
    found = search(store, "kill", limit=1_000)
    assert (len(found.hits), found.candidates, found.is_all) == (400, 400, True)
    assert not search(store, "kill", limit=1).is_all


def test_a_session_is_searched_through_all_that_others_said_meanwhile(store: Store) -> None:
    keep(store, turn("the deploy of atlas", session="mine"))
    keep(store, *(turn(f"deploy atlas {n}", session=f"o{n % 50}") for n in range(3_000)))
    keep(store, turn("bye", session="mine"))
    for query in ("deploy", "deploy atlas"):
        [hit] = search(store, query, session_id="mine").hits
        assert hit.message.text == "the deploy of atlas"


def test_an_old_session_is_searched_behind_any_number_of_newer_messages(store: Store) -> None:
    keep(store, turn("the deploy of atlas", session="mine"))
    keep(store, *(turn("deploy atlas", session=f"o{n % 50}") for n in range(21_000)))
    keep(store, turn("bye", session="mine"))
    [hit] = search(store, "deploy atlas", session_id="mine").hits
    assert hit.message.text == "the deploy of atlas"


def test_an_emoji_is_found_and_shown(store: Store) -> None:
    keep(store, turn("we shipped it 🎉👍🏽", session="mine"), turn("no party 🎈", session="other"))
    for query in ("🎉", "👍", "shipped🎉"):
        [hit] = search(store, query).hits
        assert hit.session.id == "mine"
        start, end = hit.snippet.highlights[-1]
        assert hit.snippet.text[start:end] in query


def test_a_tool_call_is_found_and_shown(store: Store) -> None:
    call = ToolCall("call_1", "read_file", '{"path": "src/atlas.py"}')
    asked = Utterance(Role.ASSISTANT, "", calls=(call,))
    keep(store, turn("read it", session="mine"), turn("atlas", session="other"))
    keep(store, Turn(NewSession("mine"), (asked,), continues=True))
    [hit] = search(store, "read_file src/atlas.py").hits[:1]
    assert hit.session.id == "mine"
    assert hit.message.calls == (call,)
    assert "src/atlas.py" in hit.snippet.text


def test_deleted_conversations_do_not_hide_the_others(store: Store) -> None:
    keep(store, turn("the deploy of atlas", session="mine"))
    keep(store, *(turn(f"deploy atlas {n}", session="gone") for n in range(3_000)))
    store.write(lambda tx: tx.conversations.hide_session("gone", NOW))
    assert names(store, "deploy") == names(store, "deploy atlas") == ["mine"]


def test_what_stands_far_back_in_a_long_message_is_found(store: Store) -> None:
    long = "something else " * 4_000 + "the harpsichord at last"
    keep(store, turn(long, session="long"), turn("harpsichord", session="short"))
    keep(store, *(turn("noise", session=f"n{n}") for n in range(20)))
    first, second = search(store, "harpsichord").hits
    assert (first.session.id, second.session.id) == ("short", "long")
    assert second.score > 0
    assert second.message.text == long
    assert "harpsichord" in second.snippet.text


def test_giant_messages_are_ranked_by_their_start(store: Store) -> None:
    giant = "plum " + "of other things " * 60_000
    keep(store, *(turn(f"{n} {giant}", session=f"s{n}") for n in range(30)))
    tracemalloc.start()
    found = search(store, "plum", limit=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.hits[0].message.text) > len(giant)
    assert found.candidates == 30
    assert peak < 10 * len(giant)


def test_what_people_say_outranks_what_tools_print(store: Store) -> None:
    printed = Turn(NewSession(id="tool"), (Utterance(Role.TOOL, "the needle is there"),))
    keep(store, turn("the needle is there", session="said"), printed)
    assert names(store, "needle") == ["said", "tool"]


def test_of_equal_conversations_the_newer_comes_first(store: Store) -> None:
    keep(store, *(turn("the same words", session=name) for name in ("a", "b", "c")))
    assert names(store, "same words") == ["c", "b", "a"]


def test_options_narrow_a_search(store: Store) -> None:
    keep(
        store,
        turn("apple pie", "apple cake", session="w", bank="work"),
        turn("apple tart", session="h", bank="home"),
    )
    assert names(store, "apple", bank="home") == ["h"]
    assert names(store, "apple", bank="nowhere") == []
    assert search(store, "apple", roles=(Role.ASSISTANT,)).hits[0].message.text == "apple cake"
    assert names(store, "apple", session_id="w") == ["w"]
    assert len(names(store, "apple", limit=1)) == 1
    assert search(store, "apple", limit=1).candidates == 2


def test_an_old_session_can_be_searched_for_a_common_word(store: Store) -> None:
    keep(store, turn("the first of all", session="old"))
    keep(store, *(turn("the the the", session=f"n{n % 9}") for n in range(3_000)))
    assert names(store, "the", session_id="old") == ["old"]
    with pytest.raises(NotFound, match="nobody"):
        search(store, "the", session_id="nobody")


def test_hidden_sessions_are_never_shown_and_hide_no_other(store: Store) -> None:
    keep(store, turn("a plum", session="open"))
    keep(store, *(turn("plum plum plum", session="secret") for _ in range(2_000)))
    store.write(lambda tx: tx.conversations.hide_session("secret", NOW))
    assert names(store, "plum") == ["open"]
    assert [p.session.id for p in browse_sessions(store, SessionFilter())] == ["open"]
    for where in ("secret", 2):
        with pytest.raises(NotFound):
            scroll_session(store, where)
    with pytest.raises(NotFound):
        search(store, "plum", session_id="secret")
    store.write(lambda tx: tx.conversations.restore_session("secret"))
    assert "secret" in names(store, "plum")


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_must_leave_something(store: Store, limit: int) -> None:
    with pytest.raises(UserError, match="at least 1"):
        search(store, "x", limit=limit)
    with pytest.raises(UserError, match="at least 1"):
        browse_sessions(store, SessionFilter(), limit)


@pytest.fixture
def ten(store: Store) -> Store:
    """A session of messages 1, 3, 5 … 19 that lie between those of another."""
    for n in range(10):
        keep(store, turn(f"m{n}", session="s"), turn(f"x{n}", session="other"))
    return store


@pytest.mark.parametrize(
    ("where", "before", "after", "texts", "more"),
    [
        (9, 2, 2, ["m2", "m3", "m4", "m5", "m6"], (True, True)),
        (9, 0, 0, ["m4"], (True, True)),
        (9, 0, 1, ["m4", "m5"], (True, True)),
        (9, 1, 0, ["m3", "m4"], (True, True)),
        (1, 3, 1, ["m0", "m1"], (False, True)),
        (19, 1, 3, ["m8", "m9"], (True, False)),
        (9, 4, 5, [f"m{n}" for n in range(10)], (False, False)),
        (9, -1, -1, ["m4"], (True, True)),
        ("s", 3, 2, ["m0", "m1"], (False, True)),
        ("s", 0, 10, [f"m{n}" for n in range(10)], (False, False)),
        ("s", 0, 0, [], (False, True)),
    ],
)
def test_scrolling(
    ten: Store, where: str | int, before: int, after: int, texts: list[str], more: tuple[bool, bool]
) -> None:
    found = scroll_session(ten, where, before=before, after=after)
    assert [message.text for message in found.messages] == texts
    assert (found.has_before, found.has_after) == more
    assert found.session.id == "s"


@pytest.mark.parametrize("where", [0, -1, 999, 2**62, "", "nobody", "a\x00b"])
def test_scrolling_to_nowhere_says_so(ten: Store, where: str | int) -> None:
    with pytest.raises(NotFound):
        scroll_session(ten, where)


def test_browsing_shows_how_each_conversation_began(store: Store) -> None:
    system = Utterance(Role.SYSTEM, "You are helpful.")
    opening = Utterance(Role.USER, "Plan the  trip\nto Rome " + "and more " * 50)
    keep(store, at(NOW, Turn(NewSession(id="a"), (system, opening))))
    keep(store, at(NOW + 1, Turn(NewSession(id="b"), (Utterance(Role.TOOL, "noise"),))))
    silent, told = browse_sessions(store, SessionFilter())
    assert told.opening.text.startswith("Plan the  trip to Rome and more")
    assert len(told.opening.text) <= 121
    assert (silent.session.id, silent.opening.text) == ("b", "")


def test_browsing_takes_filters_and_a_limit(store: Store) -> None:
    keep(store, *(at(NOW + n, turn("hi", session=f"s{n}")) for n in range(30)))
    assert len(browse_sessions(store, SessionFilter())) == 20
    found = browse_sessions(store, SessionFilter(before_at=NOW + 5), 3)
    assert [preview.session.id for preview in found] == ["s4", "s3", "s2"]


def test_an_empty_store_answers_with_nothing(store: Store) -> None:
    assert search(store, "anything").hits == ()
    assert search(store, "any", as_you_type=True).hits == ()
    assert browse_sessions(store, SessionFilter()) == []


def test_little_words_alone_find_nothing_where_the_telling_one_was_never_said(store: Store) -> None:
    keep(store, turn("why not take the early train", session="train"))
    assert search_sessions(store, "why not MongoDB", SearchOptions()).hits == ()
    assert search_sessions(store, "why not the train", SearchOptions()).hits
    assert search_sessions(store, "why not", SearchOptions()).hits
