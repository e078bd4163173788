"""Whatever was said: out, in, and out again gives the same bytes; in twice adds nothing."""

import io
import secrets
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from hermes.memory.erase.tombs import Graveyard, Marker
from hermes.memory.portable.arriving import Arriving
from hermes.memory.portable.carry import Terms, stage_export
from hermes.memory.portable.reading import Limits
from hermes.memory.portable.report import Report
from hermes.memory.portable.writing import write_export
from hermes.store.base import Store, Tx
from hermes.store.sqlite import Database, open_store
from hermes.types import NewSession, Origin, Payload, Role, ToolCall, Trust, Turn, Utterance
from talk import NOW, keep

YARD = Graveyard(Marker(b"k" * 32), [])

texts = st.text(st.characters(codec="utf-8"), max_size=60)
calls = st.builds(ToolCall, texts, texts, texts)
payloads = st.builds(Payload, st.sampled_from(["image/png", "text/plain"]), st.binary(max_size=40))
utterances = st.builds(
    Utterance,
    role=st.sampled_from(Role),
    text=texts,
    at=st.integers(NOW - 10**9, NOW) | st.none(),
    speaker=texts,
    calls=st.lists(calls, max_size=2).map(tuple),
    call_id=texts,
    origin=st.sampled_from(Origin) | st.none(),
    trust=st.sampled_from(Trust),
    payloads=st.lists(payloads, max_size=2).map(tuple),
)
sessions = st.builds(
    NewSession,
    id=st.sampled_from(["a", "b", "ü c"]),
    platform=texts,
    identity=texts,
    title=texts,
    task=texts,
    parent_id=texts,
)
turns = st.builds(
    Turn,
    session=sessions,
    messages=st.lists(utterances, min_size=1, max_size=4).map(tuple),
    task=texts,
    key=st.text(max_size=3),
    continues=st.booleans(),
)


def _store(folder: Path, name: str) -> Store:
    return open_store(Database(folder / f"{name}.db", secrets.token_bytes(32)))


def export(store: Store) -> bytes:
    sink = io.BytesIO()
    store.read(lambda tx: write_export(tx, sink, [], progress=lambda *_: None))
    return sink.getvalue()


def bring_in(store: Store, content: bytes, folder: Path) -> Report:
    stage = store.open_stage(folder / f"{secrets.token_hex(4)}.db")
    terms = Terms(NOW, lambda _: YARD)
    head = stage_export(io.BytesIO(content), stage, Limits(), lambda *_: None)
    arriving = Arriving(store, stage, head, terms, name="x", at_once=2)  # sections come in pieces
    report = arriving.bring_in(lambda *_: None)
    stage.discard()
    return report


@settings(max_examples=25)
@given(st.lists(turns, max_size=6))
def test_out_in_out(given_turns: Sequence[Turn]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, second = _store(Path(folder), "first"), _store(Path(folder), "second")
        keep(first, *given_turns)
        content = export(first)
        bring_in(second, content, Path(folder))
        assert export(second) == content
        assert all(finding.level == "ok" for finding in second.check())
        again = bring_in(second, content, Path(folder))
        assert all(not outcome.added for outcome in again.sections.values())
        assert export(second) == content
        first.close()
        second.close()


@settings(max_examples=20)
@given(st.lists(turns, min_size=1, max_size=4), st.lists(turns, min_size=1, max_size=4))
def test_what_two_memories_hold_is_held_by_their_union(
    ours: Sequence[Turn], theirs: Sequence[Turn]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first, second = _store(Path(folder), "first"), _store(Path(folder), "second")
        keep(first, *theirs)
        keep(second, *ours)
        before = _said(second)
        bring_in(second, export(first), Path(folder))
        after = _said(second)
        assert set(before) | set(_said(first)) == set(after)
        assert all(finding.level == "ok" for finding in second.check())
        report = bring_in(second, export(first), Path(folder))
        assert all(not outcome.added for outcome in report.sections.values())
        assert _said(second) == after
        first.close()
        second.close()


def _said(store: Store) -> list[tuple[str, int, str, str]]:
    """Every message, as it is told from others."""

    def read(tx: Tx) -> list[tuple[str, int, str, str]]:
        return [
            (name, record["at"], record["role"], record["text"])
            for name in ("a", "b", "ü c")
            for record in tx.portable.list_session(name)
        ]

    return store.read(read)
