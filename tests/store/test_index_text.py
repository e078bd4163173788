"""Text in index form: the same for what is stored and for what is asked, in any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes.store.text import MAX_QUERY_WORDS, find_emoji, index_form, parse_query

anything = st.text(st.characters(exclude_categories=[]), max_size=60)


@pytest.mark.parametrize(
    ("text", "formed"),
    [
        ("plain words", "plain words"),
        ("c++ and C# and a+b", "cplusplus and Csharp and a+b"),
        ("F#, x++;", "Fsharp, xplusplus;"),
        ("abc++ #1 c#5 c+++", "abc++ #1 c#5 cplusplus+"),
        ("東京都", " 東京 京都 都 "),
        ("猫", " 猫 "),
        ("go東京go", "go 東京 京 go"),
        ("ｆｕｌｌ　ｗｉｄｔｈ", "full width"),
        ("ﾊﾝｶｸ", " ハン ンカ カク ク "),
        ("한국어", " 한국 국어 어 "),
        ("كتاب علي", "کتاب علی"),
        ("کتاب علی", "کتاب علی"),
        ("می‌خواهم بروم", "می خواهم بروم میخواهم"),
        ("Straße Łódź Søren", "Strasse Lódź Soren"),
        ("Αθήνα ΑΘΉΝΑ", "Αθηνα ΑΘΗΝΑ"),
        ("ещё", "еще"),
        ("كِتَابٌ", "کتاب"),
        ("سلـــام", "سلام"),
        ("a\x00b", "a b"),
        ("é\x00\ud800", "é  "),
        ("done🎉", "done emoji1f389x "),
        ("👍🏽 ❤️", " emoji1f44dx   emoji2764x "),
        ("🇩🇪", " emoji1f1e91f1eax "),
        ("\ue000b1", " b1"),
    ],
)
def test_forms(text: str, formed: str) -> None:
    assert index_form(text) == formed


def test_the_same_word_composed_or_not_has_one_form() -> None:
    for composed, decomposed in (
        ("café", "cafe\u0301"),
        ("한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8"),
    ):
        assert index_form(composed) == index_form(decomposed)


@pytest.mark.parametrize("emoji", ["🎉", "❤", "🇩🇪", "✅"])
def test_an_emoji_is_told_from_its_word(emoji: str) -> None:
    [word] = parse_query(emoji)
    assert find_emoji(word) == emoji
    assert find_emoji("emoji") is find_emoji("emojis") is None


@given(anything)
def test_every_text_has_a_form_that_can_be_stored(text: str) -> None:
    formed = index_form(text)
    if not text.isascii():
        formed.encode()
    assert "\x00" not in formed


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", []),
        ("   \n\t ", []),
        ('"', []),
        ('""""', []),
        ("!? … ——", []),
        ("one two one", ["one", "two"]),
        ('"two words" three', ["two words", "three"]),
        ('"left open', ['"left', "open"]),
        ("what's c++", ["what's", "cplusplus"]),
        ("foo_bar.baz", ["foo_bar.baz"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("猫", ["猫*"]),
        ("می‌خواهم", ["می خواهم", "میخواهم"]),
        ("python入門", ["python", "入門"]),
        ("run*", ["run*"]),
        ("🎉🎉🚀", ["emoji1f389x", "emoji1f680x"]),
        ("go🎉", ["go", "emoji1f389x"]),
        ("*", []),
        ("\x00", []),
    ],
)
def test_queries(query: str, words: list[str]) -> None:
    assert parse_query(query) == words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("dep", ["dep*"]),
        ("red hou", ["red", "hou*"]),
        ("red ", ["red"]),
        ('"red hou', ['"red', "hou*"]),
        ('"red house"', ["red house"]),
        ("hou red hou", ["hou*", "red"]),
        ("東", ["東*"]),
        ("", []),
    ],
)
def test_the_last_word_is_open_ended_as_you_type(query: str, words: list[str]) -> None:
    assert sorted(parse_query(query, as_you_type=True)) == sorted(words)


@given(anything, st.booleans())
def test_any_string_is_a_question(text: str, as_you_type: bool) -> None:
    words = parse_query(text, as_you_type=as_you_type)
    assert len(words) == len(set(words)) <= MAX_QUERY_WORDS
    assert all(word.removesuffix("*").strip() for word in words)


def test_a_very_long_question_is_cut() -> None:
    many = " ".join(f"w{n}" for n in range(20_000))
    assert parse_query(many) == [f"w{n}" for n in range(MAX_QUERY_WORDS)]
    assert len(parse_query("東京" * 20_000)) <= MAX_QUERY_WORDS
