"""Pages that were changed in two homes at once: both changes are there, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.memory.notes import parse_notes
from hermes.memory.notes.merge import merge_pages
from hermes.memory.notes.projection import part, project

BASE = "# Mine\n\n- one\n- two\n- three\n"


def texts(page: str) -> list[str]:
    return [note.text for note in parse_notes(page)]


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (BASE, BASE.replace("two", "2"), BASE.replace("two", "2")),
        (BASE + "- four\n", BASE, BASE + "- four\n"),
        (BASE + "- four\n", BASE + "- five\n", BASE + "- four\n- five\n"),
        (BASE + "- four\n", BASE + "- four\n- five\n", BASE + "- four\n- five\n"),
        (BASE.replace("- one\n", ""), BASE + "- four\n", "# Mine\n\n- two\n- three\n- four\n"),
        (BASE.replace("two", "2"), BASE.replace("two", "zwei"), BASE.replace("two", "2\n- zwei")),
        (BASE.replace("- two\n", ""), BASE.replace("two", "zwei"), BASE.replace("two", "zwei")),
        ("", BASE.replace("two", "zwei"), "- zwei\n"),
        (BASE.replace("Mine", "Ours"), f"{BASE}- 4\n", f"{BASE}- 4\n".replace("Mine", "Ours")),
        (
            BASE + "- long\n  story\n",
            BASE.replace("- two", "- two\n  and a half"),
            BASE.replace("- two", "- two\n  and a half") + "- long\n  story\n",
        ),
    ],
)
def test_both_changes_are_made(ours: str, theirs: str, merged: str) -> None:
    assert merge_pages(BASE, ours, theirs) == merged


def test_without_a_base_all_that_either_has_is_there() -> None:
    assert merge_pages(None, "- one\n- two\n", "- one\n- three\n") == "- one\n- two\n- three\n"
    assert merge_pages(None, "", BASE) == BASE
    assert merge_pages(None, BASE, "") == BASE


def test_pages_in_sections_stay_so() -> None:
    base = "one\n§\ntwo\n"
    merged = merge_pages(base, "one\n§\ntwo\n§\nthree\n", "zero\n§\none\n§\ntwo\n")
    assert merged == "zero\n§\none\n§\ntwo\n§\nthree\n"


def test_a_projected_line_deleted_on_one_side_stays_away() -> None:
    base = project("- mine\n", ["Likes tea", "Works at Brightloom"], limit=1_000)
    theirs = base.replace("- Likes tea\n", "")
    ours = project(f"- new\n{base}", ["Likes tea", "Works at Brightloom"], limit=1_000)
    merged = merge_pages(base, ours, theirs)
    assert texts(merged) == ["new", "mine"]
    renewed = project(merged, ["Likes tea", "Works at Brightloom"], limit=1_000)
    assert part(renewed).shown == ("Works at Brightloom",)


WORDS = st.sampled_from(["ada", "bert", "cleo", "dora", "emil", "fritz"])
PAGES = st.lists(WORDS, unique=True).map(lambda notes: "".join(f"- {note}\n" for note in notes))


@given(base=PAGES, ours=PAGES, theirs=PAGES)
def test_nothing_new_is_lost_and_nothing_removed_comes_back(
    base: str, ours: str, theirs: str
) -> None:
    merged = texts(merge_pages(base, ours, theirs))
    old, left, right = set(texts(base)), set(texts(ours)), set(texts(theirs))
    assert set(merged) >= (left | right) - old
    assert set(merged) <= left | right
    assert not set(merged) & (old - (left & right)) or ours == theirs
    assert set(merged) >= left & right
    assert len(merged) == len(set(merged))


@given(ours=PAGES, theirs=PAGES)
def test_a_join_has_everything_of_both(ours: str, theirs: str) -> None:
    assert set(texts(merge_pages(None, ours, theirs))) == set(texts(ours)) | set(texts(theirs))
