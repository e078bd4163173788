"""The comparer: loaded on first use, given back when idle, and of the same mind each time."""

import shutil
from pathlib import Path

import pytest

from hermes.clock import FixedClock
from hermes.embed.comparer import MODEL_DIR, Comparer
from hermes.errors import Corrupt, Unavailable
from ringing import Timer

LASTING = ("« I live in Utrecht » with my two cats", "User lives in Utrecht")
PASSING = ("« I'm making tea », one moment", "User is making tea")
AT = 1_770_000_000_000


@pytest.fixture(scope="module")
def comparer() -> Comparer:
    return Comparer()


def test_what_lasts_is_told_from_what_passes(comparer: Comparer) -> None:
    assert comparer.compare(*LASTING) > comparer.compare(*PASSING)


def test_a_pair_gets_the_same_figure_whatever_was_asked_before(comparer: Comparer) -> None:
    alone = comparer.compare(*LASTING)
    for pair in (PASSING, ("« hm »", "Hm"), LASTING):
        comparer.compare(*pair)
    assert comparer.compare(*LASTING) == alone
    assert Comparer().compare(*LASTING) == alone


@pytest.mark.parametrize("text", ["", "\ud800", "word " * 50_000, "🙂" * 300, "\x00"])
def test_any_text_can_be_compared(comparer: Comparer, text: str) -> None:
    assert isinstance(comparer.compare(text, text), float)


def test_it_is_loaded_on_first_use_and_given_back_when_idle() -> None:
    clock, timer = FixedClock(AT), Timer()
    comparer = Comparer(clock, idle_s=10, timer=timer)
    assert not comparer.is_loaded
    comparer.compare(*LASTING)
    assert comparer.is_loaded
    clock.advance(10_000)
    timer.ring()
    assert not comparer.is_loaded


def test_once_closed_it_is_not_opened_again() -> None:
    comparer = Comparer()
    comparer.close()
    with pytest.raises(Unavailable):
        comparer.compare(*LASTING)


def test_a_missing_or_damaged_model_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        Comparer(model_dir=tmp_path).compare(*LASTING)
    shutil.copy(MODEL_DIR / "tokenizer.json", tmp_path)
    (tmp_path / "reading-gate-int8.onnx").write_bytes(b"no model")
    with pytest.raises(Corrupt):
        Comparer(model_dir=tmp_path).compare(*LASTING)
