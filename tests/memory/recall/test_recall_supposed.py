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
        ("Imagine, I won 500 euros in the lottery!", False),
        ("Imagine, I got the job!", False),
        ("Imagine! I got the job", False),
        ("Imagine, we've been given the keys already", False),
        ("Imagine we got the house!!", False),
        ("Imagine that, I got the post at CERN", False),
        ("Say, we moved to Riga last month, did you know?", False),
        ("Say, I lost my wallet at your place yesterday?", False),
        ("Imagine I was standing next to her the whole time!", False),
        ("Assuming I passed, I start in May", False),
        ("Assuming we get the loan, we buy the Hoekstraat house", False),
        ("Suppose I was wrong about Tom. He paid me back on Friday", False),
        ("If I had known that the car needs a new gearbox for 2,300 I would have sold it", False),
        ("If I had known the boiler was 20 years old I would have asked for less", False),
        ("If I had realised Ana is allergic to nuts I would have baked another cake", False),
        ("If we had only known the school closes at three we would have come earlier", False),
        ("If I had not broken my leg in May I would have run the marathon", False),
        ("If I were not allergic to cats I would get one", False),
        ("If I had never met Ana I would still live in Leeds", False),
        (
            "If I finished in time I could start at CERN. They have offered me the post",
            False,
        ),
        ("I suppose we had to sell the car in the end", False),
        ("Let's say I had a rough week. My boss shouted at me.", False),
        ("Imagine my daughter passed her exam!", False),
        ("So I asked if I could move to Lisbon and my boss said yes", False),
        ("We had guests, if I remember, and I would do it again", False),
        ("Imagine I had a twin!  What would she do?", True),
        ("Imagine if we moved to Rome!", True),
        ("Hypothetically, I moved to Rome, what tax would I pay?", True),
        ("Assuming I earned 5,000, how much tax would I pay?", True),
        ("Say I moved to Oslo. How high is the rent?", True),
        ("Assume I had a million. Where to invest?", True),
        ("If we had left at 6 we would have caught the ferry", True),
        ("If I won the lottery I'd buy a farm", True),
        ("Imagine, I could fly! I'd visit you every day", True),
        ("What if I had twins, would the flat be too small?", True),
        ("Suppose we had no car. How would we get to work?", True),
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
