"""An erasure from behind summaries, killed: all of it is done, or none."""

import signal
import subprocess
import sys
from pathlib import Path

from test_erase_archives import SAID, archived, compressed, erase, planned
from test_erase_contract import scan

from places import Place
from talk import messages_of, texts_of

CHILD = """
import os, signal, sys
for folder in sys.argv[1:3]:
    sys.path.insert(0, folder)
from places import parse_place
from test_erase_archives import MARKER, apply_plan, planned, LATER
store = parse_place(sys.argv[3]).open()
plan = planned(store, matching=["zanzibar"])
die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
inside = sys.argv[4] == "inside"
remember = die if inside else lambda _: None
store.write(lambda tx: apply_plan(tx, plan, MARKER, remember, now=LATER))
die()
"""


def _kill(place: Place, when: str) -> None:
    """Erase in a process that dies: inside the transaction, or right after it."""
    tests = Path(__file__).parents[1]
    folders = [str(tests), str(tests / "contracts")]
    command = [sys.executable, "-c", CHILD, *folders, place.render(), when]
    done = subprocess.run(command, timeout=120, check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()


def test_killed_before_it_was_kept_nothing_has_changed(any_place: Place) -> None:
    store = any_place.open()
    compressed(store)
    before = messages_of(store), archived(store)
    store.close()
    _kill(any_place, "inside")
    store = any_place.open()
    assert (messages_of(store), archived(store)) == before
    assert all(finding.level == "ok" for finding in store.check())
    erase(store, planned(store, matching=["zanzibar"]))
    assert texts_of(store) == [*SAID[:2], *SAID[3:]]
    assert scan(store, "zanzibar").found == ()
    store.close()


def test_killed_right_after_it_only_the_traces_are_left_to_clear(any_place: Place) -> None:
    store = any_place.open()
    compressed(store)
    store.close()
    _kill(any_place, "after")
    store = any_place.open()
    assert texts_of(store) == [*SAID[:2], *SAID[3:]]
    assert archived(store) == []
    erase(store, planned(store, matching=["zanzibar"]))
    assert scan(store, "zanzibar").found == ()
    store.close()
