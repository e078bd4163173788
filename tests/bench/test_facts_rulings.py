"""What a person said of a reading counts in place of the matching rule, and only where they did."""

import json
from pathlib import Path

import pytest

from hermes.bench.facts.adjudicate import list_readings, main, take
from hermes.bench.facts.loader import ChatMessage, Conversation, Expected, Half, load_half
from hermes.bench.facts.rulings import Ruling, Word, load_rulings, parse_rulings, save_rulings
from hermes.bench.facts.runner import Read
from hermes.bench.facts.scorer import Extraction, Verdict, judge, rule, score
from hermes.errors import Corrupt, UserError
from hermes.memory.facts.candidate import Candidate
from hermes.memory.facts.extraction import RuleReader
from hermes.types import FactKind, Message, Role

TESTER = Expected(
    id="w.1",
    kind=FactKind.IDENTITY,
    subject="Roos Verbeek",
    attribute="role",
    value="lead tester at Kantelberg Security",
    quote="she's the lead tester at Kantelberg Security",
    message=0,
)
CHAT = Conversation("w", (ChatMessage(Role.USER, "…", 0),), (TESTER,))
PART = Read("Roos works at Kantelberg", "identity", "Roos", "Kantelberg", "she's the", 0, None)


def ruling(verdict: Word, *labels: str) -> dict[tuple[str, int, str], Ruling]:
    each = Ruling("w", 0, "Roos  works at kantelberg", verdict, labels)
    return {each.key: each}


@pytest.mark.parametrize(
    ("rulings", "verdict", "found"),
    [
        ({}, Verdict.JUNK, 0),
        (ruling(Word.RIGHT, "w.1"), Verdict.CORRECT, 1),
        (ruling(Word.FINE), Verdict.OPTIONAL, 0),
        (ruling(Word.JUNK), Verdict.JUNK, 0),
        (ruling(Word.OVER, "w.1"), Verdict.JUNK, 0),
    ],
)
def test_a_ruling_counts_in_place_of_the_match(
    rulings: dict[tuple[str, int, str], Ruling], verdict: Verdict, found: int
) -> None:
    assert [each.verdict for each in rule(CHAT, judge(CHAT, [PART]), rulings)] == [verdict]
    assert score([CHAT], {"w": Extraction([PART])}, rulings).overall.found == found


def test_what_is_over_is_right_where_it_was_closed() -> None:
    for labels, verdict in ((("w.1",), Verdict.CORRECT), ((), Verdict.OPTIONAL)):
        told = ruling(Word.OVER, *labels)
        assert [each.verdict for each in rule(CHAT, judge(CHAT, [PART]), told, frozenset({0}))] == [
            verdict
        ]


def test_a_match_can_be_ruled_out() -> None:
    whole = Read(
        "Roos is lead tester at Kantelberg Security", "identity", "Roos", "lead tester", "", 0, None
    )
    assert score([CHAT], {"w": Extraction([whole])}).overall.correct == 1
    out = Ruling("w", 0, whole.text, Word.JUNK)
    judged = score([CHAT], {"w": Extraction([whole])}, {out.key: out}).overall
    assert (judged.correct, judged.junk, judged.found) == (0, 1, 0)


@pytest.mark.parametrize(
    "line",
    [
        '{"chat": "w", "message": 0, "reading": "x", "verdict": ""}',
        '{"chat": "w", "message": 0, "reading": "x", "verdict": "right"}',
        '{"chat": "w", "message": 0, "reading": "x", "verdict": "junk", "labels": ["w.1"]}',
        '{"chat": "w", "message": 0, "verdict": "junk"}',
        "no json",
    ],
)
def test_a_line_that_says_nothing_is_refused_with_its_number(line: str) -> None:
    with pytest.raises(Corrupt, match="line 2"):
        parse_rulings("\n" + line)


def test_rulings_survive_being_written(tmp_path: Path) -> None:
    given = ruling(Word.RIGHT, "w.1")
    save_rulings(list(given.values()), tmp_path / "x.jsonl")
    assert parse_rulings((tmp_path / "x.jsonl").read_text(encoding="utf-8")) == given


class _First:
    """Reads the first message of a chat, whatever it says."""

    name = "first"

    def extract(self, messages: list[Message]) -> list[Candidate]:
        first = messages[0]
        said = Candidate("User says it", FactKind.OTHER, quote=first.text, message_id=first.id)
        return [said] if first.role is Role.USER else []


def test_a_sheet_hides_how_a_reading_was_made_and_comes_back_as_rulings(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.jsonl"
    count = list_readings(Half.DEV4, sheet, RuleReader(_First()))  # type: ignore[arg-type]
    rows = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    assert count == len(rows) > 100
    assert not set(rows[0]) & {"signs", "attribute", "kind", "matched"}
    assert any(said.startswith("→ ") for said in rows[0]["said"])
    told = [row | {"verdict": "junk"} for row in rows]
    sheet.write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    assert take(Half.DEV4, sheet, tmp_path / "rulings") >= len(rows)


@pytest.mark.parametrize("half", [half for half in Half if half is not Half.REPORT])
def test_rulings_name_only_what_is_there(half: Half) -> None:
    known = {chat.id: {label.id for label in chat.facts} for chat in load_half(half)}
    for each in load_rulings(half).values():
        assert set(each.labels) <= known[each.chat]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "Nothing was given"),
        (["judge", "dev", "x"], "judge dev x"),
        (["list", "foo", "x"], "no half 'foo'"),
        (["take", "dev", "/nowhere/sheet"], "no file /nowhere/sheet"),
    ],
)
def test_wrong_words_are_told_apart(arguments: list[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        main(arguments)
