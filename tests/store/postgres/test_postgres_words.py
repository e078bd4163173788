"""The index of words on PostgreSQL: what is written alone is brought together, and still found."""

from hypothesis import given
from hypothesis import strategies as st

from hermes.store.base import Store, Tx
from hermes.store.base.texts import TextScope
from hermes.store.base.tidying import Watch
from hermes.store.postgres import PostgresStore, Server, open_store
from hermes.store.postgres.connection import scalar
from hermes.store.postgres.tokens import cut, split, stem
from hermes.store.postgres.words import LONGEST_WORD, key_of
from hermes.store.text import index_form
from postgres_server import new_database
from talk import keep, turn

ALL = TextScope()


def postings(store: Store, *words: str) -> list[list[int]]:
    return store.read(lambda tx: [tx.texts.postings_all([w], ALL, 1_000) for w in words])


def rows(store: PostgresStore) -> int:
    return store.read(lambda tx: scalar(tx.connection, "SELECT count(*) FROM words"))


def test_words_written_one_by_one_are_brought_together_and_still_found() -> None:
    store = open_store(Server(new_database()))
    for n in range(60):
        keep(store, turn(f"the red house number {n}", session=f"s{n % 3}"))
    asked = ("red", "house", "number", "red house", "hou*", "59", "red number")
    before = postings(store, *asked)
    assert [len(found) for found in before] == [60, 60, 60, 60, 60, 1, 0]
    many = rows(store)
    tidied = store.tidy(Watch())
    assert tidied.merge_steps == 1
    assert rows(store) < many / 3
    assert postings(store, *asked) == before
    assert store.tidy(Watch()).merge_steps == 0
    keep(store, turn("a red door"))
    store.write(lambda tx: tx.erasures.remove_messages([7]))
    after = postings(store, "red")[0]
    assert after == [61, *(n for n in before[0] if n != 7)]
    store.close()


def test_a_word_in_more_messages_than_a_row_holds_is_found_newest_first() -> None:
    store = open_store(Server(new_database()))
    for start in range(0, 2_000, 500):
        keep(store, *(turn("yes" if n % 2 else "no") for n in range(start, start + 500)))
    keep(store, turn("yes no"))
    find = store.read

    def newest(words: list[str], limit: int) -> list[int]:
        return find(lambda tx: tx.texts.postings_all(words, ALL, limit))

    assert newest(["yes"], 3) == [2_001, 2_000, 1_998]
    assert len(newest(["yes"], 5_000)) == 1_001
    assert newest(["yes", "no"], 5) == [2_001]
    assert newest(["yes no"], 5) == [2_001]
    page = find(lambda tx: tx.texts.postings_all(["no"], TextScope(last_id=500), 5))
    assert page == [499, 497, 495, 493, 491]
    store.close()


def test_a_word_of_any_length_is_found() -> None:
    store = open_store(Server(new_database()))
    long, longer = "x" * 5_000, "x" * 5_001
    keep(store, turn(long), turn(longer))
    assert postings(store, long, longer) == [[1], [2]]
    assert len(key_of(long).encode()) <= LONGEST_WORD
    store.close()


def test_what_is_removed_leaves_no_word_behind() -> None:
    store = open_store(Server(new_database()))
    keep(store, turn("a secret word", "another secret"), turn("nothing of it"))

    def remove(tx: Tx) -> None:
        tx.erasures.remove_messages([1, 2])

    store.write(remove)
    assert postings(store, "secret", "nothing") == [[], [3]]
    left = store.read(lambda tx: tx.connection.execute("SELECT DISTINCT word FROM words"))
    assert {word for (word,) in left} == {"noth", "of", "it"}
    store.close()


@given(st.text() | st.text(alphabet=st.characters(max_codepoint=127)))
def test_what_is_cut_and_stemmed_in_bulk_is_what_the_tokenizer_gives(text: str) -> None:
    formed = index_form(text)
    words = cut(formed)
    assert (words is None) != formed.isascii()
    assert words is None or stem(words) == split(formed)


def test_texts_of_any_script_are_gathered_in_one_go_and_found_alike() -> None:
    store = open_store(Server(new_database()))
    long = "Y" * 300
    keep(store, turn("Running runs"), turn("Läufe run, naïve"), turn(f"naive läufe {long}"))
    asked = ("run", "naive", "laufe", "run naive", long.lower())
    assert postings(store, *asked) == [[2, 1], [3, 2], [3, 2], [2], [3]]
    store.close()
