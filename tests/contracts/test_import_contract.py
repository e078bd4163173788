"""An import on every store: unseen until it is whole, goes on if cut short, or is taken back."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from hermes.errors import Conflict, NotFound, UserError
from hermes.memory.erase.tombs import Graveyard, Marker
from hermes.memory.portable.arriving import Arriving, abandon, find_plan
from hermes.memory.portable.carry import Terms, stage_export
from hermes.memory.portable.reading import Limits
from hermes.memory.portable.report import Report
from hermes.memory.portable.writing import write_export
from hermes.store.base import SessionFilter, Store, Tx
from hermes.store.base.overview import Window
from hermes.store.base.pending import HeldWrite
from hermes.store.base.portable import Section
from hermes.store.base.summaries import NewSummary, SummaryPart
from hermes.store.sqlite import Database, open_store
from hermes.types import NewSession, Payload, Reflection, Role, Trust, Turn, Utterance
from talk import NOW, keep, messages_of, texts_of, turn

SAID = [f"message {n} of Oslo" for n in range(12)]


class Killed(BaseException):
    """Ends an import where it stands, as a kill would."""


def exported(store: Store) -> bytes:
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
    told = exported(store)
    store.close()
    return told


@contextmanager
def _opened(store: Store, content: bytes, folder: Path, *, name: str) -> Iterator[Arriving]:
    stage = store.open_stage(folder / f"{name}.db")
    try:
        head = stage_export(io.BytesIO(content), stage, Limits(), lambda *_: None)
        terms = Terms(NOW, lambda _: Graveyard(Marker(b"k" * 32), []))
        yield Arriving(store, stage, head, terms, name=name, at_once=2)
    finally:
        stage.close()


def bring(
    store: Store,
    content: bytes,
    folder: Path,
    *,
    advance: Callable[[str, int], None] = lambda *_: None,
    name: str = "one",
) -> Report:
    with _opened(store, content, folder, name=name) as arriving:
        return arriving.bring_in(advance)


def killing(after: int) -> Callable[[str, int], None]:
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
            bring(any_store, content, tmp_path, advance=killing(steps))
        assert "s0" not in _sessions(any_store)
        assert texts_of(any_store, "s0") == []
        keep(any_store, turn(f"meanwhile {steps}", session="other"))
    assert any_store.read(find_plan) is not None
    bring(any_store, content, tmp_path)
    assert any_store.read(find_plan) is None
    assert {"s0", "s1", "other"} <= set(_sessions(any_store))
    assert _sessions(any_store, deleted=True) == ["s2"]
    assert texts_of(any_store, "s0")[::2] == SAID[::3]
    assert all(finding.level == "ok" for finding in any_store.check())
    again = bring(any_store, content, tmp_path, name="two")
    assert all(not outcome.added for outcome in again.sections.values())


@pytest.mark.parametrize("is_used", [False, True])
def test_what_was_cut_short_can_be_taken_back(
    any_store: Store, content: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine", key="k"))
    before = exported(any_store)
    with pytest.raises(Killed):
        bring(any_store, content, tmp_path, advance=killing(18))
    with pytest.raises(Conflict, match="cut short"):
        bring(any_store, content, tmp_path, name="two")
    assert abandon(any_store) > 0
    assert _sessions(any_store, deleted=True) == []
    assert any_store.read(lambda tx: tx.portable.is_empty()) is not is_used
    after = exported(any_store)
    assert after.split(b"\n", 1)[1] == before.split(b"\n", 1)[1]  # but for the numbers used up
    assert is_used or after == before
    bring(any_store, content, tmp_path, name="two")
    assert is_used or exported(any_store) == content


def test_a_file_that_does_not_hold_together_leaves_nothing(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    broken = content.replace(b"went to Oslo", b"went to Rome")
    with pytest.raises(UserError, match="event 1"):
        bring(any_store, broken, tmp_path)
    assert any_store.read(find_plan) is None
    assert any_store.read(lambda tx: tx.portable.is_empty())


def test_a_session_that_grew_gets_the_rest_at_the_end(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    bring(any_store, content, tmp_path)
    with_more = open_store(Database(tmp_path / "from.db", b"k" * 32))
    keep(with_more, turn("and Bergen", session="s0", key="b"), turn("new", session="s9"))
    grown = exported(with_more)
    with_more.close()
    with pytest.raises(Killed):
        bring(any_store, grown, tmp_path, name="two", advance=killing(18))
    assert "and Bergen" not in texts_of(any_store, "s0")
    bring(any_store, grown, tmp_path, name="two")
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


@pytest.mark.parametrize("is_used", [False, True])
def test_of_two_opened_at_once_only_one_comes_in(
    any_store: Store, content: bytes, tmp_path: Path, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine"))
    with (
        _opened(any_store, content, tmp_path, name="one") as one,
        _opened(any_store, content, tmp_path, name="two") as two,
    ):
        with pytest.raises(Killed):
            one.bring_in(killing(18))
        noted = any_store.read(find_plan)
        with pytest.raises(Conflict, match="Another import"):
            two.bring_in(lambda *_: None)
    assert any_store.read(find_plan) == noted
    assert "s0" not in _sessions(any_store)
    assert bring(any_store, content, tmp_path).of("messages").added == 24
    assert texts_of(any_store, "s0")[::2] == SAID[::3]


def test_what_has_nothing_to_keep_early_shows_nothing_of_another(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    keep(any_store, turn("I was here first", session="mine"))
    own = exported(any_store)
    with _opened(any_store, own, tmp_path, name="two") as two:
        with pytest.raises(Killed):
            bring(any_store, content, tmp_path, advance=killing(18))
        with pytest.raises(Conflict, match="Another import"):
            two.bring_in(lambda *_: None)
    assert _sessions(any_store) == ["mine"]
    assert any_store.read(find_plan) is not None


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("step", [12, 18, 24])
def test_taken_back_while_it_runs_it_does_not_say_it_came_in(
    any_store: Store, content: bytes, tmp_path: Path, step: int, is_used: bool
) -> None:
    if is_used:
        keep(any_store, turn("I was here first", session="mine"))
    steps = iter(range(1_000))

    def advance(_: str, __: int) -> None:
        if next(steps) == step:
            assert any_store.read(find_plan) is not None
            abandon(any_store)

    with pytest.raises(Conflict, match="taken back"):
        bring(any_store, content, tmp_path, advance=advance)
    assert any_store.read(find_plan) is None
    assert _sessions(any_store) == (["mine"] if is_used else [])
    assert bring(any_store, content, tmp_path).of("messages").added == 24


def test_gone_on_with_by_another_host_the_first_leaves_it_alone(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    with _opened(any_store, content, tmp_path, name="one") as one:
        with pytest.raises(Killed):
            one.bring_in(killing(8))
    with _opened(any_store, content, tmp_path, name="one") as late:
        with pytest.raises(Killed):
            bring(any_store, content, tmp_path, advance=killing(18))
        with pytest.raises(Conflict, match="gone on with"):
            late.bring_in(lambda *_: None)
    assert bring(any_store, content, tmp_path).of("messages").added == 24
    assert texts_of(any_store, "s0")[::2] == SAID[::3]


def test_half_taken_back_it_does_not_go_on(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        bring(any_store, content, tmp_path, advance=killing(18))
    assert abandon(any_store, lambda plan: plan.name == "two") == 0
    noted = any_store.read(find_plan)
    assert noted is not None
    half = json.dumps(asdict(replace(noted, is_undone=True)))
    any_store.write(lambda tx: tx.portable.save_arrival(half))
    with pytest.raises(Conflict, match="being taken back"):
        bring(any_store, content, tmp_path)
    assert abandon(any_store) > 0
    assert any_store.read(lambda tx: tx.portable.is_empty())


def test_what_arrives_is_not_among_the_deleted(
    any_store: Store, content: bytes, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        bring(any_store, content, tmp_path, advance=killing(18))
    assert _sessions(any_store, deleted=True) == []
    for change in (
        lambda tx: tx.conversations.restore_session("s0"),
        lambda tx: tx.conversations.hide_session("s0", NOW),
        lambda tx: tx.conversations.retitle_session("s0", "seen"),
    ):
        with pytest.raises(NotFound):
            any_store.write(change)
    assert any_store.read(lambda tx: tx.overview.count_turns(Window(), 3_600_000)) == {}
    bring(any_store, content, tmp_path)
    any_store.write(lambda tx: tx.conversations.restore_session("s2"))
    assert _sessions(any_store) == ["s0", "s1", "s2"]


def _with_payload(text: str, content: bytes, session: str, bank: str = "default") -> Turn:
    said = Utterance(Role.USER, text, payloads=(Payload("image/png", content),))
    return Turn(NewSession(id=session, bank=bank), (said,))


def _compress(store: Store, session: str) -> None:
    (raw,) = store.read(lambda tx: tx.summaries.list_raw(session))
    first = raw.messages[0].id
    new = NewSummary(
        session_id=session,
        episode_ids=(raw.id,),
        message_ids=(first,),
        parts=(SummaryPart(first, first, "a picture", Trust.MEDIUM),),
        author="extractive",
        probes=1,
        found=1,
        made_at=NOW,
        purge_at=NOW + 1,
    )
    store.write(lambda tx: tx.summaries.add(new))


def test_what_goes_meanwhile_leaves_the_payloads_that_arrive(
    any_store: Store, tmp_path: Path
) -> None:
    source = open_store(Database(tmp_path / "from.db", b"k" * 32))
    keep(source, *(_with_payload(f"picture {n}", b"%d" % n * 99, f"s{n}") for n in range(9)))
    told = exported(source)
    source.close()
    keep(any_store, _with_payload("mine", b"mine", "mine"), _with_payload("two", b"two", "mine"))
    keep(any_store, _with_payload("old", b"old", "old"))
    with pytest.raises(Killed):
        bring(any_store, told, tmp_path, advance=killing(6))
    assert any_store.read(lambda tx: tx.portable.count(Section.BLOBS, "")) == 12
    _compress(any_store, "old")
    mine = messages_of(any_store, "mine")
    gone = any_store.write(lambda tx: tx.erasures.remove_messages([mine[0].id]))
    assert gone["payloads"] == 1
    assert any_store.write(lambda tx: tx.erasures.drop_payloads(["image/png"])) == 1
    assert any_store.read(lambda tx: tx.portable.count(Section.BLOBS, "")) == 9
    bring(any_store, told, tmp_path)
    last = messages_of(any_store, "s8")[0].id
    payloads = any_store.read(lambda tx: tx.conversations.list_payloads(last))
    assert payloads == [Payload("image/png", b"8" * 99)]


def test_a_bank_others_use_by_now_stays(any_store: Store, tmp_path: Path) -> None:
    source = open_store(Database(tmp_path / "from.db", b"k" * 32))
    banks = ("lessons", "writes", "unused")
    keep(source, *(turn("in Oslo", session=bank, bank=bank) for bank in banks))
    told = exported(source)
    source.close()
    for steps in (3, 5):  # gone on with, it still knows which banks it brought
        with pytest.raises(Killed):
            bring(any_store, told, tmp_path, advance=killing(steps))
    lesson = Reflection(0, "lessons", "deploy", "Check the queue first", created_at=NOW)
    any_store.write(lambda tx: tx.reflections.add(lesson, lesson_key="check"))
    held = HeldWrite(0, "writes", "notes", "use tabs", "came by web", NOW)
    any_store.write(lambda tx: tx.pending.add(held))
    abandon(any_store)
    assert any_store.read(find_plan) is None
    left = {bank.name for bank in any_store.read(lambda tx: tx.banks.list())}
    assert left - {"default"} == {"lessons", "writes"}
