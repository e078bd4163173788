"""When compression runs as settings say, and what it may and may not leave out."""

from hermes.app import open_app
from hermes.clock import DAY_MS
from hermes.config.paths import ProfilePaths
from hermes.memory.compress.drafts import ExtractiveSummariser, Policy
from hermes.memory.compress.extract import PART_CHARS, extract_lines, make_parts
from hermes.memory.compress.run import PURGED_AT_ONCE, compress_old
from hermes.store.base import Store
from hermes.types import Message, Role, Trust
from talk import NOW, at, keep, turn

ONE_EACH = PURGED_AT_ONCE + 3


def test_settings_say_when_and_for_how_long(paths: ProfilePaths) -> None:
    flags = {"memory.compressAfterDays": "7", "memory.compressGraceDays": "3"}
    with open_app(paths, {}, flags=flags) as app:
        assert app.compressing.policy.after_ms == 7 * DAY_MS
        assert app.compressing.policy.grace_ms == 3 * DAY_MS


def test_every_archive_past_its_time_goes_in_one_run(store: Store) -> None:
    said = [f"The harbour crane number {n} was painted in March." for n in range(4)]
    keep(store, *(turn(*said, session=f"s{n}") for n in range(ONE_EACH)))

    def mark(tx) -> None:  # type: ignore[no-untyped-def]
        for n in range(ONE_EACH):
            tx.extractions.mark(f"s{n}", 1 << 40, now=NOW)

    store.write(mark)
    later = NOW + 40 * DAY_MS
    keep(store, at(later, turn("still here", session="later")), now=later)
    policy = Policy(grace_ms=DAY_MS, most_clusters=10_000)
    made = compress_old(
        store, later, ExtractiveSummariser(), policy=policy, trust_clock=True
    ).summaries
    assert len(made) == ONE_EACH
    last = later + 2 * DAY_MS
    keep(store, at(last, turn("and here", session="last")), now=last)
    gone = compress_old(store, last, ExtractiveSummariser(), policy=policy).purged
    assert len(gone) == ONE_EACH


def _said(*texts: str) -> list[Message]:
    return [
        Message(n, "s1", n, NOW, Role.USER, text, speaker="ab"[n % 2] * 3, trust=Trust.HIGH)
        for n, text in enumerate(texts, 1)
    ]


def test_words_that_answers_are_made_of_stay() -> None:
    said = "She keeps trying new things and is still looking for a way to help lots of people."
    (line,) = extract_lines(_said(said))
    for word in ("things", "still", "looking", "way", "lots", "people"):
        assert word in line.text.split()
    assert not {"and", "is", "a", "of"} & set(line.text.split())


def test_a_sentence_with_one_word_to_tell_goes_unless_it_answers() -> None:
    said = ("Photography is it.", "Did you win?", "Yes.", "And with?", "Photography.", "On 5 May.")
    lines = [line.text for line in extract_lines(_said(*said))]
    assert lines[-3:] == ["Yes", "Photography", "On 5 May"]
    assert "".join(lines).count("Photography") == 1


def test_parts_are_as_long_as_an_embedding_reads() -> None:
    messages = _said(*(f"Invoice {n} of Bergen was paid on {n % 28 + 1} May." for n in range(200)))
    parts = make_parts(extract_lines(messages), messages, "")
    assert len(parts) > 1
    assert all(PART_CHARS / 2 < len(part.text) < 1.25 * PART_CHARS for part in parts)
