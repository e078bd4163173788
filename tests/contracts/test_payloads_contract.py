"""What every store promises of payloads: kept once, and dropped by their kind."""

from hermes.store.base import Store
from hermes.types import NewSession, Payload, Role, Turn, Utterance

PICTURE = Payload("image/png", b"\x89PNG a picture")
NOTE = Payload("text/x-note", b"a note kept before a rewrite")


def say(store: Store, text: str, *payloads: Payload, bank: str = "default") -> int:
    said = Utterance(Role.USER, text, payloads=payloads)
    turn = Turn(NewSession(id=f"s-{bank}", bank=bank), (said,))
    receipt = store.write(lambda tx: tx.conversations.record([turn], 1_000))[0]
    return receipt.message_ids[0]


def kept(store: Store, message: int) -> list[Payload]:
    return store.read(lambda tx: tx.conversations.list_payloads(message))


def test_payloads_of_some_kinds_are_dropped_and_all_others_stay(any_store: Store) -> None:
    both = say(any_store, "both", PICTURE, NOTE)
    note = say(any_store, "a note", NOTE, bank="work")
    plain = say(any_store, "none")
    assert kept(any_store, both) == [PICTURE, NOTE]
    dropped = any_store.write(lambda tx: tx.erasures.drop_payloads(["text/x-note", "text/x-other"]))
    assert dropped == 2
    assert [kept(any_store, each) for each in (both, note, plain)] == [[PICTURE], [], []]
    assert any_store.write(lambda tx: tx.erasures.drop_payloads(["text/x-note"])) == 0
    assert any_store.write(lambda tx: tx.erasures.drop_payloads([])) == 0


def test_bytes_that_another_payload_needs_stay(any_store: Store) -> None:
    same = Payload("text/x-note", PICTURE.content)
    picture = say(any_store, "as a picture", PICTURE)
    note = say(any_store, "as a note", same)
    assert any_store.write(lambda tx: tx.erasures.drop_payloads(["text/x-note"])) == 1
    assert kept(any_store, note) == []
    assert kept(any_store, picture) == [PICTURE]
    assert any_store.write(lambda tx: tx.erasures.drop_payloads(["image/png"])) == 1
    assert kept(any_store, picture) == []
    again = say(any_store, "and once more", PICTURE)
    assert kept(any_store, again) == [PICTURE]
