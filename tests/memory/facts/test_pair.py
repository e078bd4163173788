"""What was said and what was read, as the two texts the gate compares."""

from hermes.clock import DAY_MS
from hermes.memory.facts.clauses.pair import Said, render_pair
from hermes.types import Message, Role

AT = 1_770_000_000_000  # Monday 2026-02-02


def message(text: str, role: Role = Role.USER, speaker: str = "") -> Message:
    return Message(1, "s", 1, AT, role, text, speaker)


def test_the_quote_is_marked_in_its_message_after_the_end_of_the_one_before() -> None:
    before = message("Where do you live?", Role.ASSISTANT)
    said = Said.of(message("oh, I live in York\n\nyou?"), before)
    told, read = render_pair("User lives in York", "I live in York", None, said)
    assert told == "assistant: Where do you live? | oh, « I live in York » you?"
    assert read == "User lives in York"


def test_a_speaker_is_named() -> None:
    said = Said.of(message("on it", speaker="Noor"), message("who?", speaker="Ines"))
    assert render_pair("Noor is on it", "on it", None, said)[0] == "Ines: who? | Noor: « on it »"


def test_days_are_told_where_the_reading_is_of_another_day() -> None:
    said = Said("dentist on Thursday", AT)
    told, read = render_pair("Dentist", "dentist", AT + 3 * DAY_MS, said)
    assert told == "Monday 02 February 2026 | « dentist » on Thursday"
    assert read == "Dentist | Thursday 05 February 2026"
    assert render_pair("Dentist", "dentist", AT, said)[1] == "Dentist"


def test_long_texts_are_cut_around_the_quote_at_whole_words() -> None:
    said = Said.of(message("word " * 99 + "I live in York" + " tail" * 99), message("talk " * 99))
    told, _ = render_pair("User lives in York", "I live in York", None, said)
    assert "word « I live in York » tail" in told
    assert told.startswith("user: … talk")
    assert told.endswith("tail …")
    assert len(told) < 350


def test_a_quote_that_is_not_there_leaves_the_message_unmarked() -> None:
    assert render_pair("A", "gone", None, Said("here it is", AT))[0] == "here it is"
