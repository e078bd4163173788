"""When compression runs as settings say, and what it may and may not leave out."""

from hermes.app import open_app
from hermes.clock import DAY_MS
from hermes.config.paths import ProfilePaths
from hermes.memory.compress.drafts import ExtractiveSummariser, Policy
from hermes.memory.compress.extract import PART_CHARS, extract_lines, make_parts
from hermes.memory.compress.lexicon import LIMITING
from hermes.memory.compress.proof import Proof, make_probes, prove
from hermes.memory.compress.run import PURGED_AT_ONCE, compress_old
from hermes.memory.compress.worth import read_vocabulary
from hermes.memory.recall.passage import passages_of
from hermes.store.base import Store, Tx
from hermes.store.base.summaries import SummaryPart
from hermes.store.base.vectors import PendingText, VectorKind
from hermes.types import Message, Role, Trust
from talk import NOW, at, keep, turn

ONE_EACH = PURGED_AT_ONCE + 3


def test_settings_say_when_and_for_how_long(paths: ProfilePaths) -> None:
    flags = {"memory.compressAfterDays": "7", "memory.compressGraceDays": "3"}
    with open_app(paths, {}, flags=flags) as app:
        assert app.compressing.policy.after_ms == 7 * DAY_MS
        assert app.compressing.policy.grace_ms == 3 * DAY_MS


def test_every_archive_past_its_time_goes_in_one_run(store: Store) -> None:
    said = [
        f"Well, I think that the harbour crane number {n} was painted in March." for n in range(4)
    ]
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
    assert all(PART_CHARS / 2 < len(part.text) < 1.1 * PART_CHARS for part in parts)
    text = PendingText(VectorKind.MESSAGE, 1, 1, parts[0].text, role=Role.ASSISTANT, before="x")
    assert passages_of(text, is_part=True) == [parts[0].text]  # and no longer: each has one vector


def test_a_sentence_that_adds_nothing_goes_and_none_is_cut() -> None:
    often = ["We had a lot of work with the support group, work and more work."] * 300
    words = read_vocabulary([*often, "The omelette."])
    said = _said("Oslo 5.", "A lot of work, the support group.", "An omelette with peppers, lots.")
    lines = [line.text for line in extract_lines(said, words)]
    assert lines == ["Oslo 5", "omelette peppers, lots"]
    decided = _said("x", "We decided to work with the support group.")
    assert extract_lines(decided, words)[-1].text == "decided work support group"


TURNED = {
    "I could not find the invoice.": "not find invoice",
    "The tests did not pass after the change.": "tests not pass after change",
    "We are no longer eating meat.": "no longer eating meat",
    "The landlord didn't repair the heating.": "landlord didn't repair heating",
    "Dinner without garlic only.": "Dinner without garlic only",
    "She refused the new contract.": "refused new contract",
    "I turned the heating off.": "turned heating off",
    "Wir essen kein Fleisch.": "Wir essen kein Fleisch",
    "Nous ne mangeons pas de viande.": "Nous ne mangeons pas de viande",
    "Cena sin ajo.": "Cena sin ajo",
}


def test_what_is_not_so_is_said_whole_however_often_its_words_were_said() -> None:
    words = read_vocabulary([" ".join(TURNED)] * 300)
    so = "Find the invoice and the heating, landlord: the tests pass after the change."
    lines = [line.text for line in extract_lines(_said(so, *TURNED), words)]
    assert lines[-len(TURNED) :] == list(TURNED.values())


def test_a_summary_that_turns_a_sentence_round_fails_the_proof(store: Store) -> None:
    tokens = store.read(lambda tx: tx.texts.tokens)
    messages = _said("He lives in Oslo.", *TURNED, "The parcel was left with a neighbour.")
    probes = make_probes(messages, (), tokens)
    assert {probe.said for probe in probes} == {message.text for message in messages}
    lines = [message.text for message in messages]
    ids = (messages[0].id, messages[-1].id)
    assert not prove(probes, [SummaryPart(*ids, "\n".join(lines))], tokens).missed
    for n, told in enumerate(lines):
        wrong = "\n".join(
            [*lines[:n], LIMITING.sub("", told) if n in range(1, 11) else "", *lines[n + 1 :]]
        )
        missed = prove(probes, [SummaryPart(*ids, wrong)], tokens).missed
        assert told in [probe.said for probe in missed]


def test_no_probe_is_no_proof_and_no_summary_may_be_longer(store: Store) -> None:
    keep(store, turn("Oslo 5.", "Bergen 6.", session="dense"), turn("ok", "hm", session="idle"))

    def mark(tx: Tx) -> None:
        for name in ("dense", "idle"):
            tx.extractions.mark(name, 1 << 40, now=NOW)

    store.write(mark)
    later = NOW + 40 * DAY_MS
    keep(store, at(later, turn("still here", session="later")), now=later)
    run = compress_old(store, later, ExtractiveSummariser(), trust_clock=True)
    said = {draft.cluster.session.id: draft.refusal for draft in run.drafts}
    assert said == {"dense": "the summary is no shorter", "idle": "nothing in it tells anything"}
    assert run.summaries == ()
    assert Proof(0, ()).share == 0
