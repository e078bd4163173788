"""The columns of a bank: positions, neighbours in a session, and growth."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.recall.outline import NOWHERE, Outline, Positions, rising, rising_with_back
from hermes.store.base.recall import OutlineRows


def rows(first: int, sessions: list[int], step: int = 1) -> OutlineRows:
    ids = np.arange(first, first + len(sessions) * step, step, dtype=np.int64)
    ones = np.ones(len(sessions), np.int64)
    speakers = {"Ann": ids[ids % 2 == 1], "Bob": ids[ids % 2 == 0]}
    speakers = {name: said for name, said in speakers.items() if len(said)}
    return OutlineRows(ids, np.array(sessions, np.int64), ids * 1000, ones, ones * 10, speakers)


def at(*places: int) -> Positions:
    return np.array(places, np.int64)


def test_neighbours_stay_in_their_session() -> None:
    outline = Outline()
    outline.add(rows(1, [7, 7, 8, 7, 8]))
    assert outline.neighbours(at(0, 1, 2, 3, 4), 1).tolist() == [1, 3, 4, NOWHERE, NOWHERE]
    assert outline.neighbours(at(0, 1, 2, 3, 4), -1).tolist() == [NOWHERE, 0, NOWHERE, 1, 2]
    assert outline.neighbours(at(0), 2).tolist() == [3]
    assert outline.neighbours(at(NOWHERE), 1).tolist() == [NOWHERE]


@given(st.lists(st.integers(1, 4), max_size=40), st.integers(0, 40), st.integers(1, 3))
def test_growing_is_as_loading_at_once(sessions: list[int], cut: int, step: int) -> None:
    whole, grown = Outline(), Outline()
    whole.add(rows(5, sessions, step))
    grown.add(rows(5, sessions[:cut], step))
    if sessions[cut:]:
        grown.add(rows(5 + cut * step, sessions[cut:], step))
    places = np.arange(len(sessions), dtype=np.int64)
    for move in (-2, -1, 1, 2):
        expected = whole.neighbours(places, move).tolist()
        assert grown.neighbours(places, move).tolist() == expected
    for name in ("ids", "at", "speakers"):
        assert grown.column(name).tolist() == whole.column(name).tolist()


@given(st.lists(st.integers(1, 4), max_size=40), st.integers(0, 45), st.sets(st.integers(5, 45)))
def test_the_outline_of_a_time_is_as_if_nothing_had_come_after(
    sessions: list[int], until: int, without: set[int]
) -> None:
    every, whole = rows(5, sessions), Outline()
    whole.add(every)
    kept = (every.at <= until * 1000) & ~np.isin(every.ids, list(without))
    said = {name: ids[np.isin(ids, every.ids[kept])] for name, ids in every.speakers.items()}
    alone = Outline()
    said = {name: ids for name, ids in said.items() if len(ids)}
    ids, chats, times = every.ids[kept], every.sessions[kept], every.at[kept]
    alone.add(OutlineRows(ids, chats, times, every.roles[kept], every.sizes[kept], said))
    picked = whole.pick(whole.list_until(until * 1000, without))
    assert (picked.count, picked.last_id) == (alone.count, alone.last_id)
    assert (picked.average_size, picked.oldest_at) == (alone.average_size, alone.oldest_at)
    assert (set(picked.names), set(picked.name_parts)) == (set(alone.names), set(alone.name_parts))
    places = np.arange(alone.count, dtype=np.int64)
    for move in (-2, -1, 1, 2):
        assert picked.neighbours(places, move).tolist() == alone.neighbours(places, move).tolist()
    for name in ("ids", "at", "roles", "sizes"):
        assert picked.column(name).tolist() == alone.column(name).tolist()


@given(st.integers(1, 3), st.lists(st.integers(0, 60), max_size=20))
def test_only_known_ids_are_found(step: int, wanted: list[int]) -> None:
    outline = Outline()
    outline.add(rows(5, [1] * 10, step))
    known = outline.column("ids").tolist()
    places = outline.find_known(np.array(wanted, np.int64))
    assert outline.take("ids", places).tolist() == [i for i in wanted if i in known]


def test_hidden_sessions_are_not_shown() -> None:
    outline = Outline()
    outline.add(rows(1, [7, 8, 7]))
    outline.hide(np.array([7, 99], np.int64))
    assert outline.is_shown(at(0, 1, 2)).tolist() == [False, True, False]
    outline.add(rows(4, [9]))
    assert outline.is_shown(at(3)).tolist() == [True]


def test_speakers_have_codes() -> None:
    outline = Outline()
    outline.add(rows(1, [1, 1, 1]))
    codes = [outline.names[name] for name in ("Ann", "Bob", "Ann")]
    assert outline.column("speakers").tolist() == codes
    assert outline.name_parts["bob"] == {outline.names["Bob"]}


@given(st.lists(st.integers(0, 40), max_size=60))
def test_places_are_told_once_and_found_again(listed: list[int]) -> None:
    places = np.array(listed, np.int64)
    once, back = rising_with_back(places)
    assert once.tolist() == sorted(set(listed)) == rising(places).tolist()
    assert once[back].tolist() == listed
