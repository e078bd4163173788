"""An import on every store: unseen until it is whole, goes on if cut short, or is taken back."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hermes.errors import Conflict, UserError
from hermes.memory.erase.tombs import Graveyard, Marker
from hermes.memory.portable.arriving import Arriving, abandon, find_plan
from hermes.memory.portable.carry import Terms, stage_export
from hermes.memory.portable.reading import Limits
from hermes.memory.portable.report import Report
from hermes.memory.portable.writing import write_export
from hermes.store.base import SessionFilter, Store, Tx
from hermes.store.sqlite import Database, open_store
from talk import NOW, keep, texts_of, turn

SAID = [f"message {n} of Oslo" for n in range(12)]


class Killed(BaseException):
    """Ends an import where it stands, as a kill would."""


def _export(store: Store) -> bytes:
    sink = io.BytesIO()
    store.read(lambda tx: write_export(tx, sink, [], progress=lambda *_: None))
    return sink.getvalue()


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    store = open_store(Database(tmp_path / "from.db", b"k" * 32))
    keep(
        store, *(turn(text, "noted", session=f"s{n % 3}", key=text) for n, text in enumerate(SAID))
    )
    store.write(lambda tx: tx.conversations.hide_session("s2", NOW))
    store.write(lambda tx: tx.events.add("decision", "went to Oslo", at=NOW))
    told = _export(store)
    store.close()
    return told


def _bring(
    store: Store,
    content: bytes,
    folder: Path,
    *,
    advance: Callable[[str, int], None] = lambda *_: None,
    name: str = "one",
) -> Report:
    stage = store.open_stage(folder / f"{name}.db")
    try:
        head = stage_export(io.BytesIO(content), stage, Limits(), lambda *_: None)
        terms = Terms(NOW, lambda _: Graveyard(Marker(b"k" * 32), []))
        return Arriving(store, stage, head, terms, name=name, at_once=2).bring_in(advance)
    finally:
        stage.close()


def _killing(after: int) -> Callable[[str, int], None]:
    seen = iter(range(after))

    def advance(_: str, __: int) -> None:
        if next(seen, None) is None:
            raise Killed

    return advance


def _sessions(store: Store, *, deleted: bool = False) -> Sequence[str]:
    wanted = SessionFilter(deleted=deleted)
    return sorted(s.id for s in store.read(lambda tx: tx.conversations.list_sessions(wanted, 99)))


@pytest.mark.parametrize("is_used", [False, True])
def test_cut_short_nothing_is_seen_and_it_goes_on(
    any_store: Store, content: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine"))
    for steps in (4, 12, 18):
        with pytest.raises(Killed):
            _bring(any_store, content, tmp_path, advance=_killing(steps))
        assert "s0" not in _sessions(any_store)
        assert texts_of(any_store, "s0") == []
        keep(any_store, turn(f"meanwhile {steps}", session="other"))
    assert any_store.read(find_plan) is not None
    _bring(any_store, content, tmp_path)
    assert any_store.read(find_plan) is None
    assert {"s0", "s1", "other"} <= set(_sessions(any_store))
    assert _sessions(any_store, deleted=True) == ["s2"]
    assert texts_of(any_store, "s0")[::2] == SAID[::3]
    assert all(finding.level == "ok" for finding in any_store.check())
    again = _bring(any_store, content, tmp_path, name="two")
    assert all(not outcome.added for outcome in again.sections.values())


@pytest.mark.parametrize("is_used", [False, True])
def test_what_was_cut_short_can_be_taken_back(
    any_store: Store, content: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine", key="k"))
    before = _export(any_store)
    with pytest.raises(Killed):
        _bring(any_store, content, tmp_path, advance=_killing(18))
    with pytest.raises(Conflict, match="cut short"):
        _bring(any_store, content, tmp_path, name="two")
    assert abandon(any_store) > 0
    assert _sessions(any_store, deleted=True) == []
    assert any_store.read(lambda tx: tx.portable.is_empty()) is not is_used
    after = _export(any_store)
    assert after.split(b"\n", 1)[1] == before.split(b"\n", 1)[1]  # but for the numbers used up
    assert is_used or after == before
    _bring(any_store, content, tmp_path, name="two")
    assert is_used or _export(any_store) == content


def test_a_file_that_does_not_hold_together_leaves_nothing(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    broken = content.replace(b"went to Oslo", b"went to Rome")
    with pytest.raises(UserError, match="event 1"):
        _bring(any_store, broken, tmp_path)
    assert any_store.read(find_plan) is None
    assert any_store.read(lambda tx: tx.portable.is_empty())


def test_a_session_that_grew_gets_the_rest_at_the_end(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    _bring(any_store, content, tmp_path)
    with_more = open_store(Database(tmp_path / "from.db", b"k" * 32))
    keep(with_more, turn("and Bergen", session="s0", key="b"), turn("new", session="s9"))
    grown = _export(with_more)
    with_more.close()
    with pytest.raises(Killed):
        _bring(any_store, grown, tmp_path, name="two", advance=_killing(18))
    assert "and Bergen" not in texts_of(any_store, "s0")
    _bring(any_store, grown, tmp_path, name="two")
    assert texts_of(any_store, "s0")[-1] == "and Bergen"
    assert texts_of(any_store, "s9") == ["new"]
    assert len(texts_of(any_store, "s0")) == 9


def test_a_dry_run_writes_nothing(any_store: Store, content: bytes, tmp_path: Path) -> None:
    latest = any_store.read(lambda tx: tx.changes.latest())
    stage = any_store.open_stage(tmp_path / "dry.db")
    head = stage_export(io.BytesIO(content), stage, Limits(), lambda *_: None)

    def yard(_: Tx) -> Graveyard:
        return Graveyard(Marker(b"k" * 32), [])

    terms = Terms(NOW, yard, is_dry=True)
    report = Arriving(any_store, stage, head, terms, name="dry").bring_in(lambda *_: None)
    stage.discard()
    assert report.of("messages").added == 24
    assert report.of("events").added == 1
    assert any_store.read(lambda tx: tx.changes.latest()) == latest
    assert any_store.read(lambda tx: tx.portable.is_empty())
