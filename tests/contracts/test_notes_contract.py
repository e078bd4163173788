"""Pages of notes that homes share: versions rise, erasures are marked, and each home is known."""

from hermes.store.base import Store
from hermes.store.base.notes import KeptPage, PageCopy
from talk import NOW

PAGE = "MEMORY.md"


def save(store: Store, text: str, *, page: str = PAGE, erasing: bool = False) -> KeptPage:
    return store.write(lambda tx: tx.notes.save(page, text, now=NOW, erasing=erasing))


def test_a_page_has_the_text_that_was_kept_last(store: Store) -> None:
    assert store.read(lambda tx: tx.notes.find(PAGE)) is None
    first = save(store, "- tea\x00pot, 東京 and 🦀\n")
    assert first == KeptPage(PAGE, "- tea\x00pot, 東京 and 🦀\n", 1, 0, NOW)
    assert store.read(lambda tx: tx.notes.find(PAGE)) == first
    second = save(store, "")
    assert store.read(lambda tx: tx.notes.list()) == [second]
    assert second.version == first.version + 1


def test_pages_are_listed_by_name(store: Store) -> None:
    kept = {page: save(store, page, page=page) for page in ("USER.md", PAGE)}
    assert store.read(lambda tx: tx.notes.list()) == [kept[PAGE], kept["USER.md"]]


def test_the_version_of_an_erasure_is_remembered(store: Store) -> None:
    save(store, "- a\n- b\n")
    erased = save(store, "- a\n", erasing=True)
    assert erased.erased == erased.version
    later = save(store, "- a\n- c\n")
    assert later.version > later.erased == erased.version


def test_a_change_of_a_page_is_in_the_sequence_of_changes(store: Store) -> None:
    before = store.read(lambda tx: tx.changes.latest())
    save(store, "- a\n")
    save(store, "- b\n")
    told = store.read(lambda tx: tx.changes.since(before))
    assert [(each.kind, each.op) for each in told] == [("note", "add"), ("note", "change")]


def test_how_far_the_notes_were_settled_is_remembered(store: Store) -> None:
    assert store.read(lambda tx: tx.notes.get_settled()) == 0
    store.write(lambda tx: tx.notes.note_settled(3))
    store.write(lambda tx: tx.notes.note_settled(7))
    assert store.read(lambda tx: tx.notes.get_settled()) == 7


def test_what_each_home_shows_is_known_until_the_home_is_let_go(store: Store) -> None:
    copies = [PageCopy("a:/home", PAGE, 1, NOW), PageCopy("b:/home", PAGE, 1, NOW)]
    newer = PageCopy("a:/home", PAGE, 2, NOW + 1)
    for copy in (*copies, newer):
        store.write(lambda tx, copy=copy: tx.notes.note_copy(copy))  # type: ignore[misc]
    assert store.read(lambda tx: tx.notes.list_copies()) == [newer, copies[1]]
    assert store.read(lambda tx: tx.notes.list_copies("b:/home")) == [copies[1]]
    assert store.write(lambda tx: tx.notes.forget_home("a:/home")) == 1
    assert store.write(lambda tx: tx.notes.forget_home("a:/home")) == 0
    assert store.read(lambda tx: tx.notes.list_copies()) == [copies[1]]
