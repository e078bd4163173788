"""Importing files: all that is good is kept, once; what is bad is named, by file and line."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermes.errors import Conflict, UserError
from hermes.memory.importing import Import, Imported, Source, import_stream
from hermes.memory.sessions import SearchOptions, browse_sessions, search_sessions
from hermes.store.base import SessionFilter, Store
from hermes.types import NewSession, Origin, Role
from talk import NOW, messages_of, texts_of

S = NewSession(id="s1")


def said(role: str, text: str, **more: Any) -> str:
    return json.dumps({"role": role, "content": text, **more}, ensure_ascii=False)


def take(store: Store, file: Path, session: NewSession = S, **options: Any) -> Imported:
    began_at = round(file.stat().st_mtime * 1000)
    with file.open("rb") as stream:
        source = Source(stream, str(file), min(NOW, began_at))
        return import_stream(store, source, Import(session, **options), NOW)


def failure(store: Store, file: Path) -> UserError:
    with pytest.raises(UserError) as caught:
        take(store, file)
    return caught.value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "chat.jsonl"


CHAT = [
    said("system", "be kind"),
    said("user", "one"),
    said("assistant", "two"),
    said("tool", "three", tool_call_id="c1"),
    said("user", "four"),
    said("user", "five"),
    said("assistant", "six"),
]
TEXTS = ["be kind", "one", "two", "three", "four", "five", "six"]


def test_a_file_of_messages_becomes_turns(store: Store, file: Path) -> None:
    file.write_text("\n".join(CHAT))
    assert take(store, file) == Imported(turns=3, messages=7, sessions=1, duplicates=0)
    assert texts_of(store) == TEXTS
    episodes = [message.episode_id for message in messages_of(store)]
    assert [episodes.count(episode) for episode in sorted(set(episodes))] == [4, 1, 2]


def test_a_second_import_keeps_nothing_new(store: Store, file: Path) -> None:
    file.write_text("\n".join(CHAT))
    take(store, file)
    seq = store.status().seq
    assert take(store, file) == Imported(turns=0, messages=0, sessions=0, duplicates=7)
    assert texts_of(store) == TEXTS
    assert store.status().seq == seq


@pytest.mark.parametrize("cut", range(8))
def test_a_grown_file_adds_only_what_is_new(store: Store, file: Path, cut: int) -> None:
    """Wherever it was cut, in the midst of a turn or not."""
    file.write_text("\n".join(CHAT[:cut]) + "\n")
    take(store, file)
    file.write_text("\n".join(CHAT))
    assert take(store, file).messages == 7 - cut
    assert texts_of(store) == TEXTS
    episodes = [message.episode_id for message in messages_of(store)]
    assert [episodes.count(episode) for episode in sorted(set(episodes))] == [4, 1, 2]


@pytest.mark.parametrize("broken", range(1, 8))
def test_a_broken_line_ends_it_and_all_before_is_kept(
    store: Store, file: Path, broken: int
) -> None:
    lines = [*CHAT]
    lines[broken - 1] = lines[broken - 1][:-5]
    file.write_text("\n".join(lines))
    error = failure(store, file)
    assert f"{file}, line {broken} is not JSON" in error.message
    assert "What came before it is kept." in error.hint
    assert texts_of(store) == TEXTS[: broken - 1]

    file.write_text("\n".join(CHAT))
    assert take(store, file).messages == 7 - broken + 1
    assert texts_of(store) == TEXTS


def test_thousands_of_lines_before_a_broken_one_are_kept(store: Store, file: Path) -> None:
    lines = [said("user", f"line {n}") for n in range(2_500)]
    file.write_text("\n".join([*lines, "{broken"]))
    assert "line 2501" in failure(store, file).message
    assert len(texts_of(store)) == 2_500


def test_the_same_words_said_again_are_kept_again(store: Store, file: Path) -> None:
    file.write_text("\n".join([said("user", "yes"), said("assistant", "ok")] * 5))
    assert take(store, file).messages == 10
    assert take(store, file).duplicates == 10
    assert texts_of(store) == ["yes", "ok"] * 5


def test_woven_conversations_keep_their_own_order(store: Store, file: Path) -> None:
    names = ["a", "b", "a", "a", "b", "a"]
    file.write_text(
        "\n".join(said("user", "ok", session_id=name, n=n) for n, name in enumerate(names))
    )
    assert take(store, file) == Imported(turns=6, messages=6, sessions=2, duplicates=0)
    assert (len(texts_of(store, "a")), len(texts_of(store, "b"))) == (4, 2)
    assert take(store, file).messages == 0


def test_each_line_that_is_a_conversation_is_a_session(store: Store, file: Path) -> None:
    answer = {"role": "assistant", "content": "."}
    conversations: list[dict[str, Any]] = [
        {"messages": [{"role": "user", "content": f"hi {n}"}, answer]} for n in range(3)
    ]
    conversations.append({"id": "mine", "title": "Named", **conversations[0]})
    file.write_text("\n".join(map(json.dumps, conversations)))
    assert take(store, file, NewSession()).sessions == 4
    previews = browse_sessions(store, SessionFilter())
    assert sorted(preview.opening.text for preview in previews) == ["hi 0", "hi 0", "hi 1", "hi 2"]
    assert texts_of(store, "mine") == ["hi 0", "."]


def test_a_file_without_names_gets_a_session_of_its_own(store: Store, tmp_path: Path) -> None:
    for name, text in (("a", "apples"), ("b", "pears")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "chat.jsonl").write_text(said("user", text))
        take(store, tmp_path / name / "chat.jsonl", NewSession())
    sessions = [preview.session for preview in browse_sessions(store, SessionFilter())]
    assert len({session.id for session in sessions}) == 2
    assert all(session.id.startswith("chat-") for session in sessions)


def test_a_file_can_be_taken_into_a_second_bank(store: Store, file: Path) -> None:
    file.write_text("\n".join(CHAT))
    assert [take(store, file, NewSession(bank=b)).messages for b in "abba"] == [7, 7, 0, 0]
    previews = browse_sessions(store, SessionFilter())
    assert sorted(preview.session.bank for preview in previews) == ["a", "b"]


def test_a_session_is_not_taken_into_a_second_bank(store: Store, file: Path) -> None:
    file.write_text("\n".join(CHAT))
    take(store, file, NewSession(id="s1", bank="work"))
    for other in ("home", "default"):
        with pytest.raises(Conflict, match="lies in bank 'work'"):
            take(store, file, NewSession(id="s1", bank=other))
    assert take(store, file, NewSession(id="s1", bank="")).duplicates == 7


def test_tool_calls_pictures_and_times_are_kept(store: Store, file: Path) -> None:
    picture = "data:image/png;base64," + "iVBORw0KGgo" * 9 + "A"
    call = {"id": "c1", "function": {"name": "ls", "arguments": "{}"}}
    file.write_text(
        "\n".join(
            [
                said("user", "x", timestamp="2025-03-01T10:00:00Z"),
                json.dumps({"role": "assistant", "content": None, "tool_calls": [call]}),
                said("tool", "out", tool_call_id="c1"),
                json.dumps(
                    {"role": "user", "content": [{"type": "image_url", "image_url": picture}]}
                ),
            ]
        )
    )
    take(store, file)
    first, asked, answered, shown = messages_of(store)
    assert first.at == 1_740_823_200_000
    assert first.at < asked.at < answered.at < shown.at < first.at + 10_000
    assert asked.calls[0].name == "ls"
    assert (answered.role, answered.call_id) == (Role.TOOL, "c1")
    assert shown.payload_count == 1
    assert search_sessions(store, "iVBORw0KGgo", SearchOptions(as_you_type=True)).hits == ()


def test_times_follow_the_file_where_it_gives_none(store: Store, file: Path) -> None:
    file.write_text("\n".join(CHAT))
    os.utime(file, (1_700_000_000, 1_700_000_000))
    take(store, file)
    times = [message.at for message in messages_of(store)]
    assert times == sorted(set(times))
    assert 1_700_000_000_000 <= times[0] < 1_700_000_010_000


def test_no_time_made_up_lies_in_the_future(store: Store, file: Path) -> None:
    told = said("user", "a clock that is ahead", timestamp=(NOW + 5_000) / 1000)
    file.write_text("\n".join([*CHAT, told, said("assistant", "and after it")]))
    os.utime(file, ((NOW - 3_000) / 1000,) * 2)
    take(store, file)
    times = [message.at for message in messages_of(store)]
    assert times == sorted(times)
    assert times[2:7] == [NOW] * 5
    assert times[7:] == [NOW + 5_000] * 2


def test_an_origin_lowers_trust(store: Store, file: Path) -> None:
    file.write_text(CHAT[1])
    take(store, file, origin=Origin.IMPORT)
    assert messages_of(store)[0].origin is Origin.IMPORT


def test_progress_is_told(store: Store, file: Path) -> None:
    file.write_text("\n".join(said("user", f"{n}") for n in range(2_500)))
    told: list[int] = []
    take(store, file, on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 2_500


def test_bom_crlf_and_blank_lines_do_no_harm(store: Store, file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + "\r\n\r\n".join(CHAT).encode() + b"\r\n\n")
    take(store, file)
    assert texts_of(store) == TEXTS


def test_an_empty_file_is_no_error(store: Store, file: Path) -> None:
    for content in (b"", b"\n\n \n", b"\xef\xbb\xbf"):
        file.write_bytes(content)
        assert take(store, file) == Imported(0, 0, 0, 0)


def test_another_encoding_is_named_with_the_way_out(store: Store, file: Path) -> None:
    file.write_bytes(f"{CHAT[1]}\n{said('user', 'café')}".encode("latin-1"))
    error = failure(store, file)
    assert "line 2 is not UTF-8" in error.message
    assert "iconv" in error.hint
    assert texts_of(store) == ["one"]
    file.write_bytes("\n".join(CHAT).encode("utf-16"))
    assert "line 1 is not UTF-8" in failure(store, file).message


@pytest.mark.parametrize(
    "time", ["garbage", "9999-12-31T23:59:59Z", -99_999_999_999, 1e30, "1850-01-01", 4102444800]
)
def test_an_absurd_time_is_named_and_all_before_is_kept(
    store: Store, file: Path, time: object
) -> None:
    file.write_text("\n".join([*CHAT[:3], said("user", "x", timestamp=time), CHAT[4]]))
    error = failure(store, file)
    assert f"{file}, line 4" in error.message
    assert "ISO 8601" in error.hint
    assert texts_of(store) == TEXTS[:3]


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"session_id": "\ud800"}, "cannot be called"),
        ({"session_id": "x" * 1000}, "cannot be called"),
        ({"bank": "../etc"}, "bank"),
    ],
)
def test_a_name_that_cannot_be_is_an_error_of_its_line(
    store: Store, file: Path, more: dict[str, str], what: str
) -> None:
    file.write_text(f"{CHAT[1]}\n{json.dumps({'role': 'user', 'content': 'x', **more})}")
    error = failure(store, file)
    assert "line 2: " in error.message
    assert what in error.message
    assert texts_of(store) == ["one"]


def test_half_a_character_in_a_text_is_replaced(store: Store, file: Path) -> None:
    file.write_text('{"role": "user", "content": "half \\ud83d of it", "title": "\\udfff"}')
    take(store, file)
    assert texts_of(store) == ["half \ufffd of it"]


GIANT = """
import resource, sys
from pathlib import Path
from places import parse_place
from hermes.errors import UserError
from hermes.memory.importing import Import, Source, import_stream
from hermes.types import NewSession
store = parse_place(sys.argv[1]).open()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    with Path(sys.argv[2]).open("rb") as stream:
        source = Source(stream, sys.argv[2], 1767603600000)
        import_stream(store, source, Import(NewSession(id="s1")), 1767603600000)
except UserError as error:
    print(error.message)
    print(error.hint)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
store.close()
"""


@pytest.mark.slow
def test_a_message_of_300_megabytes_is_named_and_memory_stays_bounded(
    store: Store, file: Path
) -> None:
    with file.open("w") as out:
        out.write(CHAT[1] + '\n{"role": "user", "content": "')
        for _ in range(300):
            out.write("x " * 500_000)
        out.write('"}\n' + CHAT[2])
    place = json.dumps({"kind": "sqlite", "where": f"{file}.db", "key": "00" * 32})
    done = subprocess.run(
        [sys.executable, "-c", GIANT, place, str(file)],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    message, hint, grown_mb = done.stdout.splitlines()
    assert message == f"{file}, line 2 has more than 67 MB."
    assert "What came before it is kept." in hint
    assert int(grown_mb) < 250


def test_a_message_just_too_long_is_named(store: Store, file: Path) -> None:
    file.write_text(CHAT[1] + "\n" + said("user", "x " * 4_500_000))
    assert "line 2: A message has 9,000,000 characters" in failure(store, file).message
    assert texts_of(store) == ["one"]


messages = st.lists(
    st.tuples(
        st.sampled_from(["user", "assistant", "tool", "system"]),
        st.sampled_from(["yes", "no", "ok"]),
        st.sampled_from(["a", "b", ""]),
    ),
    max_size=12,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages, st.lists(st.integers(0, 12), max_size=3))
def test_importing_in_any_steps_gives_what_one_step_gives(
    store: Store, file: Path, told: list[tuple[str, str, str]], cuts: list[int]
) -> None:
    count = store.status().counts["sessions"]
    lines = [
        said(role, text, **({"session_id": f"{count}{name}"} if name else {}))
        for role, text, name in told
    ]
    session = NewSession(id=f"{count}-fallback")
    for cut in (*sorted(cuts), len(lines)):
        file.write_text("\n".join(lines[:cut]))
        take(store, file, session)
    for name in ("a", "b", ""):
        uid = f"{count}{name}" if name else session.id
        assert texts_of(store, uid) == [text for _, text, where in told if where == name]


def test_the_limit_of_a_process_is_read(store: Store) -> None:
    """Guards the memory test: the figure exists on this system."""
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > 0
