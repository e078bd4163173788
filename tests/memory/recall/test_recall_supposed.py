"""What a message only supposes, and what it tells under a condition."""

from pathlib import Path

import pytest

from hermes.library import Hermes
from hermes.memory.indexing import index_pending
from hermes.memory.recall.caveats import MADE_UP, SUPPOSED_NOTE
from hermes.memory.recall.supposed import is_supposed
from hermes.types import Role, Utterance


@pytest.mark.parametrize(
    ("text", "supposed"),
    [
        ("If I were a freelancer, I would work from Lisbon. What would I pay?", True),
        ("If I had a boat I'd call it Peregrine.", True),
        ("If we closed for two weeks we could go to the Azores. Just dreaming.", True),
        ("Suppose I worked at a bank. How much would I earn?", True),
        ("Suppose I moved to Lisbon. My rent would be 900.", True),
        ("Let's say my salary was 5,000.", True),
        ("Imagine we moved to Rome.", True),
        ("So what if we moved to Rome?", True),
        ("Suppose the customer pays late: our rule is a 2 percent surcharge.", False),
        ("Suppose we had a fire: call Yusuf.", False),
        ("Suppose we get a refund request: we pay it within three days.", False),
        ("If we closed late, the next shift starts at nine.", False),
        ("If the pump alarm rings, call Yusuf on extension 4711.", False),
        ("If we lose the lease, the deposit is 900.", False),
        ("Assume the build is green and ship it.", False),
        ("I work at Acme. What if I quit?", False),
        ("If I have time, I run. I live in Oslo.", False),
        ("Imagine that! I work at Acme now.", False),
        ("", False),
    ],
)
def test_what_is_only_supposed_is_known(text: str, supposed: bool) -> None:
    assert is_supposed(text) is supposed


AZORES = "If we closed for two weeks we could go to the Azores. Just dreaming."
BOAT = "If I had a boat I'd paint it green."
RULE = "Suppose the customer pays late: our rule is a 2 percent surcharge after 14 days."


def test_a_supposition_is_found_by_its_own_words_and_told_as_one(tmp_path: Path) -> None:
    with Hermes(tmp_path / "home") as memory:
        others = ("The pump alarm rang twice.", "Kerensa starts in August.", "The crown is in.")
        for n, text in enumerate((AZORES, BOAT, RULE, *others)):
            memory.record([Utterance(Role.USER, text, 1_000 * n)], session=str(n))
        app = memory.app
        assert app.embedder is not None
        index_pending(app.store, app.embedder, app.clock)
        first = memory.search("Azores")[0]
        assert (first.text, first.note) == (AZORES, SUPPOSED_NOTE)
        assert memory.recall("Azores").items[0].text == AZORES
        assert (memory.search("surcharge")[0].text, memory.search("surcharge")[0].note) == (
            RULE,
            "",
        )
        found = memory.search("do I have a boat")
        assert (found[0].text, found[0].note) == (BOAT, SUPPOSED_NOTE)
        assert found[0].relevance <= MADE_UP
        told = [item.relevance for item in memory.search("Azores")]
        assert told == sorted(told, reverse=True)
