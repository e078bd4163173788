"""Where no fact is shown, the reason is said, and where there are some; several go at once."""

import json
from datetime import datetime
from pathlib import Path

from conftest import Hermes


def test_another_bank_that_holds_facts_is_named(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon", "--bank", "sample")
    assert "bank sample (1 fact): add --bank NAME" in hermes("user", "show").err
    assert "Lisbon" in hermes("user", "show", "--bank", "sample").out
    assert "not of sample" in hermes("user", "sync").out
    hermes("bank", "create", "empty")
    empty = hermes("memory", "fact", "list", "--bank", "empty").err
    assert "nothing in bank empty" in empty
    assert "sample (1 fact)" in empty


def test_nothing_at_all_says_how_to_begin(hermes: Hermes) -> None:
    assert "nothing is known yet" in hermes("user", "show").err
    assert "hermes memory extract" in hermes("memory", "fact", "list").err


def test_where_all_is_over_no_bank_is_named(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon", "--until", "2023-01-01")
    for asked in ((), ("--bank", "default")):
        told = hermes("memory", "fact", "list", *asked).err
        assert "nothing that is known is so today" in told
        assert "hermes memory fact list --all" in told
        assert "in bank" not in told


def test_what_was_not_yet_believed_is_not_called_missing(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    then = hermes("memory", "fact", "list", "--believed-on", "yesterday").err
    assert "nothing was believed by then" in then
    assert "extract" not in then
    assert "nothing of that sort" in hermes("memory", "fact", "list", "--subject", "Porto").err


def test_several_facts_are_deleted_and_restored_at_once(hermes: Hermes) -> None:
    for text in ("User lives in Lisbon", "Mina owns a boat", "Tom plays chess"):
        hermes("memory", "fact", "add", text)
    outcome = hermes("memory", "fact", "delete", "1", "fact:2", "--yes")
    assert outcome.out == "deleted fact:001 fact:002\n"
    assert "fact restore fact:001 fact:002" in outcome.err
    assert len(json.loads(hermes("memory", "fact", "list", "--json").out)) == 1
    assert hermes("memory", "fact", "restore", "1", "2").out.count("[fact:") == 2
    assert len(json.loads(hermes("memory", "fact", "list", "--json").out)) == 3


def test_one_that_is_not_there_keeps_all_from_going(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    assert hermes("memory", "fact", "delete", "1", "99", "--yes").code == 1
    assert len(json.loads(hermes("memory", "fact", "list", "--json").out)) == 1
    assert hermes("memory", "fact", "restore", "1", "1", "--to", "1").code != 0


def test_recall_of_an_earlier_day_names_it_and_says_that_later_facts_are_left_out(
    hermes: Hermes,
) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    then = hermes("memory", "recall", "Lisbon", "--as-of", "last year")
    assert "Lisbon" not in then.out
    assert f"as of {_last_year()}: what was first told later is left out" in then.err
    now = hermes("memory", "recall", "Lisbon", "--as-of", "today")
    assert "left out" not in now.err


def test_recall_of_an_earlier_day_says_that_later_messages_are_left_out(
    hermes: Hermes, tmp_path: Path
) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"role": "user", "content": "Lisbon it is"}')
    hermes("sessions", "import", str(talk))
    then = hermes("memory", "recall", "Lisbon", "--as-of", "last year")
    assert "Lisbon" not in then.out
    assert f"as of {_last_year()}: what was first told later is left out" in then.err


def _last_year() -> str:
    return f"{datetime.now().astimezone().year - 1}-12-31"


def test_a_bank_that_is_not_there_is_an_error_and_no_empty_record(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Lisbon")
    for words in (("user", "show"), ("user", "show", "--json")):
        outcome = hermes(*words, "--bank", "nosuch")
        assert (outcome.code, outcome.out) == (1, "")
        assert "nosuch" in outcome.err
        assert "default (1 fact)" not in outcome.err
