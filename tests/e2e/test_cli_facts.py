"""Facts from the command line, as the specification shows them, and the rest around them."""

import json
from pathlib import Path
from typing import Any

import pytest

from conftest import Hermes
from hermes.app import open_app
from hermes.config.paths import Home
from hermes.types import NewSession, Role, Turn, Utterance

CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": "hi! my name is Nadia and I live in Utrecht", "at": 1767603600},
    {"role": "assistant", "content": "Nice to meet you, Nadia!", "at": 1767603660},
    {"role": "user", "content": "We moved off MySQL to Postgres for Atlas.", "at": 1767603720},
]


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.jsonl"
    lines = ({**line, "session_id": "s1"} for line in CHAT)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def parsed(hermes: Hermes, *argv: str) -> Any:
    done = hermes(*argv, "--json")
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_the_commands_of_the_specification(hermes: Hermes) -> None:
    said = [
        "User's timezone is Europe/London (UTC+1 in summer)",
        "Primary project is 'Atlas' — B2B SaaS, Python/PostgreSQL stack",
        "Preferred report format: executive summary first, bullet points, tables",
        "User prefers reports in bullet point format",
    ]
    for text in said:
        assert hermes("memory", "fact", "add", text).code == 0
    listed = hermes("memory", "facts", "list", "--recent", "20").out.splitlines()
    assert listed[3] == "[fact:004] User prefers reports in bullet point format (confidence: high)"
    assert [line[:10] for line in listed] == [f"[fact:00{n}]" for n in (1, 2, 3, 4)]
    assert hermes("memory", "fact", "delete", "fact:004", "--yes").code == 0
    assert len(hermes("memory", "facts", "list").out.splitlines()) == 3
    assert hermes("memory", "fact", "restore", "fact:4").code == 0
    assert len(hermes("memory", "facts", "list").out.splitlines()) == 4
    assert len(hermes("memory", "facts", "list", "--recent", "2").out.splitlines()) == 2


def test_deleting_asks_and_errors_say_what_to_do(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Berlin")
    assert hermes("memory", "fact", "delete", "fact:1").code == 2
    missing = hermes("memory", "fact", "show", "fact:99")
    assert missing.code == 1
    assert "There is no fact:099." in missing.err
    assert hermes("memory", "fact", "show", "nonsense").code == 2
    assert hermes("memory", "fact", "add", "   ").code == 2


def test_correcting_keeps_history(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Berlin")
    edited = hermes("memory", "fact", "edit", "fact:1", "User lives in Potsdam")
    assert edited.out.strip() == "[fact:001] User lives in Potsdam (confidence: high)"
    history = parsed(hermes, "memory", "fact", "history", "fact:001")
    assert [line["action"] for line in history] == ["add", "revise", "source"]
    assert history[1]["before"]["text"] == "User lives in Berlin"
    assert (
        "User lives in Berlin → User lives in Potsdam"
        in hermes("memory", "fact", "history", "1").out
    )
    back = hermes("memory", "fact", "restore", "1", "--to", str(history[0]["id"]))
    assert "User lives in Berlin" in back.out
    hermes("memory", "fact", "edit", "fact:1", "User lives in Bremen")
    assert "User lives in Berlin" in hermes("memory", "fact", "restore", "fact:1").out


def test_a_new_value_replaces_the_old_and_both_times_can_be_asked_for(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Berlin", "--since", "2020-01-01")
    replaced = hermes("memory", "fact", "add", "User lives in Lisbon", "--since", "2024-05-01")
    assert "takes the place of fact:001" in replaced.err
    then = hermes("memory", "facts", "list", "--as-of", "2022-03-01").out
    assert "Berlin" in then and "Lisbon" not in then
    assert hermes("memory", "facts", "list", "--believed-on", "2022-03-01").out == ""
    shown = parsed(hermes, "memory", "fact", "show", "fact:001")
    assert shown["superseded"] and shown["valid_to"].startswith("2024-05-01")
    assert "replaced by [fact:002]" in hermes("memory", "why", "fact:1").out
    hermes("memory", "fact", "restore", "1")
    contested = hermes("memory", "fact", "contradictions").out.splitlines()
    assert len(contested) == 2


def test_secrets_are_cut_out_unless_asked_otherwise(hermes: Hermes) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    said = hermes("memory", "fact", "add", f"The deploy token is {token}")
    assert token not in said.out and "[redacted:" in said.out
    kept = hermes("memory", "fact", "add", f"The CI token is {token}", "--keep-secrets")
    assert token in kept.out


def say(home: Home) -> None:
    """Record the chat as it is spoken, rather than take it in from elsewhere."""
    said = (Utterance(Role(m["role"]), m["content"], at=m["at"] * 1000) for m in CHAT)
    with open_app(home.profile("default"), {}) as app:
        app.conversations.record([Turn(NewSession(id="s1"), (each,)) for each in said])


def test_conversations_become_facts_with_their_source(hermes: Hermes, home: Home) -> None:
    say(home)
    done = hermes("memory", "extract")
    assert done.code == 0 and "3 messages of 1 conversation read" in done.err
    listed = parsed(hermes, "memory", "facts", "list")
    assert {"Nadia", "Utrecht"} <= {fact["value"] for fact in listed}
    ref = next(fact["ref"] for fact in listed if fact["value"] == "Utrecht")
    why = hermes("memory", "why", ref).out
    assert "session s1 → episode:1 → message:1" in why
    assert "«I live in Utrecht»" in why
    assert parsed(hermes, "memory", "why", ref)["evidence"][0]["message"]["id"] == 1
    assert "0 facts learnt" in hermes("memory", "extract", "--session", "s1").err
    entities = parsed(hermes, "memory", "entities", "list")
    assert "Atlas" in {entity["name"] for entity in entities}
    assert "Postgres" in hermes("memory", "entities", "show", "atlas").out


def test_what_was_imported_waits_for_approval(hermes: Hermes, chat: Path, home: Home) -> None:
    hermes("sessions", "import", str(chat))
    hermes("memory", "extract")
    waiting = parsed(hermes, "memory", "pending")
    assert waiting and {write["target"] for write in waiting} == {"user-model"}
    shown = hermes("memory", "pending").out
    for reason in {write["reason"] for write in waiting}:
        assert shown.count(reason) == 1, "said once for all that share it"
    assert shown.count("[held:") == len(waiting) > 1
    assert shown.count("    fact:0") == len(waiting) and "«I" in shown, "where it was said"
    assert "Nadia" not in hermes("user", "show").out
    name = next(write["id"] for write in waiting if "Nadia" in write["text"])
    assert hermes("memory", "approve", f"held:{name}").code == 0
    assert "Nadia" in hermes("user", "show").out
    assert "Nadia" in (home.root / "memories" / "USER.md").read_text()
    assert hermes("memory", "approve", str(name)).code == 1
    assert hermes("memory", "reject", "--all").code == 0
    assert "Utrecht" not in hermes("user", "show").out
    assert hermes("memory", "pending").out == ""
    assert hermes("memory", "approve").code == 2


def test_facts_of_several_banks_are_listed_with_their_bank(hermes: Hermes) -> None:
    hermes("bank", "create", "family")
    hermes("memory", "fact", "add", "User lives in Utrecht")
    assert "bank" not in hermes("memory", "facts", "list").out
    hermes("memory", "fact", "add", "User lives in Zeist", "--bank", "family")
    both = hermes("memory", "facts", "list").out
    assert "[bank default]" in both and "[bank family]" in both
    assert "bank" not in hermes("memory", "facts", "list", "--bank", "family").out


def test_the_user_record_is_projected_into_its_page(hermes: Hermes, home: Home) -> None:
    page = home.root / "memories" / "USER.md"
    hermes("memory", "notes", "add", "Call me N.", "--target", "user")
    hermes("memory", "fact", "add", "User lives in Berlin")
    text = page.read_text()
    assert text.startswith("- Call me N.\n") and "Location: Berlin" in text
    hermes("memory", "fact", "delete", "fact:1", "--yes")
    assert "Berlin" not in page.read_text()
    assert "Call me N." in page.read_text()
    assert parsed(hermes, "user", "show")["lines"] == []
    assert hermes("user", "sync").code == 0


def test_notes_are_shown_changed_and_removed(hermes: Hermes) -> None:
    assert hermes("memory", "notes", "add", "This repo deploys via Vercel.").code == 0
    shown = parsed(hermes, "memory", "notes", "show")
    (note,) = shown["notes"]
    assert shown["limit"] == 2200
    hermes("memory", "notes", "replace", note["id"], "This repo deploys via Fly.")
    assert "Fly" in hermes("memory", "notes", "show", "--prompt").out
    assert hermes("memory", "notes", "remove", "Fly").code == 0
    assert parsed(hermes, "memory", "notes", "show")["notes"] == []
    assert hermes("memory", "notes", "remove", "Fly").code == 1


def test_a_full_notebook_overflows_into_the_store(hermes: Hermes) -> None:
    for n in range(12):
        hermes("memory", "notes", "add", f"Note {n}: " + "x" * 170)
    full = hermes("memory", "notes", "add", "The staging server is called heron.", "--json")
    kept = json.loads(full.out)
    if not kept["overflow"]:
        hermes("memory", "notes", "add", "y" * 200)
        kept = parsed(hermes, "memory", "notes", "add", "The build server is called finch, " * 6)
    assert kept["overflow"][0]["fact"]["ref"].startswith("fact:")
    assert hermes("memory", "facts", "list").out != ""


def test_entities_are_merged_and_split(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Ana leads Atlas")
    hermes("memory", "fact", "add", "Annie owns the Hermes repository")
    assert "also Annie" in hermes("memory", "entities", "merge", "Ana", "Annie").out
    assert len(parsed(hermes, "memory", "facts", "list", "--entity", "Ana")) == 2
    assert hermes("memory", "entities", "split", "Ana", "Annie").code == 0
    assert len(parsed(hermes, "memory", "facts", "list", "--entity", "Annie")) == 1
    assert hermes("memory", "entities", "show", "Nobody").code == 1


def test_every_key_that_programs_read_is_documented(hermes: Hermes, chat: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "facts.md").read_text("utf-8")
    hermes("sessions", "import", str(chat))
    hermes("memory", "extract")
    (fact, *_) = parsed(hermes, "memory", "facts", "list")
    (change, *_) = parsed(hermes, "memory", "fact", "history", fact["ref"])
    (entity, *_) = parsed(hermes, "memory", "entities", "list")
    (held, *_) = parsed(hermes, "memory", "pending")
    for key in {**fact, **fact["sources"][0], **change, **entity, **held}:
        assert f"`{key}`" in page, key


def test_the_share_of_junk_is_shown(hermes: Hermes, chat: Path) -> None:
    hermes("sessions", "import", str(chat))
    hermes("memory", "extract")
    count = len(parsed(hermes, "memory", "facts", "list"))
    hermes("memory", "fact", "delete", "1", "--yes")
    tally = parsed(hermes, "memory", "fact", "status")
    assert (tally["extracted"], tally["junk"]) == (count, 1)
    assert tally["junk_rate"] == pytest.approx(1 / count)


def test_no_contradictions_are_said_to_be_none(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "User lives in Berlin")
    assert hermes("memory", "fact", "contradictions").out == "no two facts contradict each other\n"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (b"User likes tea\x07".decode(), "the control character '\\x07'"),
        (b"\x89PNG\xff\xd8 tea".decode(errors="surrogateescape"), "bytes that are not UTF-8"),
    ],
)
def test_what_is_no_text_is_no_fact_and_the_answer_says_why(
    hermes: Hermes, given: str, told: str
) -> None:
    done = hermes("memory", "fact", "add", given)
    assert done.code == 2 and told in done.err and "plain text" in done.err
    assert hermes("memory", "facts", "list", "--all").out == ""
    hermes("memory", "fact", "add", "User likes coffee")
    assert told in hermes("memory", "fact", "edit", "fact:1", given).err
