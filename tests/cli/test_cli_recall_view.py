"""What a person sees of recall: in order, spaced, and told why each is there."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import Hermes
from hermes.app.recall_shapes import recall_shape
from hermes.cli.recall_view import print_elsewhere, print_items, print_trace
from hermes.memory.recall.answer import Recall
from hermes.memory.recall.result import NEWEST, Found, Item, Line, Rung, Trace
from hermes.types import Kind, Role

AT = 1_700_000_000_000


def fact(number: int, relevance: float, *found: Found, held: bool = False) -> Item:
    text = f"text {number}"
    return Item(Kind.FACT, f"fact:{number}", relevance, 1.0, AT, text, found=found, held=held)


def test_the_tenth_is_spaced_like_the_ninth(capsys: pytest.CaptureFixture[str]) -> None:
    print_items([fact(n, 0.9) for n in range(10)], Trace(Rung.FULL))
    assert "\n9. 2023-" in (shown := capsys.readouterr().out)
    assert "\n10. 2023-" in shown


def test_what_is_only_new_is_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    new, both = fact(1, 0.06, Found(NEWEST, 1)), fact(2, 0.9, Found(NEWEST, 2))
    print_items([both, new], Trace(Rung.FULL, min_relevance=0.65))
    shown = capsys.readouterr().out
    assert "fact:1 · among the newest" in shown
    assert "fact:2 · relevance 0.90" in shown


def test_what_is_only_new_comes_after_what_bears(capsys: pytest.CaptureFixture[str]) -> None:
    new, found = fact(1, 0.06, Found(NEWEST, 1)), fact(2, 0.9)
    print_items([new, found], Trace(Rung.FULL, min_relevance=0.65))
    shown = capsys.readouterr().out
    assert shown.startswith("1. ")
    assert shown.index("fact:2") < shown.index("the newest, whatever the task:")
    assert shown.index("the newest, whatever the task:") < shown.index("2. ")


def test_the_first_line_says_that_nothing_bears(capsys: pytest.CaptureFixture[str]) -> None:
    new = fact(1, 0.06, Found(NEWEST, 1))
    print_items([new], Trace(Rung.FULL, "work", min_relevance=0.65))
    first, blank, head, *_ = capsys.readouterr().out.splitlines()
    assert (first, blank) == ("nothing known in bank work bears on this", "")
    assert head == "the newest, whatever the task:"


def test_the_newest_is_the_first_of_the_new(capsys: pytest.CaptureFixture[str]) -> None:
    old, new = fact(1, 0.3, Found(NEWEST, 2)), replace(fact(2, 0.1, Found(NEWEST, 1)), at=AT + 1)
    print_items([old, new], Trace(Rung.FULL, min_relevance=0.65))
    shown = capsys.readouterr().out
    assert shown.index("fact:2") < shown.index("fact:1")


def test_the_first_line_says_that_nothing_is_sure(capsys: pytest.CaptureFixture[str]) -> None:
    print_items([fact(1, 0.69), fact(2, 0.66)], Trace(Rung.FULL, min_relevance=0.65))
    assert capsys.readouterr().out.startswith("nothing known surely answers this")
    print_items([fact(1, 0.7), fact(2, 0.66)], Trace(Rung.FULL, min_relevance=0.65))
    assert "surely" not in capsys.readouterr().out
    print_items([fact(1, 0.3)], Trace(Rung.FULL))  # a search promises nothing
    assert "surely" not in capsys.readouterr().out


def test_what_waits_for_approval_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    print_items([fact(1, 0.9, held=True)], Trace(Rung.FULL))
    assert "not approved" in capsys.readouterr().out


def test_what_did_not_fit_is_not_called_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    print_items([], Trace(Rung.FULL, dropped={"budget": 2}))
    shown = capsys.readouterr().err
    assert "does not fit" in shown
    assert "nothing is remembered" not in shown


def test_the_trace_tells_days_and_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    days = ("last weekend", AT, AT + 86_400_000)
    trace = Trace(Rung.FULL, spans=(days,), dropped={"relevance": 7}, task_type="coding")
    print_trace(trace, in_full=True, items=[])
    shown = capsys.readouterr().out
    assert "last weekend (2023-11-14 to 2023-11-15)" in shown
    assert "left out: 7 bear too little on it" in shown
    assert "task: coding" in shown


def test_the_trace_keeps_references_in_one_column_from_the_tenth_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_trace(Trace(Rung.FULL), in_full=True, items=[fact(n, 0.9) for n in range(1, 12)])
    rows = [line for line in capsys.readouterr().out.splitlines() if "fact:" in line]
    assert rows[0].startswith("1.  fact:1")
    assert {line.index("fact:") for line in rows} == {len("10. ")}


def test_other_banks_are_named_where_little_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    print_elsewhere([fact(1, 0.9)], "default", ["sample", "work"])
    shown = capsys.readouterr().err
    assert "looked in bank default only; there is also sample, work: add --bank NAME" in shown
    print_elsewhere([fact(1, 0.9)], "default", [])
    print_elsewhere([fact(n, 0.9) for n in range(3)], "default", ["sample"])
    assert capsys.readouterr().err == ""


LONG = "tea " * 250_000


def long_item() -> Item:
    line = Line(7, AT, Role.USER, "", LONG)
    return Item(Kind.EPISODE, "message:7", 0.9, 1.0, AT, LONG, lines=(line,))


def test_a_very_long_message_is_cut_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    print_items([long_item()], Trace(Rung.FULL))
    shown = capsys.readouterr().out
    assert len(shown) < 3_000
    assert "tea …\n" in shown
    whole = " ".join(shown.split())
    assert "cut: it has 1,000,000 characters; `hermes sessions show --around 7` shows it" in whole
    print_items([fact(1, 0.9)], Trace(Rung.FULL))
    assert "cut:" not in capsys.readouterr().out


def test_as_json_it_is_bounded_too() -> None:
    shape = recall_shape(Recall("tea", (long_item(),), Trace(Rung.FULL), 1_000))
    assert len(json.dumps(shape)) < 60_000
    [item] = shape["items"]
    assert item["text"] == item["lines"][0]["text"] == LONG[:19_999] + " …"


LEAST = "150"  # the least budget that may be given


@pytest.mark.parametrize("more", [(), ("--context",)])
def test_the_least_budget_gives_something(hermes: Hermes, more: tuple[str, ...]) -> None:
    hermes("memory", "fact", "add", f"User keeps the keys {'of the old harbour house ' * 12}here.")
    found = hermes("memory", "recall", "where are the keys", *more, "--budget", LEAST)
    assert "User keeps the keys" in found.out
    assert hermes("memory", "recall", "where are the keys", "--budget", "149").code == 2


@pytest.mark.parametrize("more", [(), ("--context",), ("--json",)])
def test_what_does_not_fit_is_told_with_the_least_that_does(
    hermes: Hermes, tmp_path: Path, more: tuple[str, ...]
) -> None:
    chat = tmp_path / "chat.jsonl"
    chat.write_text(json.dumps({"role": "user", "content": "the old harbour house " * 30}) + "\n")
    hermes("sessions", "import", str(chat))
    asked = ("memory", "recall", "hello", *more)
    small = hermes(*asked, "--budget", LEAST)
    if "--json" in more:
        assert json.loads(small.out)["trace"]["reason"] == (
            "what is remembered does not fit into 150 tokens"
        )
        return
    assert (small.code, small.out) == (0, "")
    least = re.search(r"does not fit: the least is --budget (\d+)", small.err)
    assert least is not None
    assert hermes(*asked, "--budget", least[1]).out
    assert not hermes(*asked, "--budget", str(int(least[1]) - 1)).out


@pytest.mark.parametrize(("relevance", "shown"), [(0.6951, "0.69"), (0.7, "0.70"), (0.649, "0.64")])
def test_no_relevance_is_rounded_up_to_a_line(
    capsys: pytest.CaptureFixture[str], relevance: float, shown: str
) -> None:
    print_items([fact(1, relevance)], Trace(Rung.FULL, min_relevance=0.6))
    assert f"relevance {shown}" in capsys.readouterr().out
    as_json = recall_shape(Recall("tea", (fact(1, 0.69996),), Trace(Rung.FULL), 1_000))
    assert as_json["items"][0]["relevance"] < 0.7


def test_a_block_that_holds_nothing_says_so(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User's favourite tea is oolong.")
    found = hermes(
        "memory", "recall", "--bank", "default", "--as-of", "2001-01-01", "x", "--context"
    )
    assert found.out == ""
    assert "nothing is remembered in bank default that bears on this" in found.err


def test_a_search_says_where_it_is_less_sure(capsys: pytest.CaptureFixture[str]) -> None:
    items = [fact(1, 0.9), fact(2, 0.27), fact(3, 0.66), fact(4, 0.2)]
    print_items(items, Trace(Rung.FULL))
    sure, unsure = capsys.readouterr().out.split("less sure:")
    assert "fact:1" in sure and "fact:3" in sure
    assert unsure.index("fact:2") < unsure.index("fact:4")
    print_items(items[:1], Trace(Rung.FULL))
    assert "less sure" not in capsys.readouterr().out
