"""Conversations through the real program: one process keeps them, another finds them again."""

import base64
import json
import subprocess
from pathlib import Path

import pytest
from real_program import HERMES, Program, message

TALK = [
    {"role": "user", "content": "Which database shall we use for Atlas?"},
    {"role": "assistant", "content": "PostgreSQL, because the orders are there already."},
]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def record(program: Program, *argv: str, talk: object = TALK) -> str:
    """Keep a turn; the session it went to."""
    receipt = program.json("sessions", "record", *argv, stdin=json.dumps(talk))
    return str(receipt["session_id"])


def test_one_process_records_and_another_finds(program: Program) -> None:
    session = record(program, "--title", "Atlas")
    found = program.json("sessions", "search", "postgresql", "orders")
    assert [hit["session"]["id"] for hit in found["hits"]] == [session]
    start, end = found["hits"][0]["snippet"]["highlights"][0]
    assert found["hits"][0]["snippet"]["text"][start:end] == "PostgreSQL"
    shown = program.ok("sessions", "search", "postgresql")
    assert "1. Atlas" in shown and "PostgreSQL, because the orders" in shown
    assert "\x1b[" not in shown


@pytest.mark.parametrize(
    "query", ["", " ", '"', "c++", "what's", "\U0001f600", "AND OR NOT (", "a" * 50_000]
)
def test_any_string_is_a_query(program: Program, query: str) -> None:
    record(program)
    answer = json.loads(program.ok("sessions", "search", "--json", "--", query))
    assert answer["query"] == query


def test_a_turn_that_names_no_bank_goes_where_its_session_lies(program: Program) -> None:
    session = record(program, "--bank", "work")
    assert record(program, "--session", session) == session
    other = program.run(
        *("sessions", "record", "--session", session, "--bank", "default"), stdin=json.dumps(TALK)
    )
    assert other.returncode != 0 and "lies in bank 'work'" in other.stderr


def test_search_is_narrowed_by_bank_role_session_and_limit(program: Program) -> None:
    first, second = record(program), record(program, "--bank", "work")
    search = ("sessions", "search", "database", "orders")
    assert len(program.json(*search)["hits"]) == 2
    assert len(program.json(*search, "--limit", "1")["hits"]) == 1
    (in_work,) = program.json(*search, "--bank", "work")["hits"]
    assert in_work["session"]["id"] == second
    (in_first,) = program.json(*search, "--session", first)["hits"]
    assert in_first["session"]["id"] == first
    said = program.json(*search, "--role", "user", "--limit", "1")["hits"][0]["message"]
    assert said["role"] == "user"
    missing = program.run(*search, "--bank", "wrok")
    assert missing.returncode == 1 and "There is no bank 'wrok'" in missing.stderr


def test_reading_a_conversation_page_by_page_and_around_a_message(program: Program) -> None:
    many = [{"role": "user", "content": f"number {n}"} for n in range(30)]
    session = record(program, talk=many)
    page = program.json("sessions", "show", session, "--limit", "10")
    assert page["has_after"] and not page["has_before"]
    last = page["messages"][-1]["id"]
    rest = program.json("sessions", "show", session, "--after", str(last))
    assert rest["messages"][0]["text"] == "number 10" and not rest["has_after"]
    around = program.json("sessions", "show", "--around", str(last), "--limit", "3")
    assert [m["text"] for m in around["messages"]] == ["number 8", "number 9", "number 10"]
    assert around["anchor_id"] == last
    latest = program.json("sessions", "show")
    assert latest["session"]["id"] == session
    assert program.run("sessions", "show", "other", "--around", str(last)).returncode == 1
    assert program.run("sessions", "show", "--around", "1", "--after", "1").returncode == 2


def test_a_title_an_end_a_deletion_and_the_way_back(program: Program) -> None:
    session = record(program)
    program.ok("sessions", "title", session, "Choosing a database")
    program.ok("sessions", "end", session)
    (listed,) = program.json("sessions", "list")
    assert listed["title"] == "Choosing a database" and listed["ended_at"]
    asked = program.run("sessions", "delete", session)
    assert asked.returncode == 2 and "--yes" in asked.stderr
    program.ok("sessions", "delete", session, "--yes")
    assert program.json("sessions", "list") == []
    assert program.json("sessions", "search", "postgresql")["hits"] == []
    assert [s["id"] for s in program.json("sessions", "list", "--deleted")] == [session]
    program.ok("sessions", "restore", session)
    assert [s["id"] for s in program.json("sessions", "list")] == [session]


def test_record_is_kept_once_for_each_key(program: Program) -> None:
    turn = json.dumps(TALK)
    first = program.json("sessions", "record", "--key", "k1", stdin=turn)
    again = program.json("sessions", "record", "--key", "k1", stdin=turn)
    assert again["duplicate"] and again["session_id"] == first["session_id"]
    assert program.json("status")["store"]["counts"]["messages"] == 2


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("{", "stdin is not JSON"),
        (b"\xff\xfe{", "stdin is not JSON"),
        ("[]", "at least one message"),
        ('"hello"', "no list of messages"),
        ('[{"role": "user", "content": "a"}, {"role": "queen"}]', "message 2: role 'queen'"),
        (
            '{"role": "user", "content": "a", "timestamp": "soon"}',
            "message 1: 'soon' is not a time",
        ),
    ],
)
def test_a_turn_that_is_none_is_refused(program: Program, stdin: str | bytes, said: str) -> None:
    done = program.run("sessions", "record", stdin=stdin)
    assert done.returncode == 2 and said in done.stderr
    assert "hint:" in done.stderr


def test_import_names_the_line_and_keeps_all_before_it(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    good = message("user", "one") + message("assistant", "two") + message("user", "three")
    file.write_text(good + '{"role": "user"\n' + message("assistant", "five"))
    done = program.run("sessions", "import", file)
    assert done.returncode == 2
    assert f"{file}, line 4 is not JSON" in done.stderr and "is kept" in done.stderr
    assert [m["text"] for m in program.json("sessions", "show")["messages"]] == [
        "one",
        "two",
        "three",
    ]
    file.write_text(good + message("assistant", "four") + message("assistant", "five"))
    (mended,) = program.json("sessions", "import", file)
    assert (mended["messages"], mended["duplicates"]) == (2, 3)
    texts = [m["text"] for m in program.json("sessions", "show")["messages"]]
    assert texts == ["one", "two", "three", "four", "five"]
    assert "nothing new" in program.ok("sessions", "import", file)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"role": "user", "content": "caf\xe9"}', "line 2 is not UTF-8"),
        (b'{"role": "user", "content": "x", "timestamp": 1e300}', "line 2: '1e+300' is not a time"),
        (
            b'{"role": "user", "content": "x", "timestamp": "2999-01-01"}',
            "line 2: The time 2999-01-01T00:00:00Z",
        ),
        (b'{"role": "user", "content": "x", "bank": "../x"}', "line 2: '../x' is not a bank name"),
        (b"[1, 2]", "line 2 begins a JSON array"),
        (b'"text"', "line 2: a JSON object was expected"),
    ],
)
def test_a_bad_line_is_named(program: Program, line: bytes, said: str) -> None:
    done = program.run("sessions", "import", "-", stdin=message("user", "fine").encode() + line)
    assert done.returncode == 2 and f"stdin, {said}" in done.stderr
    assert program.json("status")["store"]["counts"]["messages"] == 1


def test_a_giant_message_is_refused_and_named(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "giant.jsonl"
    with file.open("w") as lines:
        lines.write(message("user", "fine"))
        lines.write(message("user", "word " * 20_000_000))
    done = program.run("sessions", "import", file)
    assert done.returncode == 2 and "line 2 has" in done.stderr and "MB" in done.stderr
    assert program.json("status")["store"]["counts"]["messages"] == 1


def test_files_that_cannot_be_read(program: Program, tmp_path: Path) -> None:
    assert "No such file" in program.run("sessions", "import", tmp_path / "nope").stderr
    assert program.run("sessions", "import", tmp_path).returncode == 2


def test_import_puts_what_it_reads_where_it_is_told(program: Program) -> None:
    program.ok("config", "set", "memory.bankStrategy", "project")
    lines = message("user", "hello", session_id="s1", title="Hi", platform="slack")
    program.ok("sessions", "import", "-", "--project", "Atlas!", "--identity", "lena", stdin=lines)
    (session,) = program.json("sessions", "list")
    told = {key: session[key] for key in ("id", "bank", "title", "platform", "identity")}
    assert told == {
        "id": "s1",
        "bank": "atlas",
        "title": "Hi",
        "platform": "slack",
        "identity": "lena",
    }
    (said,) = program.json("sessions", "show", "s1")["messages"]
    assert (said["origin"], said["trust"]) == ("import", "low")


def test_woven_conversations_come_apart(program: Program) -> None:
    lines = "".join(
        message("user", "ok", conversation_id=name) for name in ("a", "b", "a", "b", "a")
    )
    (kept,) = program.json("sessions", "import", "-", stdin=lines)
    assert (kept["sessions"], kept["messages"]) == (2, 5)
    assert len(program.json("sessions", "show", "a")["messages"]) == 3


PIXEL = base64.b64encode(bytes(range(256)) * 8).decode()


def test_export_and_import_give_the_same(program: Program, tmp_path: Path) -> None:
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}}
    paper = {"type": "file", "file": {"file_data": f"data:application/pdf;base64,{PIXEL}"}}
    call = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": '{"a": 1}'}}
    talk = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "text", "text": "سلام 看"}, picture, paper]},
        {"role": "user", "content": f"inline data:image/png;base64,{PIXEL} there", "name": "Lena"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "content": "done\n\tin 2 s", "tool_call_id": "c1"},
    ]
    record(program, "--title", "All of it", "--bank", "work", talk=talk)
    record(program, "--session", "second")
    file = tmp_path / "all.jsonl"
    said = program.ok("sessions", "export", "--all", "--output", file)
    assert "7 messages of 2 sessions" in said
    assert file.stat().st_mode & 0o777 == 0o600
    other = Program(tmp_path / "other")
    other.ok("sessions", "import", file)
    assert other.ok("sessions", "export", "--all") == file.read_text("utf-8")
    assert PIXEL in file.read_text("utf-8")
    assert PIXEL[:40] not in json.dumps(other.json("sessions", "search", "inline"))
    asked = program.run("sessions", "export", "--all", "-o", str(file))
    assert asked.returncode == 2 and "Replace" in asked.stderr


def test_export_wants_to_know_what(program: Program) -> None:
    assert program.run("sessions", "export").returncode == 2
    assert program.run("sessions", "export", "nope").returncode == 1


def test_a_reader_who_leaves_early_is_no_error(program: Program) -> None:
    record(program, talk=[{"role": "user", "content": "x" * 100_000} for _ in range(20)])
    with subprocess.Popen(
        [HERMES, "sessions", "export", "--all"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=program.environment(),
    ) as writer:
        assert writer.stdout is not None and writer.stderr is not None
        writer.stdout.read(10)
        writer.stdout.close()
        assert writer.stderr.read() == b""
    assert writer.returncode == 141  # as of a program that SIGPIPE ends


def test_a_turn_is_recorded_under_its_parent_in_the_bank_of_its_project(program: Program) -> None:
    record(program, "--session", "main")
    by_project = ("--set", "memory.bankStrategy=project")
    said = message("user", "look into it")
    told = ("--session", "child", "--parent", "main", "--project", "My Atlas")
    program.ok(*by_project, "sessions", "record", *told, stdin=said)
    assert "part of main" in program.ok("sessions", "show", "child")
    assert "bank my-atlas" in program.ok("sessions", "show", "child")
    assert "↳ look into it" in program.ok("sessions", "list")
