"""Laps of a question: what another thread held it up by is booked apart, and nothing twice."""

from hermes.memory.recall.stopwatch import Stopwatch


class Hand:
    """A second hand that stands where it is put."""

    def __init__(self) -> None:
        self.at_s = 100.0

    def __call__(self) -> float:
        return self.at_s


def test_what_runs_beside_a_lap_is_not_booked_as_the_lap() -> None:
    hand = Hand()
    watch = Stopwatch(None, hand)
    hand.at_s += 0.001
    with watch.beside("load"):
        hand.at_s += 0.5
        watch.lap("words")
        hand.at_s += 0.25
    hand.at_s += 0.002
    watch.lap("embed")
    assert watch.laps() == {"load": 750.0, "words": 1.0, "embed": 2.0, "total": 753.0}


def test_without_anything_beside_laps_are_whole() -> None:
    hand = Hand()
    watch = Stopwatch(500, hand)
    hand.at_s += 0.02
    watch.lap("words")
    assert watch.laps() == {"words": 20.0, "total": 20.0}
    assert round(watch.left_ms()) == 480
    hand.at_s += 1
    assert watch.left_ms() == 0.0
