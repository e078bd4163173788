"""Words that are only begun, in a memory too large to look up every beginning."""

from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.prefixes import Begun, Lexicon, LexiconShelf, sample_words
from hermes.store.base import Store, Tx
from hermes.store.base.texts import TextScope
from hermes.store.ranking import plan
from talk import keep, turn

WORDS = st.lists(st.text("abc", min_size=1, max_size=4), unique=True, max_size=30)


@given(WORDS, st.text("abc", min_size=1, max_size=3))
def test_completions_begin_so_and_the_commonest_come_first(words: list[str], begun: str) -> None:
    ordered = sorted(words)
    counts = {word: 1 + len(word) % 3 for word in ordered}
    lexicon = Lexicon(tuple(ordered), tuple(counts[word] for word in ordered))
    found = lexicon.complete(begun, limit=4)
    matching = [word for word in ordered if word.startswith(begun)]
    assert all(word.startswith(begun) for word in found)
    assert len(found) == min(4, len(matching))
    if begun in matching:
        assert found[0] == begun
    rest = [counts[word] for word in found if word != begun]
    assert rest == sorted(rest, reverse=True)


def test_a_beginning_finds_what_its_words_find(store: Store) -> None:
    keep(store, turn("We deployed the database"), turn("Deployment of queues", session="s2"))
    keep(store, turn("Nothing of the kind", session="s3"))

    def look(word: str) -> list[int]:
        def read(tx: Tx) -> list[int]:
            lexicon = sample_words(tx, 3)
            begun = Begun(tx.texts, lexicon, (3, 60))
            return sorted(plan(begun, [word], TextScope(), 10).candidates)

        return store.read(read)

    assert look("dep*") == [1, 2]
    assert look("deploym*") == [2]
    assert look("queu*") == [2]
    assert look("kin*") == [3]
    assert look("zz*") == []


def test_a_small_memory_needs_no_lexicon(store: Store) -> None:
    keep(store, turn("We deployed the database"))
    assert store.read(LexiconShelf().get) == Lexicon()
